import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { pathOf, SearchTree, STARTED_MS } from '../search-tree/fixture.ts';

const CONTEXT = {};

t.test('a query is a file of what it finds, of exactly its size', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/docs/refunds.md', 'refunds are reported monthly');
  tree.put('/docs/other.md', 'reported elsewhere');
  const text = await tree.read('how are refunds reported');
  t.equal(
    text,
    [
      '1  docs/refunds.md:3  document 3.0000  keyword #1, graph #3  2026-01-05',
      '   Title › Part',
      '   refunds are reported monthly',
      '',
      '2  docs/other.md:3  document 1.0000  keyword #1, graph #3  2026-01-05',
      '   Title › Part',
      '   reported elsewhere',
      '',
    ].join('\n'),
  );
  const info = await tree.fs.stat(pathOf('how are refunds reported'), CONTEXT);
  t.match(info, { kind: 'file', sizeBytes: Buffer.byteLength(text), mode: 0o644, changesUntold: true });
  t.same(await tree.list(''), ['pinned']);
  t.same(await tree.list('pinned'), []);
});

t.test('a page is made once for a revision, and is dated by when it changed', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/docs/a.md', 'refunds');
  const { fs, engine } = tree;
  const stat = () => fs.stat(pathOf('refunds'), CONTEXT);
  const first = await stat();
  await tree.read('refunds');
  await stat();
  t.equal(engine.asked, 1);
  tree.nowMs += 5000;
  tree.put('/docs/z.md', 'nothing of it');
  t.same(await stat(), first, 'the same bytes are the same file');
  t.equal(engine.asked, 2);
  tree.put('/docs/a.md', undefined);
  const later = await stat();
  t.not(later.version, first.version);
  t.equal(later.modifiedNs, BigInt(tree.nowMs) * 1_000_000n);
});

t.test('who opened an answer keeps it', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/docs/a.md', 'refunds');
  const file = await tree.fs.open(pathOf('refunds'), CONTEXT);
  tree.put('/docs/a.md', undefined);
  const bytes = Buffer.alloc(file.sizeBytes);
  await file.read(bytes, 0);
  t.match(String(bytes), /docs\/a\.md/);
  t.match(await tree.read('refunds'), /^nothing found/);
});

t.test('those who keep what they know are told of the queries that somebody looked at', async (t) => {
  const tree = new SearchTree(t);
  await tree.read('refunds');
  await tree.read('payouts');
  tree.put('/docs/a.md', 'refunds');
  while (tree.told.length === 0) await delay(5);
  t.same(tree.told, ['/search/refunds', '/search/payouts'], 'at once');
  tree.put('/docs/a.md', undefined);
  await delay(20);
  t.equal(tree.told.length, 2, 'nobody has looked since');
});

t.test('names of probes are never looked for', async (t) => {
  const tree = new SearchTree(t);
  for (const name of [
    '.git',
    '.refunds.swp',
    '.hidden',
    '#refunds#',
    'refunds~',
    'a.swp',
    'kgraphfs.config.json',
  ]) {
    await t.rejects(async () => tree.fs.stat(pathOf(name), CONTEXT), { code: 'ENOENT' }, name);
  }
  t.equal(tree.engine.asked, 0);
});

t.test('what finds nothing says so, and what to try', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/docs/a.md', 'refunds');
  t.equal(
    await tree.read("chargex'x"),
    "nothing found for \"chargex'x\"\nnames like it: Charge\nfor a literal search: grep -rniF -- 'chargex'\\''x' docs\n",
  );
  t.match(await tree.read('refunds in:graph'), /without what narrows it there is something: refunds\n$/);
  tree.put('/docs/b.md', 'chargex');
  t.equal(
    await tree.read('chargex in:graph'),
    'nothing found for "chargex in:graph"\nwithout what narrows it there is something: chargex\n',
    'words that are found need no other name',
  );
  t.match(await tree.read(' '), /write what to look for/);
});

t.test('escapes in a name are those of names everywhere', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/docs/a.md', 'charges');
  tree.put('/graph/nodes/Charges', 'charges');
  for (const name of ['charges in:%2Fdocs', 'charges in:docs', 'charges%20in:%2fdocs']) {
    t.match(await tree.read(name), /^1 {2}docs\/a\.md:3/, name);
    t.notMatch(await tree.read(name), /graph\/nodes/, name);
  }
  await t.rejects(async () => tree.fs.stat(pathOf('charges/x'), CONTEXT), { code: 'ENOTDIR' });
});

t.test('an opened answer is in the history as a search, and a look at it is not', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/docs/a.md', 'what%2For');
  await tree.fs.stat(pathOf('what%2For'), CONTEXT);
  t.same(tree.events, []);
  await tree.read('what%2For');
  t.match(tree.events, [
    { type: 'search', path: '/search/what%2For', data: { query: 'what/or', limit: 10, hits: 1 } },
  ]);
});

t.test('what shows a memory is its owner’s alone', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/context/memory/fact/refunds', 'refunds take 5 days');
  t.equal((await tree.fs.stat(pathOf('refunds'), CONTEXT)).mode, 0o600);
  t.match(await tree.read('in:docs refunds'), /without what narrows it there is something/);
  t.equal((await tree.fs.stat(pathOf('in:docs refunds'), CONTEXT)).mode, 0o600, 'and what tells of it');
  t.equal((await tree.fs.stat(pathOf('in:docs prices'), CONTEXT)).mode, 0o644);
  tree.put('/modules/issues/7.md', 'a private issue');
  t.equal((await tree.fs.stat(pathOf('private issue'), CONTEXT)).mode, 0o600, 'as is what a module shows');
  t.equal((await tree.fs.stat(pathOf('pinned'), CONTEXT)).mode, 0o700);
});

t.test('a pinned query is a folder of ranked links', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/docs/x/refunds.md', 'refunds are reported');
  tree.put('/graph/nodes/GET %2Fv1%2Frefunds', 'refunds');
  tree.put('/context/memory/fact/refunds', 'refunds');
  await tree.pin('refunds reported');
  t.same(await tree.list('pinned'), ['refunds reported']);
  const names = await tree.list('pinned/refunds reported');
  t.same(names, [
    '01 docs%2Fx%2Frefunds.md',
    '02 context%2Fmemory%2Ffact%2Frefunds',
    '03 graph%2Fnodes%2FGET %252Fv1%252Frefunds',
  ]);
  const target = await tree.fs.readLink(pathOf(`pinned/refunds reported/${names[2]}`), CONTEXT);
  t.equal(target, '../../../graph/nodes/GET %2Fv1%2Frefunds');
  t.match(tree.events, [{ type: 'create', path: '/search/pinned/refunds reported' }]);
});

t.test('pins follow what they show, and tell of what moved alone', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/docs/a.md', 'refunds');
  tree.put('/docs/b.md', 'refunds reported');
  await tree.pin('refunds reported');
  await tree.pin('never looked at');
  const folder = pathOf('pinned/refunds reported');
  t.same(await tree.list('pinned/refunds reported'), ['01 docs%2Fb.md', '02 docs%2Fa.md']);
  tree.told.length = 0;
  const { asked } = tree.engine;
  tree.nowMs += 1000;
  for (let count = 0; count < 20; count += 1) tree.put('/docs/c.md', `nothing ${count}`);
  tree.put('/docs/b.md', undefined);
  while (tree.told.length === 0) await delay(5);
  t.equal(tree.engine.asked, asked + 1, 'a storm is one look');
  t.same(tree.told, [
    '/search/pinned/refunds reported/01 docs%2Fb.md',
    '/search/pinned/refunds reported/02 docs%2Fa.md',
    '/search/pinned/refunds reported/01 docs%2Fa.md',
  ]);
  t.same(await tree.list('pinned/refunds reported'), ['01 docs%2Fa.md']);
  t.equal((await tree.fs.stat(folder, CONTEXT)).modifiedNs, BigInt(tree.nowMs) * 1_000_000n);
});

t.test('a change that moves nothing is told to nobody', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/docs/a.md', 'refunds');
  await tree.pin('refunds');
  await tree.list('pinned/refunds');
  tree.told.length = 0;
  const { asked } = tree.engine;
  tree.put('/docs/z.md', 'nothing of it');
  while (tree.engine.asked === asked) await delay(5);
  await delay(20);
  t.same(tree.told, []);
});

t.test('rmdir unpins a folder that is full, and a link of it cannot be removed', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/docs/a.md', 'refunds');
  await tree.pin('refunds');
  const link = pathOf('pinned/refunds/01 docs%2Fa.md');
  await t.rejects(async () => tree.fs.remove(link, CONTEXT), { code: 'EROFS' });
  await tree.fs.removeFolder(pathOf('pinned/refunds'), CONTEXT);
  t.same(await tree.list('pinned'), []);
  await t.rejects(async () => tree.fs.stat(link, CONTEXT), { code: 'ENOENT' });
  await t.rejects(async () => tree.fs.removeFolder(pathOf('pinned/refunds'), CONTEXT), { code: 'ENOENT' });
  t.same(
    tree.events.map(({ type }) => type),
    ['create', 'remove'],
  );
});

t.test('mv makes a pin one of another query', async (t) => {
  const tree = new SearchTree(t);
  tree.put('/docs/a.md', 'refunds');
  tree.put('/docs/b.md', 'payouts');
  await tree.pin('refunds');
  await tree.pin('charges');
  await tree.list('pinned/refunds');
  const { inode } = await tree.fs.stat(pathOf('pinned/refunds'), CONTEXT);
  await tree.fs.rename(pathOf('pinned/refunds'), pathOf('pinned/payouts'), CONTEXT);
  t.equal((await tree.fs.stat(pathOf('pinned/payouts'), CONTEXT)).inode, inode, 'the same folder');
  await tree.pin('refunds');
  t.not((await tree.fs.stat(pathOf('pinned/refunds'), CONTEXT)).inode, inode);
  await tree.fs.removeFolder(pathOf('pinned/refunds'), CONTEXT);
  t.same(await tree.list('pinned/payouts'), ['01 docs%2Fb.md']);
  t.same(await tree.list('pinned'), ['charges', 'payouts']);
  const refused = (from: string, to: string, code: string, use?: 'keep' | 'exchange') =>
    t.rejects(async () => tree.fs.rename(pathOf(from), pathOf(to), CONTEXT, use), { code }, `${from} ${to}`);
  await refused('pinned/payouts', 'pinned/charges', 'ENOTEMPTY');
  await refused('pinned/payouts', 'pinned/charges', 'EEXIST', 'keep');
  await refused('pinned/payouts', 'pinned/charges', 'EINVAL', 'exchange');
  await refused('pinned/gone', 'pinned/x', 'ENOENT');
  await refused('pinned/payouts/01 docs%2Fb.md', 'pinned/payouts/02', 'EROFS');
  await refused('payouts', 'pinned/x', 'EROFS');
  await refused('pinned', 'pinned/x', 'EBUSY');
  await refused('pinned/payouts', 'pinned/.x', 'EINVAL');
});

t.test('what cannot be made is refused, with a reason where nobody can guess it', async (t) => {
  const tree = new SearchTree(t, { maxPins: 2 });
  tree.put('/docs/a.md', 'refunds');
  await tree.pin('one');
  await tree.pin('refunds');
  const refused = (path: string, code: string) =>
    t.rejects(async () => tree.fs.makeFolder(pathOf(path), 0o755, CONTEXT), { code }, path);
  await refused('pinned/one', 'EEXIST');
  await refused('pinned/three', 'ENOSPC');
  await refused('pinned', 'EEXIST');
  await refused('refunds', 'EEXIST');
  await refused('refunds/x', 'ENOTDIR');
  await refused('.x', 'EROFS');
  await refused('pinned/.x', 'EINVAL');
  await refused('pinned/  ', 'EINVAL');
  await refused('pinned/one/x', 'EROFS');
  await refused('pinned/gone/x', 'ENOENT');
  t.same(
    tree.errors.entries().map(({ code, path }) => `${code} ${path}`),
    [
      'ENOSPC /search/pinned/three',
      'EROFS /search/.x',
      'EINVAL /search/pinned/.x',
      'EINVAL /search/pinned/  ',
      'EROFS /search/pinned/one/x',
    ],
  );
  t.match(tree.errors.entries()[2], { message: /is blank, or begins with a dot/ });
  const options = { append: false, truncate: true, exclusive: true, mode: 0o644 };
  await t.rejects(async () => tree.fs.create(pathOf('pinned/x'), options, CONTEXT), { code: 'EROFS' });
  await t.rejects(async () => tree.fs.openToWrite(pathOf('refunds'), options, CONTEXT), { code: 'EROFS' });
  await t.rejects(async () => tree.fs.removeFolder(pathOf('refunds'), CONTEXT), { code: 'ENOTDIR' });
  await t.rejects(async () => tree.fs.removeFolder(pathOf('pinned'), CONTEXT), { code: 'EBUSY' });
  await t.rejects(async () => tree.fs.removeFolder(pathOf(''), CONTEXT), { code: 'EBUSY' });
});

t.test('names that are hard to write are pinned as they are', async (t) => {
  const tree = new SearchTree(t);
  tree.put(`/docs/${'long '.repeat(45)}%41.md`, 'é 🎉');
  for (const name of ['é 🎉', '-rf é', '$(é)', 'é"', 'é\nline', `${'é'.repeat(100)} é`]) {
    await tree.pin(name);
    const [link = ''] = await tree.list(`pinned/${name}`);
    t.match(link, /^01 docs%2Flong /, name);
    t.ok(Buffer.byteLength(link) <= 255, name);
    const target = await tree.fs.readLink(pathOf(`pinned/${name}/${link}`), CONTEXT);
    t.equal(target, `../../../docs/${'long '.repeat(45)}%41.md`);
  }
  t.equal((await tree.list('pinned')).length, 6);
  t.ok((await tree.fs.stat(pathOf('pinned'), CONTEXT)).modifiedNs >= BigInt(STARTED_MS) * 1_000_000n);
});
