import t from 'tap';
import type { Owner } from '../../src/core/changes.ts';
import { isFsError } from '../../src/core/errors.ts';
import { parsePath, ROOT, type VfsPath } from '../../src/core/paths.ts';
import { fixedResolver } from '../../src/resolvers/fixed.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';
import { CONTEXT, fact, kept, keys, type Remembering, remembering, set, write } from '../memory/fixture.ts';

interface Subject extends Remembering {
  readonly fs: SystemFs;
}

const CREATE = { append: false, truncate: false, exclusive: false, mode: 0o644 };

function at(path: string): VfsPath {
  return parsePath(`/context/${path}`);
}

function subject(t: Parameters<typeof remembering>[0]): Subject {
  const parts = remembering(t);
  const mounts = [
    { point: ROOT, resolver: fixedResolver('root', {}, 0n) },
    { point: at(''), resolver: parts.resolver },
  ];
  const fs = new SystemFs(mounts, (error) => {
    throw error;
  });
  return { ...parts, fs };
}

async function codeOf(action: () => unknown): Promise<string> {
  try {
    await action();
    return 'nothing was thrown';
  } catch (error) {
    if (isFsError(error)) return error.code;
    throw error;
  }
}

async function names(fs: SystemFs, path: string): Promise<string[]> {
  return (await fs.list(at(path), CONTEXT)).map(({ name }) => name);
}

async function put(fs: SystemFs, path: string, text: string): Promise<void> {
  const file = await fs.create(at(path), CREATE, CONTEXT);
  await file.truncate(0, CONTEXT);
  await file.write(Buffer.from(text), 0, CONTEXT);
  await file.flush(CONTEXT);
  file.close();
}

async function read(fs: SystemFs, path: string): Promise<string> {
  const file = await fs.open(at(path), CONTEXT);
  const target = Buffer.alloc(file.sizeBytes);
  await file.read(target, 0);
  file.close();
  return target.toString();
}

/** A tree with a fact and an episode that waits, each with a folder beside it. */
async function filled(t: Parameters<typeof remembering>[0]): Promise<Subject> {
  const parts = subject(t);
  await put(parts.fs, 'memory/fact/refunds', 'Refunds take 5 days');
  await put(parts.fs, 'memory/episodic/claim', 'maybe');
  set(parts.files, { type: 'episodic', key: 'claim' }, 'tags', 'needs_review');
  await parts.fs.makeFolder(at('memory/fact/folder'), 0o755, CONTEXT);
  await parts.fs.makeFolder(at('memory/episodic/deep'), 0o755, CONTEXT);
  await put(parts.fs, 'memory/episodic/deep/claim', 'perhaps');
  set(parts.files, { type: 'episodic', key: 'deep/claim' }, 'tags', 'needs_review');
  parts.told();
  return parts;
}

t.test('the tree has the folders of its contract, closed to others', async (t) => {
  const { fs } = await filled(t);
  t.same(await names(fs, ''), ['memory', 'review']);
  t.same(await names(fs, 'memory'), ['fact', 'episodic', 'procedural']);
  t.same(await names(fs, 'memory/fact'), ['folder', 'refunds']);
  t.same(await names(fs, 'review'), ['claim', 'deep']);
  t.same(await names(fs, 'review/deep'), ['claim']);
  for (const path of ['', 'memory', 'memory/fact', 'review', 'review/deep']) {
    t.match(await fs.stat(at(path), CONTEXT), { kind: 'directory', mode: 0o700 }, path);
  }
});

t.test('what waits for review is the same file twice', async (t) => {
  const { fs, told } = await filled(t);
  t.equal(await read(fs, 'review/claim'), 'maybe');
  const [here, there] = [
    await fs.openToWrite(at('review/claim'), { append: true, truncate: false }, CONTEXT),
    await fs.open(at('memory/episodic/claim'), CONTEXT),
  ];
  await here.write(Buffer.from(' so'), 0, CONTEXT);
  t.equal(there.sizeBytes, 8);
  await here.flush(CONTEXT);
  here.close();
  there.close();
  t.equal((await fs.stat(at('review/claim'), CONTEXT)).sizeBytes, 8);
  const inodeOf = async (path: string) => (await fs.stat(at(path), CONTEXT)).inode;
  t.not(await inodeOf('review/claim'), await inodeOf('memory/episodic/claim'), 'mv moves no file to itself');
  t.same(
    await fs.attributes(at('review/claim'), CONTEXT),
    await fs.attributes(at('memory/episodic/claim'), CONTEXT),
  );
  t.ok(told().length > 0);
});

t.test('mv out of review accepts, rm rejects', async (t) => {
  const { fs, memory } = await filled(t);
  await fs.rename(at('review/claim'), at('memory/fact/claim'), CONTEXT);
  t.equal(kept(memory, fact('claim')), 'maybe');
  t.match(memory.get(fact('claim')), { tags: { length: 0 }, confidence: 1, reviewer: 'ana' });
  await fs.remove(at('review/deep/claim'), CONTEXT);
  t.same(await names(fs, 'review'), []);
  t.same(await names(fs, 'memory/episodic/deep'), []);
});

t.test('a rename can be told to replace nothing, and exchanges nothing', async (t) => {
  const { fs, memory } = await filled(t);
  const move = (to: string, use: 'keep' | 'exchange') =>
    codeOf(() => fs.rename(at('review/claim'), at(to), CONTEXT, use));
  for (const path of ['memory/fact/refunds', 'review/deep', 'memory', 'review/claim']) {
    t.equal(await move(path, 'keep'), 'EEXIST', path);
  }
  t.equal(await move('memory/fact/refunds', 'exchange'), 'EINVAL');
  await fs.rename(at('review/claim'), at('memory/fact/claim'), CONTEXT, 'keep');
  t.equal(kept(memory, fact('claim')), 'maybe');
});

t.test('parts of the tree cannot be made, moved, removed or changed', async (t) => {
  const { fs, errors } = await filled(t);
  const make = (path: string) => codeOf(() => fs.makeFolder(at(path), 0o755, CONTEXT));
  const create = (path: string) => codeOf(() => fs.create(at(path), CREATE, CONTEXT));
  const move = (from: string, to: string) => codeOf(() => fs.rename(at(from), at(to), CONTEXT));
  const unlink = (path: string) => codeOf(() => fs.remove(at(path), CONTEXT));
  const rmdir = (path: string) => codeOf(() => fs.removeFolder(at(path), CONTEXT));
  t.equal(await make('memory/gossip'), 'EACCES');
  t.match(errors.entries().at(-1), {
    code: 'EACCES',
    path: '/context/memory/gossip',
    message: /fact,episodic,procedural/,
  });
  t.equal(await make('gossip'), 'EACCES');
  t.equal(await make('review/folder'), 'EACCES');
  t.equal(await make('memory/fact'), 'EEXIST');
  t.equal(await make('memory'), 'EEXIST');
  t.equal(await make('review/claim'), 'EEXIST');
  for (const path of ['note', 'memory/note', 'review/note', 'memory/gossip/note'])
    t.equal(await create(path), 'EACCES', path);
  t.equal(await create('memory'), 'EEXIST');
  t.equal(await create('memory/fact'), 'EISDIR');
  for (const path of ['memory', 'memory/fact', 'review']) {
    t.equal(await move(path, 'memory/fact/x'), 'EBUSY', path);
    t.equal(await rmdir(path), 'EBUSY', path);
    t.equal(await unlink(path), 'EISDIR', path);
    t.equal(
      await codeOf(() => fs.changeMode(at(path), 0o777, CONTEXT)),
      path === 'memory/fact' ? 'nothing was thrown' : 'EPERM',
    );
  }
  t.equal(await move('memory/fact/refunds', 'memory/refunds'), 'EACCES');
  t.equal(await move('memory/fact/refunds', 'refunds'), 'EACCES');
  t.equal(await move('memory/fact/refunds', 'memory/fact'), 'EBUSY');
  t.equal(await move('memory/fact/refunds', 'review/refunds'), 'EACCES');
  t.equal(await move('memory/fact/folder', 'memory/gossip'), 'EACCES');
  t.equal(await move('review/claim', 'review/other'), 'EACCES');
  t.equal(await move('review/deep', 'memory/fact/deep'), 'EACCES');
  t.equal(await rmdir('review/deep'), 'EACCES');
  t.equal(await rmdir('review/claim'), 'ENOTDIR');
  t.equal(await unlink('review/deep'), 'EISDIR');
});

t.test('what is not there is ENOENT, and what is below a file ENOTDIR', async (t) => {
  const { fs } = await filled(t);
  for (const [path, code] of [
    ['memory/fact/nothing', 'ENOENT'],
    ['memory/gossip', 'ENOENT'],
    ['memory/facts', 'ENOENT'],
    ['other', 'ENOENT'],
    ['review/nothing', 'ENOENT'],
    ['reviews', 'ENOENT'],
    ['memory/fact/refunds/x', 'ENOTDIR'],
    ['review/claim/x', 'ENOTDIR'],
  ] as const) {
    t.equal(await codeOf(() => fs.stat(at(path), CONTEXT)), code, path);
    t.equal(await codeOf(() => fs.list(at(path), CONTEXT)), code, path);
    t.equal(await codeOf(() => fs.open(at(path), CONTEXT)), code, path);
    t.equal(await codeOf(() => fs.remove(at(path), CONTEXT)), code, path);
    t.equal(await codeOf(() => fs.rename(at(path), at('memory/fact/x'), CONTEXT)), code, path);
    t.equal(await codeOf(() => fs.changeTimes(at(path), {}, CONTEXT)), code, path);
  }
  t.equal(await codeOf(() => fs.list(at('memory/fact/refunds'), CONTEXT)), 'ENOTDIR');
  t.equal(await codeOf(() => fs.list(at('review/claim'), CONTEXT)), 'ENOTDIR');
  for (const path of ['', 'memory', 'memory/fact', 'memory/fact/folder', 'review', 'review/deep']) {
    t.equal(await codeOf(() => fs.open(at(path), CONTEXT)), 'EISDIR', path);
  }
});

t.test('there are no links, pipes and devices; a plain file may be made by mknod', async (t) => {
  const { fs, memory, errors } = await filled(t);
  const path = at('memory/fact/new');
  const lock = at('memory/fact/.#refunds');
  t.equal(await codeOf(() => fs.symlink('ana@host.4711', lock, CONTEXT)), 'EPERM');
  t.strictSame(errors.entries(), [], 'an editor makes its lock a file then');
  t.equal(await codeOf(() => fs.link(at('memory/fact/refunds'), path, CONTEXT)), 'EPERM');
  t.match(errors.entries(), [{ code: 'EPERM', path }]);
  t.equal(await codeOf(() => fs.link(at('memory/fact/nothing'), path, CONTEXT)), 'ENOENT');
  t.equal(await codeOf(() => fs.symlink('refunds', path, CONTEXT)), 'EPERM');
  t.equal(await codeOf(() => fs.symlink('x', at('memory/fact/refunds'), CONTEXT)), 'EEXIST');
  t.equal(await codeOf(() => fs.symlink('x', at('memory/fact/nothing/x'), CONTEXT)), 'ENOENT');
  const makeNode = (kind: 'pipe' | 'file') => fs.makeNode(path, { kind, mode: 0o644, device: 0 }, CONTEXT);
  t.equal(await codeOf(() => makeNode('pipe')), 'EPERM');
  await makeNode('file');
  t.equal(kept(memory, fact('new')), '');
  t.equal(await codeOf(() => makeNode('file')), 'EEXIST');
});

t.test('an owner can be set to who it is, and to nobody else', async (t) => {
  const { fs } = await filled(t);
  const change = (path: string, owner: Owner) => codeOf(() => fs.changeOwner(at(path), owner, CONTEXT));
  const chown = (path: string, user: number, group: number) => change(path, { user, group });
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  t.equal(await chown('memory/fact/refunds', user, group), 'nothing was thrown');
  t.equal(await chown('memory/fact/refunds', user + 1, group), 'EPERM');
  t.equal(await chown('memory/fact/refunds', user, group + 1), 'EPERM');
  t.equal(await chown('memory/fact/nothing', user, group), 'ENOENT');
  t.equal(await change('memory/fact/refunds', { user }), 'nothing was thrown');
  t.equal(await change('memory/fact/refunds', { user: user + 1 }), 'EPERM');
  t.equal(await change('memory/fact/refunds', { group }), 'nothing was thrown');
  t.equal(await change('memory/fact/refunds', { group: group + 1 }), 'EPERM');
});

t.test('folders have no attributes, and files those of their entries', async (t) => {
  const { fs } = await filled(t);
  for (const path of ['', 'memory', 'memory/fact', 'memory/fact/folder', 'review', 'review/deep']) {
    t.equal((await fs.attributes(at(path), CONTEXT)).size, 0, path);
    const set = () => fs.setAttribute(at(path), 'user.kgraphfs.tags', Buffer.from('x'), 'either', CONTEXT);
    t.equal(await codeOf(set), 'ENOTSUP', path);
  }
  t.equal((await fs.attributes(at('memory/fact/refunds'), CONTEXT)).get('user.kgraphfs.type'), 'fact');
  t.equal(await codeOf(() => fs.attributes(at('memory/fact/nothing'), CONTEXT)), 'ENOENT');
});

t.test('search tells where a memory is in the tree', async (t) => {
  const { fs } = await filled(t);
  t.match(await fs.search({ text: 'refunds take', limit: 5 }, at(''), CONTEXT), [
    { path: '/context/memory/fact/refunds', kind: 'memory', line: 1, snippet: 'Refunds take 5 days' },
  ]);
});

t.test('there is as much space as the disk has', async (t) => {
  const { fs } = await filled(t);
  const space = await fs.space(at('memory'), CONTEXT);
  t.ok(space.totalBytes > space.freeBytes && space.freeBytes > 0);
});

t.test('a change through a path is not told of that path, other changes are', async (t) => {
  const { fs, memory, told } = await filled(t);
  await put(fs, 'memory/fact/refunds', 'Refunds take 6 days');
  await fs.rename(at('memory/fact/refunds'), at('memory/procedural/refunds'), CONTEXT);
  await fs.changeMode(at('memory/procedural/refunds'), 0o600, CONTEXT);
  await fs.remove(at('memory/procedural/refunds'), CONTEXT);
  await fs.makeFolder(at('memory/fact/new'), 0o755, CONTEXT);
  await fs.removeFolder(at('memory/fact/new'), CONTEXT);
  t.same(told(), []);
  memory.restore('refunds', CONTEXT);
  t.same(told(), ['memory/procedural/refunds']);
  memory.add({ ...fact('a/b'), content: Buffer.from('x') }, CONTEXT);
  t.same(told(), ['memory/fact/a', 'memory/fact/a/b']);
});

t.test('the files of the tree are the entries of the memory', async (t) => {
  const { fs, memory, files } = await filled(t);
  write(files, fact('more'), 'x');
  t.same(keys(memory), ['more', 'refunds', 'claim', 'deep/claim']);
  t.equal(await read(fs, 'memory/fact/more'), 'x');
});
