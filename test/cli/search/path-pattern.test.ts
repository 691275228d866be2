import t from 'tap';
import { pathPattern } from '../../../src/cli/search/path-pattern.ts';
import { cpuMs } from '../../support/cpu-time.ts';

t.test('a pattern finds what it matches', async (t) => {
  const paths = ['/docs/a.md', '/docs/b/c.md', '/graph/nodes/é 🎉'];
  const matched = (source: string) => paths.filter((path) => pathPattern(source).test(path));
  t.same(matched('^/docs/[^/]+$'), ['/docs/a.md']);
  t.same(matched('(a|b)(/|\\.)'), ['/docs/a.md', '/docs/b/c.md']);
  t.same(matched('^(/[^/]+)+\\.md$'), ['/docs/a.md', '/docs/b/c.md'], 'also one that can be stopped');
  t.same(matched('.🎉$'), ['/graph/nodes/é 🎉']);
});

t.test('what is no pattern is said to be none', async (t) => {
  for (const source of ['(', '[z-a]', '*', '\\', 'x'.repeat(1001)]) {
    t.throws(() => pathPattern(source), { name: 'UserError', exitStatus: 2, message: /--path-regex/ });
  }
});

t.test('a pattern that would take a lifetime is stopped', async (t) => {
  const pattern = pathPattern('^/docs/([a-z]+)*$');
  const path = `/docs/${'a'.repeat(60)}!`;
  const startedMs = cpuMs();
  t.throws(() => pattern.test(path), { name: 'UserError', exitStatus: 2, message: /takes too long/ });
  t.ok(cpuMs() - startedMs < 10_000);
  const againMs = cpuMs();
  t.throws(() => pattern.test(path), { message: /takes too long/ });
  t.ok(cpuMs() - againMs < 500, 'and is not given the time again');
});
