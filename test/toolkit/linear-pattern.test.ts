import t from 'tap';
import { UserError } from '../../src/core/errors.ts';
import { linearPattern } from '../../src/toolkit/linear-pattern.ts';
import { cpuMs } from '../support/cpu-time.ts';

/** A RegExp of this kind takes a lifetime. */
const MAX_MS = 2_000;

t.test('no pattern of a model keeps anybody waiting, whatever the path', async (t) => {
  const startMs = cpuMs();
  for (const source of ['(a+)+$', '(a|aa)+$', '(.*a){12}$', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
    t.equal(linearPattern(source).test(`/docs/${'a'.repeat(4000)}!`), false, source);
  }
  t.ok(cpuMs() - startMs < MAX_MS);
});

t.test('paths are matched anywhere, and what is no pattern is said', async (t) => {
  t.ok(linearPattern('^/docs/charges/').test('/docs/charges/create.md'));
  t.ok(linearPattern('create\\.md$').test('/docs/charges/create.md'));
  t.notOk(linearPattern('^charges').test('/docs/charges/create.md'));
  t.throws(() => linearPattern('('), UserError);
  t.throws(() => linearPattern('(?=x)y'), /path_regex: .*without look-around/);
});
