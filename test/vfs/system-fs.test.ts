import t from 'tap';
import type { WritableFile } from '../../src/core/changes.ts';
import { FsError, isFsError } from '../../src/core/errors.ts';
import { fileInfo, folderInfo } from '../../src/core/node-info.ts';
import { fileOfBytes } from '../../src/core/open-file.ts';
import { parsePath, type SubPath, type VfsPath } from '../../src/core/paths.ts';
import type { Resolver } from '../../src/core/resolver.ts';
import { fixedResolver } from '../../src/resolvers/fixed.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';

const CONTEXT = {};

function subject(extra: { point: string; resolver: Resolver }[] = []) {
  const bugs: unknown[] = [];
  const root = fixedResolver(
    'root',
    { 'a.txt': 'A', folder: { 'b.txt': 'B' }, link: { linkTo: 'a.txt' } },
    0n,
  );
  const mounts = [{ point: '/', resolver: root }, ...extra];
  const fs = new SystemFs(
    mounts.map(({ point, resolver }) => ({ point: parsePath(point), resolver })),
    (error) => bugs.push(error),
  );
  return { fs, bugs };
}

async function codeOf(action: () => unknown): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    return isFsError(error) ? `${error.code} ${error.path}` : error;
  }
}

t.test(
  'the resolver with the longest mount point serves a path, and sees only what is below it',
  async (t) => {
    const seen: string[] = [];
    const spy = (name: string): Resolver => ({
      name,
      stat: (path) => {
        seen.push(`${name}:${path}`);
        return folderInfo(0n);
      },
      list: () => [],
      open: () => fileOfBytes(Buffer.from('')),
    });
    const { fs } = subject([
      { point: '/docs', resolver: spy('docs') },
      { point: '/docs/deep/er', resolver: spy('deeper') },
    ]);
    for (const path of ['/docs', '/docs/x/y', '/docs/deep/er/z', '/docs/deep/erx'])
      await fs.stat(parsePath(path), CONTEXT);
    t.same(seen, ['docs:', 'docs:x/y', 'deeper:z', 'docs:deep/erx']);
  },
);

t.test('a mount point is listed in its folder', async (t) => {
  const zone = fixedResolver('zone', {}, 0n);
  const { fs } = subject(['/zone', '/between'].map((point) => ({ point, resolver: zone })));
  const names = (await fs.list(parsePath('/'), CONTEXT)).map(({ name, kind }) => `${name} ${kind}`);
  t.same(names, ['a.txt file', 'between directory', 'folder directory', 'link link', 'zone directory']);
});

t.test('what a resolver says nothing of has no attributes, and is told of where it is new', async (t) => {
  const { fs } = subject();
  t.same(await fs.attributes(parsePath('/a.txt'), CONTEXT), new Map());
  t.equal(await codeOf(() => fs.attributes(parsePath('/none'), CONTEXT)), 'ENOENT /none');
  t.equal(fs.tellsOfNew(parsePath('/folder')), true);
});

t.test('errors name the whole path', async (t) => {
  const { fs } = subject([{ point: '/zone', resolver: fixedResolver('zone', {}, 0n) }]);
  t.equal(await codeOf(() => fs.stat(parsePath('/zone/none'), CONTEXT)), 'ENOENT /zone/none');
  t.equal(await codeOf(() => fs.open(parsePath('/folder'), CONTEXT)), 'EISDIR /folder');
  t.equal(await codeOf(() => fs.list(parsePath('/a.txt'), CONTEXT)), 'ENOTDIR /a.txt');
  t.equal(await codeOf(() => fs.stat(parsePath('/a.txt/x'), CONTEXT)), 'ENOTDIR /a.txt/x');
  t.equal(await codeOf(() => fs.readLink(parsePath('/a.txt'), CONTEXT)), 'EINVAL /a.txt');
  t.equal(await codeOf(() => fs.exec(parsePath('/'), 'find_path', [], CONTEXT)), 'ENOTSUP /');
});

t.test('what is not there is found to be nothing, and all else fails as it does for stat', async (t) => {
  const seen: string[] = [];
  const finding: Resolver = {
    ...fixedResolver('zone', {}, 0n),
    find(path) {
      seen.push(path);
      return path === 'there' ? folderInfo(0n) : undefined;
    },
    stat() {
      throw new Error('it is asked by find');
    },
  };
  const { fs, bugs } = subject([{ point: '/zone', resolver: finding }]);
  t.equal(await fs.find(parsePath('/none'), CONTEXT), undefined);
  t.equal((await fs.find(parsePath('/a.txt'), CONTEXT))?.kind, 'file');
  t.equal(await codeOf(() => fs.find(parsePath('/a.txt/x'), CONTEXT)), 'ENOTDIR /a.txt/x');
  t.equal(fs.find(parsePath('/zone/none'), CONTEXT), undefined);
  t.equal((await fs.find(parsePath('/zone/there'), CONTEXT))?.kind, 'directory');
  t.same(seen, ['none', 'there']);
  t.same(bugs, []);
});

t.test('a bug in a resolver is reported once and answered EIO, now or later', async (t) => {
  const broken = (fail: () => never | Promise<never>): Resolver => ({
    name: 'broken',
    stat: fail,
    list: fail,
    open: fail,
  });
  const throwing = () => {
    throw new TypeError('no such thing');
  };
  for (const fail of [throwing, async () => throwing()]) {
    const { fs, bugs } = subject([{ point: '/broken', resolver: broken(fail) }]);
    t.equal(await codeOf(() => fs.stat(parsePath('/broken/x'), CONTEXT)), 'EIO /broken/x');
    t.equal(bugs.length, 1);
    t.type(bugs[0], TypeError);
  }
});

t.test('a resolver that finds no file free to open is answered ENFILE', async (t) => {
  const fail = () => {
    throw new Error('Worker initialization failure: EMFILE');
  };
  const resolver: Resolver = { name: 'crowded', stat: fail, list: fail, open: fail };
  const { fs } = subject([{ point: '/crowded', resolver }]);
  t.equal(await codeOf(() => fs.stat(parsePath('/crowded/x'), CONTEXT)), 'ENFILE /crowded/x');
});

t.test('a resolver that answers at once is answered at once', async (t) => {
  const { fs } = subject();
  t.match(fs.stat(parsePath('/a.txt'), CONTEXT), fileInfo(1, 0n));
  t.same(fs.readLink(parsePath('/link'), CONTEXT), 'a.txt');
});

t.test('a change is refused as on a disk mounted read-only', async (t) => {
  const { fs } = subject();
  const refused = (attempt: (path: VfsPath) => unknown, path: string) =>
    codeOf(() => attempt(parsePath(path)));
  const write = (path: VfsPath) => fs.openToWrite(path, { append: false, truncate: false }, CONTEXT);
  const remove = (path: VfsPath) => fs.remove(path, CONTEXT);
  const makeFolder = (path: VfsPath) => fs.makeFolder(path, 0o755, CONTEXT);
  const create = (path: VfsPath) =>
    fs.create(path, { append: false, truncate: false, exclusive: true, mode: 0o644 }, CONTEXT);
  const createOrOpen = (path: VfsPath) =>
    fs.create(path, { append: false, truncate: false, exclusive: false, mode: 0o644 }, CONTEXT);
  t.equal(await refused(write, '/a.txt'), 'EROFS /a.txt');
  t.equal(await refused(remove, '/none'), 'ENOENT /none');
  t.equal(await refused(makeFolder, '/folder'), 'EEXIST /folder');
  t.equal(await refused(makeFolder, '/new'), 'EROFS /new');
  t.equal(await refused(create, '/a.txt'), 'EEXIST /a.txt');
  t.equal(await refused(createOrOpen, '/a.txt'), 'EROFS /a.txt');
  t.equal(await refused(createOrOpen, '/new'), 'EROFS /new');
  t.equal(await refused(create, '/none/new'), 'ENOENT /none/new');
  t.equal(await refused(create, '/a.txt/new'), 'ENOTDIR /a.txt/new');
});

t.test('a change reaches the resolver that serves the path; two parts of the tree stay two', async (t) => {
  const seen: string[] = [];
  const changeable = (name: string): Resolver => ({
    ...fixedResolver(name, { file: 'x' }, 0n),
    rename: (from, to) => void seen.push(`${name}: ${from} to ${to}`),
    link: (existing, path) => void seen.push(`${name}: ${path} for ${existing}`),
    remove: (path) => void seen.push(`${name}: no ${path}`),
    makeFolder: (path) => void seen.push(`${name}: folder ${path}`),
  });
  const { fs } = subject([
    { point: '/one', resolver: changeable('one') },
    { point: '/two', resolver: changeable('two') },
  ]);
  const at = parsePath;
  await fs.rename(at('/one/file'), at('/one/b'), CONTEXT);
  await fs.link(at('/two/file'), at('/two/b'), CONTEXT);
  await fs.remove(at('/two/file'), CONTEXT);
  await fs.makeFolder(at('/one/new'), 0o755, CONTEXT);
  t.same(seen, ['one: file to b', 'two: b for file', 'two: no file', 'one: folder new']);
  t.equal(await codeOf(() => fs.rename(at('/one/file'), at('/two/b'), CONTEXT)), 'EXDEV /one/file');
  t.equal(await codeOf(() => fs.link(at('/one/file'), at('/two/b'), CONTEXT)), 'EXDEV /two/b');
  t.equal(await codeOf(() => fs.rename(at('/one/file'), at('/none/b'), CONTEXT)), 'ENOENT /one/file');
  t.equal(await codeOf(() => fs.rename(at('/one'), at('/one/b'), CONTEXT)), 'EBUSY /one');
  t.equal(await codeOf(() => fs.remove(at('/two'), CONTEXT)), 'EBUSY /two');
  t.equal(await codeOf(() => fs.makeFolder(at('/one'), 0o755, CONTEXT)), 'EEXIST /one');
});

t.test(
  'whatever can be done to a file reaches a resolver that offers it, and is EROFS at others',
  async (t) => {
    const seen: unknown[][] = [];
    const note =
      (method: string) =>
      (...told: unknown[]): void =>
        void seen.push([method, ...told]);
    const offering: Resolver = {
      ...fixedResolver('zone', { file: 'x' }, 0n),
      truncate: note('truncate'),
      changeMode: note('changeMode'),
      changeOwner: note('changeOwner'),
      changeTimes: note('changeTimes'),
      setAttribute: note('setAttribute'),
      removeAttribute: note('removeAttribute'),
    };
    const { fs, bugs } = subject([{ point: '/zone', resolver: offering }]);
    const value = Buffer.from('v');
    const change: ((path: VfsPath) => unknown)[] = [
      (path) => fs.truncate(path, 3, CONTEXT),
      (path) => fs.changeMode(path, 0o600, CONTEXT),
      (path) => fs.changeOwner(path, { user: 1 }, CONTEXT),
      (path) => fs.changeTimes(path, { modifiedNs: 5n }, CONTEXT),
      (path) => fs.setAttribute(path, 'user.a', value, 'create', CONTEXT),
      (path) => fs.removeAttribute(path, 'user.a', CONTEXT),
    ];
    for (const make of change) {
      t.equal(await codeOf(() => make(parsePath('/zone/file'))), undefined);
      t.equal(await codeOf(() => make(parsePath('/a.txt'))), 'EROFS /a.txt');
      t.equal(await codeOf(() => make(parsePath('/none'))), 'ENOENT /none');
    }
    t.same(seen, [
      ['truncate', 'file', 3, CONTEXT],
      ['changeMode', 'file', 0o600, CONTEXT],
      ['changeOwner', 'file', { user: 1 }, CONTEXT],
      ['changeTimes', 'file', { modifiedNs: 5n }, CONTEXT],
      ['setAttribute', 'file', 'user.a', value, 'create', CONTEXT],
      ['removeAttribute', 'file', 'user.a', CONTEXT],
    ]);
    t.same(bugs, []);
  },
);

t.test(
  'what stat says of names is asked of the resolver at once, where it can say it and serves them all',
  (t) => {
    const asked: string[] = [];
    const resolver: Resolver = {
      ...fixedResolver('many', { 'a.txt': 'A', folder: { 'b.txt': 'B' } }, 0n),
      statNames(folder, names) {
        asked.push(`${folder}: ${names}`);
        if (folder === 'none') throw new FsError('ENOENT', folder, 'there is no such folder');
        if (folder === 'broken') throw new TypeError('a bug');
        return names.map((name) => (name === 'b.txt' ? fileInfo(7, 0n) : undefined));
      },
    };
    const slow: Resolver = { ...fixedResolver('slow', {}, 0n), stat: () => new Promise(() => {}) };
    const { fs, bugs } = subject([
      { point: '/many', resolver },
      { point: '/many/inner', resolver: fixedResolver('inner', { 'c.txt': 'C' }, 0n) },
      { point: '/slow', resolver: slow },
    ]);
    const kinds = (folder: string, ...names: string[]) =>
      fs.statNames(parsePath(folder), names, CONTEXT).map((info) => info?.kind);
    t.same(kinds('/many/folder', 'b.txt', 'none'), ['file', undefined]);
    t.same(kinds('/many/none', 'a', 'b'), [undefined, undefined]);
    t.same(kinds('/many/broken', 'a'), [undefined]);
    t.match(bugs, [TypeError], 'a bug is told');
    t.same(asked, ['folder: b.txt,none', 'none: a,b', 'broken: a']);
    t.same(
      kinds('/many', 'a.txt', 'inner', 'none'),
      ['file', 'directory', undefined],
      'one is served by another',
    );
    t.same(kinds('/', 'a.txt', 'none', 'link'), ['file', undefined, 'link'], 'one after the other');
    t.same(kinds('/slow', 'a'), [undefined], 'what takes time is not waited for');
    t.equal(asked.length, 3);
    t.end();
  },
);

t.test(
  'what else a resolver may say of a path, or do with it, is asked of the one that serves it',
  async (t) => {
    const seen: unknown[][] = [];
    const space = { totalBytes: 4, freeBytes: 3, totalFiles: 2, freeFiles: 1 };
    const attributes = new Map([['user.a', 'v']]);
    const file: WritableFile = {
      ...fileOfBytes(Buffer.from('')),
      stat: () => fileInfo(0, 0n),
      write: (bytes) => bytes.length,
      truncate() {},
      flush() {},
      sync() {},
    };
    const offering: Resolver = {
      ...fixedResolver('zone', { file: 'x' }, 0n),
      space(...told) {
        seen.push(['space', ...told]);
        return space;
      },
      attributes(...told) {
        seen.push(['attributes', ...told]);
        return attributes;
      },
      syncFolder: (...told) => void seen.push(['syncFolder', ...told]),
      create(...told) {
        seen.push(['create', ...told]);
        return file;
      },
      openToWrite(...told) {
        seen.push(['openToWrite', ...told]);
        return file;
      },
    };
    const { fs } = subject([{ point: '/zone', resolver: offering }]);
    const at = parsePath;
    const create = { append: false, truncate: false, exclusive: true, mode: 0o644 };
    const write = { append: true, truncate: false };
    for (const observed of [fs, fs.observedBy({ opened() {}, searched() {} })]) {
      t.equal(observed.space(at('/zone/file'), CONTEXT), space);
      t.equal(observed.attributes(at('/zone/file'), CONTEXT), attributes);
      t.equal(observed.syncFolder(at('/zone'), CONTEXT), undefined);
      t.equal(observed.create(at('/zone/new'), create, CONTEXT), file);
      t.equal(observed.openToWrite(at('/zone/file'), write, CONTEXT), file);
      t.same(seen.splice(0), [
        ['space', 'file', CONTEXT],
        ['attributes', 'file', CONTEXT],
        ['syncFolder', '', CONTEXT],
        ['create', 'new', create, CONTEXT],
        ['openToWrite', 'file', write, CONTEXT],
      ]);
      const read = await observed.open(at('/a.txt'), CONTEXT);
      t.equal(read.sizeBytes, 1);
      read.close();
    }
    t.equal(
      fs.syncFolder(at('/folder'), CONTEXT),
      undefined,
      'where there is nothing to be kept, it is done',
    );
    const nothing = { totalBytes: 0, freeBytes: 0, totalFiles: 0, freeFiles: 0 };
    t.same(fs.space(at('/folder'), CONTEXT), nothing, 'where nothing is said of space');
  },
);

t.test('what is opened is told to the observer, and what is refused is not', async (t) => {
  const told: string[] = [];
  const resolver = fixedResolver('root', { 'a.txt': 'A' }, 0n);
  const fs = new SystemFs([{ point: parsePath('/'), resolver }], () => {}, {
    opened: (path, how) => told.push(`${how} ${path}`),
    searched: ({ text }, scope, hits) => told.push(`${text} in ${scope}: ${hits}`),
  });
  await fs.open(parsePath('/a.txt'), CONTEXT);
  await codeOf(() => fs.open(parsePath('/none'), CONTEXT));
  await codeOf(() => fs.openToWrite(parsePath('/a.txt'), { append: false, truncate: true }, CONTEXT));
  await fs.search({ text: 'x', limit: 1 }, parsePath('/'), CONTEXT);
  t.same(told, ['read /a.txt', 'x in /: 0']);
  await fs.openUnnoted(parsePath('/a.txt'), CONTEXT);
  t.same(told.length, 2, 'nor what somebody may have opened');
  fs.noteRead(parsePath('/a.txt'), CONTEXT);
  t.same(told.slice(2), ['read /a.txt'], 'until it has');
  const unobserved = fs.observedBy(undefined);
  await unobserved.open(parsePath('/a.txt'), CONTEXT);
  unobserved.noteRead(parsePath('/a.txt'), CONTEXT);
  t.same(told.length, 3, 'nor what is opened where nobody observes');
});

t.test('what is opened ahead is opened for nobody, where a resolver can, and never fails', (t) => {
  const told: string[] = [];
  const known = { version: '1', hasBytes: false };
  const asked: unknown[] = [];
  const quick: Resolver = {
    ...fixedResolver('quick', {}, 0n),
    openAhead(path, version) {
      asked.push([path, version]);
      if (path === 'none') throw new FsError('ENOENT', path, 'it is gone');
      if (path === 'bug') throw new TypeError('a bug');
      return fileOfBytes(Buffer.from('A'));
    },
  };
  const bugs: VfsPath[] = [];
  const root = fixedResolver('root', { 'a.txt': 'A' }, 0n);
  const mounts = [
    { point: parsePath('/'), resolver: root },
    { point: parsePath('/quick'), resolver: quick },
  ];
  const fs = new SystemFs(mounts, (_, path) => bugs.push(path), {
    opened: (path, how) => told.push(`${how} ${path}`),
    searched: () => {},
  });
  t.equal(fs.openAhead(parsePath('/quick/a'), known)?.sizeBytes, 1);
  t.equal(fs.openAhead(parsePath('/quick/b'))?.sizeBytes, 1);
  for (const path of ['/quick/none', '/quick/bug', '/a.txt', '/none']) {
    t.equal(fs.openAhead(parsePath(path), known), undefined);
  }
  t.strictSame(asked, [
    ['a', known],
    ['b', undefined],
    ['none', known],
    ['bug', known],
  ]);
  t.strictSame(bugs, ['/quick/bug']);
  t.strictSame(told, []);
  t.end();
});

t.test('search asks the resolvers of the scope and puts the best first', async (t) => {
  const found = (name: string, score: number): Resolver => ({
    ...fixedResolver(name, {}, 0n),
    search: () => [{ path: 'hit' as SubPath, line: 1, kind: 'k', score, snippet: '' }],
  });
  const { fs } = subject([
    { point: '/one', resolver: found('one', 0.1) },
    { point: '/two', resolver: found('two', 0.9) },
  ]);
  const search = async (scope: string) =>
    (await fs.search({ text: 'x', limit: 5 }, parsePath(scope), CONTEXT)).map(({ path }) => path);
  t.same(await search('/'), ['/two/hit', '/one/hit']);
  t.same(await search('/one'), ['/one/hit']);
});

t.test('changes of a resolver are told with whole paths until one no longer listens', async (t) => {
  let tell: ((paths: readonly SubPath[]) => void) | undefined;
  const resolver: Resolver = {
    ...fixedResolver('live', {}, 0n),
    onChange(listener) {
      tell = listener;
      return () => {
        tell = undefined;
      };
    },
  };
  const { fs } = subject([{ point: '/live', resolver }]);
  const told: string[] = [];
  const stop = fs.onChange((paths) => told.push(...paths));
  tell?.(['a' as SubPath, '' as SubPath]);
  stop();
  t.same(told, ['/live/a', '/live']);
  t.equal(tell, undefined);
});

t.test('FsError keeps its reason and cause on the way', async (t) => {
  const cause = new Error('disk');
  const resolver: Resolver = {
    ...fixedResolver('x', {}, 0n),
    stat: () => {
      throw new FsError('EACCES', 'x', 'not yours', { cause });
    },
  };
  const { fs } = subject([{ point: '/x', resolver }]);
  t.throws(() => fs.stat(parsePath('/x/y'), CONTEXT), {
    code: 'EACCES',
    path: '/x/y',
    why: 'not yours',
    cause,
  });
});

t.test('who wants to know that the tree is used is told once', async (t) => {
  const { fs } = subject();
  const told: string[] = [];
  fs.tellNextUse(() => told.push('first'));
  t.same(told, []);
  await fs.stat(parsePath('/a.txt'), CONTEXT);
  await fs.list(parsePath('/folder'), CONTEXT);
  t.same(told, ['first']);
  fs.tellNextUse(() => told.push('second'));
  await codeOf(() => fs.open(parsePath('/missing'), CONTEXT));
  await fs.stat(parsePath('/a.txt'), CONTEXT);
  t.same(told, ['first', 'second']);
});
