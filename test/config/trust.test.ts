import { chmodSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Trust } from '../../src/config/trust.ts';
import { UserError } from '../../src/core/errors.ts';
import { temporaryFolder } from '../support/temporary.ts';

const CODE = { '/modules/own.mjs': 'a1' };

function subject(t: Test) {
  const folder = realpathSync(temporaryFolder(t));
  const own = join(folder, 'own');
  mkdirSync(own, { mode: 0o700 });
  const [one, other] = ['one.json', 'other.json'].map((name) => join(folder, name));
  if (one === undefined || other === undefined) throw new Error('there are two');
  for (const file of [one, other]) writeFileSync(file, '{}');
  return { trust: new Trust({ XDG_CONFIG_HOME: own }), folder, own, one, other };
}

t.test('a file is trusted by its place and its text alone, with the code that it named then', async (t) => {
  const { trust, folder, one, other } = subject(t);
  t.equal(trust.codeOf(one, '{}'), undefined);
  trust.add(one, '{}', 0, CODE);
  t.same(trust.codeOf(one, '{}'), CODE);
  t.equal(trust.has(one, '{}'), true);
  t.equal(trust.has(one, '{"a": 1}'), false, 'edited');
  t.equal(trust.has(other, '{}'), false, 'another of the same text');
  symlinkSync('one.json', join(folder, 'link.json'));
  t.equal(trust.has(join(folder, 'link.json'), '{}'), true, 'by a link to it');
  t.equal(trust.remove(join(folder, 'link.json')), true);
  t.equal(trust.has(one, '{}'), false);
});

t.test('to trust one file takes nothing from another, and follows the newest text', async (t) => {
  const { trust, one, other } = subject(t);
  trust.add(one, '{}', 0, CODE);
  trust.add(other, '{}', 0);
  trust.add(one, '{"a": 1}', 0);
  t.same(
    trust.list().map(({ file, code }) => [file, code]),
    [
      [other, {}],
      [one, {}],
    ],
  );
  t.same([trust.has(one, '{}'), trust.has(one, '{"a": 1}'), trust.has(other, '{}')], [false, true, true]);
  t.equal(trust.remove(one), true);
  t.equal(trust.remove(one), false);
  t.same([trust.has(one, '{"a": 1}'), trust.has(other, '{}')], [false, true]);
});

t.test("the list is its owner's alone", async (t) => {
  const { trust, own, one } = subject(t);
  trust.add(one, '{}', 0);
  const modes = ['kgraphfs', 'kgraphfs/trusted.json'].map((name) => statSync(join(own, name)).mode & 0o777);
  t.same(modes, [0o700, 0o600]);
});

t.test('a list that cannot be used trusts nothing, and is said', async (t) => {
  const { trust, own, one } = subject(t);
  trust.add(one, '{}', 0);
  const file = join(own, 'kgraphfs/trusted.json');
  chmodSync(file, 0o666);
  t.throws(() => trust.has(one, '{}'), UserError, 'anybody may have written it');
  chmodSync(file, 0o600);
  t.equal(trust.has(one, '{}'), true);
  writeFileSync(file, '{"files": 7}');
  t.throws(() => trust.has(one, '{}'), UserError);
});
