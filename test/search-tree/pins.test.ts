import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { pathOf, SearchTree } from './fixture.ts';

const CONTEXT = {};

t.test('another mount of the same state has the same pins', async (t) => {
  const file = join(temporaryFolder(t), 'context.sqlite');
  const one = new SearchTree(t, { file });
  const other = new SearchTree(t, { file });
  await one.pin('refunds');
  other.pins.refresh();
  t.same(await other.list('pinned'), ['refunds']);
  t.same(other.told, ['/search/pinned/refunds']);
  await other.fs.removeFolder(pathOf('pinned/refunds'), CONTEXT);
  one.pins.refresh();
  t.same(await one.list('pinned'), []);
  t.same(new SearchTree(t, { file }).pins.all(), []);
});

t.test('what another mount did to pins is told when one of its own comes first', async (t) => {
  const file = join(temporaryFolder(t), 'context.sqlite');
  const one = new SearchTree(t, { file });
  await one.pin('charges');
  const other = new SearchTree(t, { file });
  await t.rejects(async () => other.fs.stat(pathOf('pinned/refunds'), CONTEXT), { code: 'ENOENT' });
  await one.pin('refunds');
  await one.fs.removeFolder(pathOf('pinned/charges'), CONTEXT);
  await other.pin('payouts');
  t.same(await other.list('pinned'), ['payouts', 'refunds']);
  t.same(
    new Set(other.told),
    new Set(['payouts', 'charges', 'refunds'].map((name) => `/search/pinned/${name}`)),
  );
  other.told.length = 0;
  const { modifiedNs } = await other.fs.stat(pathOf('pinned'), CONTEXT);
  other.pins.refresh();
  t.same(other.told, [], 'once');
  t.equal((await other.fs.stat(pathOf('pinned'), CONTEXT)).modifiedNs, modifiedNs);
});

t.test('a query is not renamed to one that another mount has pinned meanwhile', async (t) => {
  const file = join(temporaryFolder(t), 'context.sqlite');
  const one = new SearchTree(t, { file });
  await one.pin('refunds');
  const other = new SearchTree(t, { file });
  await one.pin('charges');
  t.throws(() => other.pins.rename('refunds', 'charges', CONTEXT), { code: 'EEXIST' });
  t.throws(() => other.pins.rename('gone', 'payouts', CONTEXT), { code: 'ENOENT' });
  other.pins.refresh();
  t.same(await other.list('pinned'), ['charges', 'refunds']);
});
