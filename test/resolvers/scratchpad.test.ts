import { join } from 'node:path';
import t from 'tap';
import type { AttributeUse } from '../../src/core/changes.ts';
import { parsePath, ROOT } from '../../src/core/paths.ts';
import { scratchpadResolver } from '../../src/resolvers/scratchpad.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';
import { emptyPad, NEW_FILE, PLAIN } from '../scratchpad/fixture.ts';

const CONTEXT = {};
const POINT = parsePath('/context/scratchpad');

function path(text: string) {
  return parsePath(join(POINT, text));
}

function mounted(t: { teardown(action: () => unknown): void; fail(message: string): unknown }): SystemFs {
  const { pad } = emptyPad(t);
  const other = emptyPad(t).pad;
  const mounts = [
    { point: ROOT, resolver: scratchpadResolver({ files: () => other, renewed: () => undefined }) },
    { point: POINT, resolver: scratchpadResolver({ files: () => pad, renewed: () => undefined }) },
  ];
  return new SystemFs(mounts, (error) => t.fail(String(error)));
}

t.test('everything that a disk can do can be done below the mount', async (t) => {
  const fs = mounted(t);
  await fs.makeFolder(path('folder'), 0o755, CONTEXT);
  const file = await fs.create(path('folder/a'), NEW_FILE, CONTEXT);
  t.equal(await file.write(Buffer.from('content'), 0, CONTEXT), 7);
  await file.flush(CONTEXT);
  await file.sync(CONTEXT);
  await file.truncate(4, CONTEXT);
  file.close();
  await fs.link(path('folder/a'), path('b'), CONTEXT);
  await fs.symlink('../x', path('link'), CONTEXT);
  await fs.makeNode(path('pipe'), { kind: 'pipe', mode: 0o600, device: 0 }, CONTEXT);
  await fs.rename(path('b'), path('c'), CONTEXT);
  await fs.changeMode(path('c'), 0o640, CONTEXT);
  await fs.changeOwner(path('c'), {}, CONTEXT);
  await fs.changeTimes(path('c'), { accessedNs: 1000n, modifiedNs: 2000n }, CONTEXT);
  t.match(await fs.stat(path('folder/a'), CONTEXT), { sizeBytes: 4, modifiedNs: 2000n, mode: 0o640 });
  await fs.truncate(path('c'), 2, CONTEXT);
  const writer = await fs.openToWrite(path('c'), { ...PLAIN, append: true }, CONTEXT);
  await writer.write(Buffer.from('!'), 0, CONTEXT);
  writer.close();
  const bytes = Buffer.alloc(10);
  const reader = await fs.open(path('c'), CONTEXT);
  t.equal(bytes.toString('utf8', 0, await reader.read(bytes, 0)), 'co!');
  reader.close();
  t.equal(await fs.readLink(path('link'), CONTEXT), '../x');
  t.same(await fs.list(POINT, CONTEXT), [
    { name: 'c', kind: 'file' },
    { name: 'folder', kind: 'directory' },
    { name: 'link', kind: 'link' },
    { name: 'pipe', kind: 'pipe' },
  ]);
  t.equal((await fs.space(path('c'), CONTEXT)).totalBytes, 1024 ** 3);
  for (const name of ['c', 'link', 'pipe', 'folder/a']) await fs.remove(path(name), CONTEXT);
  await fs.removeFolder(path('folder'), CONTEXT);
  t.same(await fs.list(POINT, CONTEXT), []);
});

t.test("attributes are the disk's, those that begin with user.", async (t) => {
  const fs = mounted(t);
  (await fs.create(path('a'), NEW_FILE, CONTEXT)).close();
  t.equal((await fs.attributes(path('a'), CONTEXT)).size, 0);
  const set = async (name: string, bytes: number[], use: AttributeUse = 'either') =>
    fs.setAttribute(path('a'), name, Uint8Array.from(bytes), use, CONTEXT);
  await set('user.x', [0, 255, 0]);
  await set('user.empty', []);
  t.same([...(await fs.attributes(path('a'), CONTEXT))].sort(), [
    ['user.empty', Buffer.alloc(0)],
    ['user.x', Buffer.from([0, 255, 0])],
  ]);
  await t.rejects(() => set('user.x', [1], 'create'), { code: 'EEXIST', path: '/context/scratchpad/a' });
  await t.rejects(() => set('user.y', [1], 'replace'), { code: 'ENODATA' });
  await t.rejects(() => set('trusted.x', [1]), { code: 'ENOTSUP' });
  await t.rejects(() => set('user.\0x', [1]), { code: 'EINVAL' });
  await t.rejects(() => set('user.\uFFFD', [1]), { code: 'EILSEQ' });
  await t.rejects(() => set(`user.${'x'.repeat(251)}`, [1]), { code: 'ERANGE' });
  await set('user.large', new Array(3000).fill(1));
  await t.rejects(() => set('user.more', new Array(3000).fill(1)), { code: 'ENOSPC' });
  await set('user.large', new Array(3500).fill(1));
  await fs.removeAttribute(path('a'), 'user.x', CONTEXT);
  await t.rejects(async () => fs.removeAttribute(path('a'), 'user.x', CONTEXT), { code: 'ENODATA' });
  await t.rejects(async () => fs.removeAttribute(path('a'), 'trusted.x', CONTEXT), { code: 'ENOTSUP' });
  await t.rejects(async () => fs.attributes(path('none'), CONTEXT), { code: 'ENOENT' });
});

t.test('errors name the whole path, and the scratchpad itself stays', async (t) => {
  const fs = mounted(t);
  await t.rejects(async () => fs.remove(path('none'), CONTEXT), {
    code: 'ENOENT',
    path: '/context/scratchpad/none',
  });
  await t.rejects(async () => fs.removeFolder(POINT, CONTEXT), { code: 'EBUSY' });
  await t.rejects(async () => fs.makeFolder(POINT, 0o755, CONTEXT), { code: 'EEXIST' });
  (await fs.create(path('a'), NEW_FILE, CONTEXT)).close();
  await t.rejects(async () => fs.rename(path('a'), parsePath('/a'), CONTEXT), { code: 'EXDEV' });
  await t.rejects(async () => fs.link(path('a'), parsePath('/a'), CONTEXT), { code: 'EXDEV' });
});

t.test(
  'whether there is another folder is asked only where something is missing, and of the folder itself',
  async (t) => {
    const { pad } = emptyPad(t);
    let looks = 0;
    const renewed = () => {
      looks += 1;
      return undefined;
    };
    const mounts = [{ point: ROOT, resolver: scratchpadResolver({ files: () => pad, renewed }) }];
    const fs = new SystemFs(mounts, (error) => t.fail(String(error)));
    const file = await fs.create(parsePath('/a'), NEW_FILE, CONTEXT);
    file.close();
    await fs.stat(parsePath('/a'), CONTEXT);
    await fs.rename(parsePath('/a'), parsePath('/b'), CONTEXT);
    await fs.remove(parsePath('/b'), CONTEXT);
    t.equal(looks, 0);
    await t.rejects(async () => fs.remove(parsePath('/b'), CONTEXT), { code: 'ENOENT' });
    t.equal(looks, 1);
    await fs.list(ROOT, CONTEXT);
    t.equal(looks, 2);
  },
);

t.test('what one whose folder is gone does not know, or refuses, another one is asked for', async (t) => {
  const [gone, other] = [emptyPad(t).pad, emptyPad(t).pad];
  const treeOf = (files: typeof gone) =>
    new SystemFs(
      [{ point: ROOT, resolver: scratchpadResolver({ files: () => files, renewed: () => other }) }],
      (error) => t.fail(String(error)),
    );
  const [before, now] = [treeOf(gone), treeOf(other)];
  const name = parsePath('/a');
  const file = await now.create(name, NEW_FILE, CONTEXT);
  file.close();
  t.match(await before.find(name, CONTEXT), { kind: 'file' }, 'not known');
  await before.remove(name, CONTEXT);
  t.same(await now.list(ROOT, CONTEXT), [], 'refused');
});
