import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { docsAsFound, placeOf, placeOnDisk } from '../../src/core/docs-selection.ts';
import { FsError, UserError } from '../../src/core/errors.ts';
import { DocsFolders } from '../../src/source/docs-folders.ts';
import type { DocsProblem } from '../../src/source/docs-problem.ts';
import { findRoot, openSelected } from '../../src/source/selected-root.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

function twoRoots(t: Teardown, files: readonly string[], excluded: readonly string[] = []) {
  const folder = temporaryFolder(t);
  for (const path of ['api', 'web', ...files.map((file) => dirname(file))])
    mkdirSync(join(folder, path), { recursive: true });
  for (const path of files) writeFileSync(join(folder, path), path);
  const selection = {
    folders: ['web', 'api'].map((name) => ({ name, folder: join(folder, name) })),
    include: [],
    exclude: [],
  };
  const problems: DocsProblem[] = [];
  const docs = new DocsFolders(selection, {
    excluded: excluded.map((path) => join(folder, path)),
    report: (problem) => problems.push(problem),
  });
  t.teardown(() => docs.close());
  return { folder, selection, docs, problems };
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof FsError) return error.code;
    throw error;
  }
  return undefined;
}

const scanned = (docs: DocsFolders, at = '') => [...docs.scan({ at })].map(({ path }) => path);

t.test('several roots are one folder that shows each by its name', async (t) => {
  const { docs } = twoRoots(t, ['api/a.md', 'web/x/b.md']);
  t.same(docs.list(''), [
    { name: 'api', kind: 'directory' },
    { name: 'web', kind: 'directory' },
  ]);
  t.equal(docs.stat('').kind, 'directory');
  t.equal(docs.stat('api').kind, 'directory');
  t.same(docs.list('web/x'), [{ name: 'b.md', kind: 'file' }]);
  t.same(
    docs.statNames('', ['web', 'other', 'api']).map((info) => info?.kind),
    ['directory', undefined, 'directory'],
  );
  t.match(docs.statNames('web/x', ['none', 'b.md']), [undefined, { kind: 'file', sizeBytes: 10 }]);
  t.equal(
    codeOf(() => docs.statNames('other', [])),
    'ENOENT',
  );
  t.equal(docs.readContent('web/x/b.md', 100).bytes.toString(), 'web/x/b.md');
  t.same(scanned(docs), ['web/x/b.md', 'api/a.md']);
  t.same(scanned(docs, 'api'), ['api/a.md']);
  t.same(scanned(docs, 'web/x/b.md'), ['web/x/b.md']);
  t.same(scanned(docs, 'other'), []);
  for (const path of ['other', 'a.md', 'api/../web/x', '..'])
    t.equal(
      codeOf(() => docs.stat(path)),
      'ENOENT',
      path,
    );
  for (const read of [() => docs.open(''), () => docs.readContent('api', 10)])
    t.equal(codeOf(read), 'EISDIR');
});

t.test('no link leads from one root to another, and each has its own ignore files', async (t) => {
  const { folder, docs, problems } = twoRoots(t, ['api/a.md', 'api/kept.txt', 'web/b.md', 'web/kept.txt']);
  writeFileSync(join(folder, 'api/.kgraphfsignore'), 'kept.txt\n');
  symlinkSync('../web/b.md', join(folder, 'api/to-web.md'));
  symlinkSync('a.md', join(folder, 'api/inside.md'));
  t.same(
    docs.list('api').map(({ name }) => name),
    ['.kgraphfsignore', 'a.md', 'inside.md'],
  );
  t.equal(docs.readLink('api/inside.md'), 'a.md');
  t.ok(docs.list('web').some(({ name }) => name === 'kept.txt'));
  t.match(problems, [{ path: 'api/to-web.md', code: 'link-outside' }]);
});

t.test('a root in another is no part of it, and what is excluded is in no root', async (t) => {
  const { folder } = twoRoots(t, ['web/a.md', 'web/in/b.md', 'web/mnt/c.md']);
  const selection = {
    folders: [
      { name: 'all', folder: join(folder, 'web') },
      { name: 'in', folder: join(folder, 'web/in') },
    ],
    include: [],
    exclude: [],
  };
  const docs = new DocsFolders(selection, { excluded: [join(folder, 'web/mnt')] });
  t.teardown(() => docs.close());
  t.same(scanned(docs), ['all/a.md', 'in/b.md']);
  t.match(placeOnDisk(selection, join(folder, 'web/in/b.md')), { root: { name: 'in' }, path: 'b.md' });
  t.match(placeOnDisk(selection, join(folder, 'web/inn.md')), { root: { name: 'all' }, path: 'inn.md' });
  t.equal(placeOnDisk(selection, join(folder, 'api/a.md')), undefined);
  t.match(placeOf(selection, 'in/b.md'), { root: { name: 'in' }, path: 'b.md' });
  t.equal(placeOf(selection, ''), undefined);
});

t.test('a root that is gone leaves the others; a scan of all fails unless it may skip', async (t) => {
  const { folder, selection, docs } = twoRoots(t, ['api/a.md', 'web/b.md']);
  renameSync(join(folder, 'api'), join(folder, 'gone'));
  t.throws(() => scanned(docs), UserError);
  t.same(scanned(docs, 'web'), ['web/b.md']);
  const missing: string[] = [];
  const onMissing = (path: string) => missing.push(path);
  t.same(
    Array.from(docs.scan({ onMissing }), ({ path }) => path),
    ['web/b.md'],
  );
  t.same(missing, ['api']);
  const only = { name: '', folder: join(folder, 'api') };
  const one = new DocsFolders({ ...selection, folders: [only] }, { excluded: [] });
  t.teardown(() => one.close());
  t.throws(() => scanned(one), UserError);
  t.same([...one.scan({ onMissing })], [], 'and so may one of the only root');
  t.same(missing, ['api', '']);
  renameSync(join(folder, 'gone'), join(folder, 'api'));
  await docs.reopen();
  t.same(scanned(docs), ['web/b.md', 'api/a.md']);
});

t.test('what the settings leave out is as if it were not there, for every question', async (t) => {
  const { folder, selection } = twoRoots(t, [
    'api/a.md',
    'api/a.txt',
    'api/old/b.md',
    'web/old/c.md',
    'web/x.md',
  ]);
  symlinkSync('old/b.md', join(folder, 'api/link.md'));
  symlinkSync('old', join(folder, 'api/folder'));
  writeFileSync(join(folder, 'web/.kgraphfsignore'), 'x.md\n');
  const docs = new DocsFolders(
    { ...selection, include: ['*.md'], exclude: ['api/old/**'] },
    { excluded: [] },
  );
  t.teardown(() => docs.close());
  t.same(docs.list('api'), [{ name: 'a.md', kind: 'file' }]);
  t.same(scanned(docs), ['web/old/c.md', 'api/a.md'], 'ignore files hide what is included, too');
  t.same(scanned(docs, 'api/old/b.md'), []);
  for (const path of ['api/a.txt', 'api/old', 'api/old/b.md', 'api/link.md', 'api/folder', 'web/x.md']) {
    t.equal(
      codeOf(() => docs.stat(path)),
      'ENOENT',
      path,
    );
    t.equal(
      codeOf(() => docs.open(path)),
      'ENOENT',
      path,
    );
    t.equal(
      codeOf(() => docs.readContent(path, 100)),
      'ENOENT',
      path,
    );
  }
  t.equal(docs.readContent('web/old/c.md', 100).bytes.toString(), 'web/old/c.md');
});

t.test(
  'what comes to lie where a root is looked for is refused as it would be where one is named',
  async (t) => {
    const { folder, selection } = twoRoots(t, ['repo/.own/o.md', '.keys/key.md', 'state/s.md']);
    const root = { name: 'in', folder: join(folder, 'repo/in'), base: join(folder, 'repo') };
    const leadTo = (target: string): string[] | string => {
      rmSync(root.folder, { force: true });
      symlinkSync(join(folder, target), root.folder);
      const folders = [...selection.folders, root];
      try {
        const opened = openSelected({ ...selection, folders }, root, { excluded: [join(folder, 'state')] });
        t.teardown(() => opened.close());
        return opened.list('').map(({ name }) => name);
      } catch (error) {
        if (error instanceof UserError) return error.message;
        throw error;
      }
    };
    t.same(leadTo('repo/.own'), ['o.md']);
    t.match(leadTo('.keys'), /repo\/in leads to .*\.keys, a hidden folder outside of .*repo$/);
    t.match(leadTo('api'), /leads to .*\/api, another docs root$/);
    t.match(leadTo('state'), /leads to .*\/state, which is no docs but part of .*\/state$/);
  },
);

t.test(
  'a root that was found is refused all the same where a link takes its place before it is read',
  async (t) => {
    const { folder, selection } = twoRoots(t, ['.keys/key.md']);
    const root = {
      name: 'in',
      folder: join(folder, 'was'),
      way: join(folder, 'way'),
      base: join(folder, 'repo'),
    };
    const place = join(folder, 'repo/in');
    mkdirSync(dirname(place));
    const folders = [...selection.folders, root];
    const docs = docsAsFound({ ...selection, folders }, new Map([['in', place]]));
    symlinkSync(join(folder, '.keys'), place);
    const found = new DocsFolders(docs, { excluded: [] });
    t.teardown(() => found.close());
    t.throws(() => scanned(found, 'in'), { message: /a hidden folder outside of .*repo$/ });
    rmSync(place);
    mkdirSync(place);
    writeFileSync(join(place, 'a.md'), '');
    t.same(scanned(found, 'in'), ['in/a.md']);
  },
);

t.test('a root that is away is not looked for in the one that it lies in', async (t) => {
  const { folder, selection } = twoRoots(t, ['api/a.md', 'api/in/b.md']);
  const inner = { name: 'in', folder: join(folder, 'api/in'), way: join(folder, 'way') };
  const all = { ...selection, folders: [...selection.folders, inner] };
  const found = new Map(selection.folders.map((root) => [root.name, root.folder]));
  const docs = new DocsFolders(docsAsFound(all, found), { excluded: [] });
  t.teardown(() => docs.close());
  t.same(scanned(docs, 'api'), ['api/a.md']);
  const [, api] = selection.folders;
  if (api === undefined) throw new Error('there is a root');
  const opened = openSelected(all, api, { excluded: [] }, await findRoot(all, api));
  t.teardown(() => opened.close());
  t.same(
    opened.list('').map(({ name }) => name),
    ['a.md'],
  );
});

t.test('a root may come to lie where another one lay that is away', async (t) => {
  const { folder, selection } = twoRoots(t, ['web/a.md', 'web/in/b.md']);
  const [web, api] = selection.folders;
  if (web === undefined || api === undefined) throw new Error('there are two roots');
  const asFound = docsAsFound(selection, new Map([[api.name, web.folder]]));
  const docs = new DocsFolders(asFound, { excluded: [] });
  t.teardown(() => docs.close());
  t.same(scanned(docs, api.name), [`${api.name}/a.md`, `${api.name}/in/b.md`]);
  const moved = { ...api, way: web.folder };
  const all = { ...selection, folders: [{ ...web, way: join(folder, 'nothing') }, moved] };
  const opened = openSelected(all, moved, { excluded: [] }, await findRoot(all, moved));
  t.teardown(() => opened.close());
  t.same(
    opened.list('').map(({ name }) => name),
    ['a.md', 'in'],
  );
});

t.test('a root that still lies where it did when it was named may lie in what is excluded', async (t) => {
  const { folder, selection } = twoRoots(t, ['web/a.md']);
  const [web] = selection.folders;
  if (web === undefined) throw new Error('there is a root');
  const opened = openSelected(selection, web, { excluded: [folder] });
  t.teardown(() => opened.close());
  t.same(
    opened.list('').map(({ name }) => name),
    ['a.md'],
    'such as the docs of a mount of another project',
  );
});
