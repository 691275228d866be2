import Sqlite from 'better-sqlite3';
import t from 'tap';
import { FsError } from '../../src/core/errors.ts';
import { parsePath } from '../../src/core/paths.ts';
import { MODEL, sampleBox } from './sample-box.ts';

const PLACE = { type: 'fact', key: 'refunds' } as const;

t.test('what a model writes to memory waits in review, in its name', async (t) => {
  const { call, box } = await sampleBox(t);
  const reply = await call('vfs_write', {
    path: '/context/memory/fact/refunds',
    content: 'Refunds take 5 days',
    confidence: 0.8,
    tags: ['billing'],
    source_paths: ['charges/refund.md:3'],
  });
  t.match(reply, {
    entry: 'fact/refunds',
    confidence: 0.8,
    tags: ['billing', 'needs_review'],
    note: /waits/,
  });
  t.match(box.memory.get(PLACE), { actor: MODEL, sourcePaths: ['charges/refund.md:3'] });
  t.same((await call('vfs_list', { path: '/context/review' }))['entries'], ['refunds']);
});

t.test('where its writes count at once, they are accepted', async (t) => {
  const { call, box } = await sampleBox(t);
  await call(
    'vfs_write',
    { path: '/context/memory/fact/refunds', content: 'x' },
    { box: { writesCountAtOnce: true } },
  );
  t.same(box.memory.get(PLACE)?.tags, []);
});

t.test(
  'what counts already is neither replaced, nor changed, nor removed, nor superseded by a model',
  async (t) => {
    const { call, box } = await sampleBox(t);
    box.memory.add({ ...PLACE, content: Buffer.from('5 days\n') }, { caller: { name: 'ana' } });
    await call('vfs_write', { path: '/context/memory/fact/other', content: '9 days' });
    const refused = { error: { code: 'EACCES' } };
    t.match(await call('vfs_write', { path: '/context/memory/fact/refunds', content: '9 days' }), refused);
    t.match(await call('memory_update', { entry: 'refunds', content: '9 days' }), refused);
    t.match(await call('memory_forget', { entry: 'refunds' }), refused);
    t.match(await call('memory_relate', { from: 'other', relation: 'supersedes', to: 'refunds' }), refused);
    t.equal(String(box.memory.get(PLACE)?.content), '5 days\n');
    t.notOk(box.memory.get(PLACE)?.supersededBy);
  },
);

t.test('a model changes, relates and forgets what it wrote itself and nobody accepted', async (t) => {
  const { call, box } = await sampleBox(t);
  box.memory.add({ ...PLACE, content: Buffer.from('5 days\n') }, { caller: { name: 'ana' } });
  await call('vfs_write', { path: '/context/memory/fact/other', content: '9 days' });
  t.match(await call('memory_update', { entry: 'other', content: '8 days', confidence: 0.4 }), {
    confidence: 0.4,
    tags: ['needs_review'],
  });
  t.match(await call('memory_relate', { from: 'other', relation: 'contradicts', to: 'refunds' }), {
    weight: 1,
  });
  t.equal(box.memory.links().length, 1);
  t.match(await call('memory_forget', { entry: '/context/memory/fact/other' }), { removed: 'fact/other' });
  t.notOk(box.memory.get({ type: 'fact', key: 'other' }));
});

t.test('what counts already is not related by a model, nor by what it writes over an entry', async (t) => {
  const { call, box } = await sampleBox(t);
  const other = { type: 'fact', key: 'other' } as const;
  box.memory.add({ ...PLACE, content: Buffer.from('5 days\n') }, { caller: { name: 'ana' } });
  box.memory.add({ ...other, content: Buffer.from('x\n') }, { caller: { name: 'ana' } });
  const relation = { from: 'other', relation: 'contradicts', to: 'refunds' };
  t.match(await call('memory_relate', relation), { error: { code: 'EACCES' } });
  const content = '---\n{"super\\u0073edes": "fact/refunds", "tags": []}\n---\n9 days\n';
  const refused = { error: { code: 'EINVAL', message: /front matter/ } };
  const wide = content.replace('\n', `${' '.repeat(100)}\n`);
  for (const one of [content, wide])
    t.match(await call('vfs_write', { path: '/context/memory/fact/new', content: one }), refused);
  await call('vfs_write', { path: '/context/memory/fact/new', content: '9 days' });
  t.match(await call('memory_update', { entry: 'new', content }), refused);
  t.notOk(box.memory.get(PLACE)?.supersededBy);
  t.same(box.memory.links(), []);
});

t.test('a tool cannot take the mark of review away', async (t) => {
  const { call, box } = await sampleBox(t);
  await call('vfs_write', { path: '/context/memory/fact/refunds', content: 'x' });
  await call('memory_update', { entry: 'refunds', tags: ['billing'] });
  t.same(box.memory.get(PLACE)?.tags, ['billing', 'needs_review']);
});

t.test('files are written below the scratchpad, and nowhere else', async (t) => {
  const { call } = await sampleBox(t);
  t.match(await call('vfs_write', { path: '/context/scratchpad/a/plan.md', content: 'first' }), {
    size_bytes: 6,
  });
  t.match(await call('vfs_read', { path: '/context/scratchpad/a/plan.md' }), { text: 'first' });
  for (const path of [
    '/docs/x.md',
    '/context/review/x',
    '/context/history/x',
    '/graph/nodes/X',
    '/context/memory/x',
  ]) {
    t.match(await call('vfs_write', { path, content: 'x' }), { error: { code: 'EROFS' } }, path);
  }
});

t.test('what only memories have is refused for a file of the scratchpad, which is not written', async (t) => {
  const { call } = await sampleBox(t);
  const path = '/context/scratchpad/plan.md';
  t.match(await call('vfs_write', { path, content: 'x', tags: ['plan'] }), {
    error: { message: /^memories have tags, and .*plan\.md is none: leave it out$/ },
  });
  t.match(await call('vfs_read', { path }), { error: { code: 'ENOENT' } });
});

t.test('a scratchpad that a mount holds is told of without its place on this machine', async (t) => {
  const { box, call } = await sampleBox(t);
  const busy = () => {
    throw new FsError(
      'EBUSY',
      'plan.md',
      'the session is mounted: write to /home/ana/ctx/context/scratchpad',
    );
  };
  Object.assign(box.fs, { create: busy, openToWrite: busy, rename: busy });
  const path = '/context/scratchpad/plan.md';
  const reply = await call('vfs_write', { path, content: 'first' });
  t.match(reply, { error: { code: 'EBUSY', message: /use \/context\/memory$/ } });
  t.notMatch(JSON.stringify(reply), '/home/ana');
});

t.test('a link in the scratchpad leads no write of a model to memory', async (t) => {
  const { call, box } = await sampleBox(t);
  box.memory.add({ ...PLACE, content: Buffer.from('5 days\n') }, { caller: { name: 'ana' } });
  const [folder, file] = ['/context/scratchpad/facts', '/context/scratchpad/refunds'];
  await box.fs.symlink('../memory/fact', parsePath(folder), {});
  await box.fs.symlink('../memory/fact/refunds', parsePath(file), {});
  for (const path of [`${folder}/refunds`, `${folder}/new`, file])
    t.match(await call('vfs_write', { path, content: '9 days' }), { error: { code: 'EROFS' } }, path);
  t.match(box.memory.list(), [{ key: 'refunds', actor: 'ana', tags: { length: 0 } }]);
});

const WRITES: readonly (readonly [tool: string, args: object])[] = [
  ['vfs_write', { path: '/context/memory/fact/refunds', content: '9 days' }],
  ['memory_update', { entry: 'refunds', content: '9 days' }],
  ['memory_update', { entry: 'refunds', confidence: 0.1 }],
  ['memory_relate', { from: 'refunds', relation: 'contradicts', to: 'other' }],
  ['memory_forget', { entry: 'refunds' }],
];

t.test('what is accepted just before a model writes is not overwritten', async (t) => {
  const { call, box } = await sampleBox(t);
  const { memory } = box;
  for (const key of ['refunds', 'other'])
    await call('vfs_write', { path: `/context/memory/fact/${key}`, content: '5 days' });
  const transact = memory.transact.bind(memory);
  let isAccepted = false;
  memory.transact = (body) => {
    if (!isAccepted) memory.describe(PLACE, { tags: [] }, { caller: { name: 'ana' } });
    isAccepted = true;
    return transact(body);
  };
  for (const [tool, args] of WRITES) {
    t.match(await call(tool, args), { error: { code: 'EACCES' } }, tool);
    isAccepted = false;
    memory.describe(PLACE, { tags: ['needs_review'] }, { caller: { name: 'ana' } });
  }
  t.equal(String(memory.get(PLACE)?.content), '5 days\n');
});

t.test('while a tool looks whether it may change an entry, nobody else can accept it', async (t) => {
  const { call, box, contextFile } = await sampleBox(t);
  const { memory } = box;
  for (const key of ['refunds', 'other'])
    await call('vfs_write', { path: `/context/memory/fact/${key}`, content: '5 days' });
  const other = new Sqlite(contextFile, { timeout: 0 });
  t.teardown(() => other.close());
  const get = memory.get.bind(memory);
  for (const [tool, args] of WRITES) {
    const codes: unknown[] = [];
    memory.get = (place) => {
      try {
        other.exec('BEGIN IMMEDIATE; ROLLBACK');
        codes.push('free');
      } catch (error) {
        codes.push(Object(error).code);
      }
      return get(place);
    };
    t.notMatch(await call(tool, args), { error: {} }, tool);
    t.same([...new Set(codes)], ['SQLITE_BUSY'], tool);
  }
});
