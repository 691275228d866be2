import { constants } from 'node:fs';
import t from 'tap';
import { FsError } from '../../../src/core/errors.ts';
import { fileInfo, linkInfo } from '../../../src/core/node-info.ts';
import type { OpenFile } from '../../../src/core/resolver.ts';
import { OpenedFile } from '../../../src/fuse/linux/handles.ts';
import type { Node } from '../../../src/fuse/linux/node-table.ts';
import { type FakeServed, words } from './fake-served.ts';
import {
  DIRECT_IO,
  found,
  KEEP_CACHE,
  LiveFile,
  type OpenableTree,
  openOnce,
  put,
  subject,
  versionOf,
} from './opened-files.ts';

/** `/a` became a link, was a file once more when it was looked for, and leads to `/b` now. */
async function linkOnceMore(): Promise<{ served: FakeServed; tree: OpenableTree; next: Node }> {
  const { served, tree, node } = subject(versionOf('v1', 10));
  const isLink = (): never => {
    throw new FsError('ELOOP', '/a', 'this is a link');
  };
  tree.files.set('/a', isLink);
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  tree.put('/a', linkInfo('b', 2n));
  await found(served);
  put(tree, versionOf('v2', 20));
  const next = await found(served);
  tree.files.set('/a', isLink);
  tree.put('/a', linkInfo('b', 3n));
  tree.readLink = () => 'b';
  return { served, tree, next };
}

t.test('a file that is a link by now is read through it, though the kernel looks up no more', async (t) => {
  for (const isHeld of [false, true]) {
    const { served, tree, next } = await linkOnceMore();
    const old: OpenFile = { sizeBytes: 20, version: 'v2', read: () => 0, close() {} };
    if (isHeld) served.handles.addFile(new OpenedFile(next, old));
    tree.put('/b', versionOf('v3', 30));
    let reads = 0;
    tree.files.set('/b', () => ({
      sizeBytes: 30,
      version: 'v3',
      read() {
        reads += 1;
        return 0;
      },
      close() {},
    }));
    const { flags, handle } = await openOnce(served, next);
    await served.ask('read', next, words(handle, 0, 10, 0, 0));
    t.equal(reads, 1);
    t.equal(flags & (KEEP_CACHE | DIRECT_IO), isHeld ? DIRECT_IO : KEEP_CACHE);
    t.equal(next.info.sizeBytes, isHeld ? 20 : 30, 'who has the older version open keeps its size');
  }
});

t.test('a file that is a link by now is not read through it', async (t) => {
  const nowhere = await linkOnceMore();
  await t.rejects(openOnce(nowhere.served, nowhere.next), { name: 'Stale' }, 'where it leads to nothing');
  const live = await linkOnceMore();
  live.tree.putFile('/b', 1);
  const file = new LiveFile(fileInfo(10, 1n));
  live.tree.files.set('/b', () => file);
  await t.rejects(openOnce(live.served, live.next), { name: 'Stale' }, 'where that is no version');
  t.ok(file.did.includes('close'));
  const unfollowed = await linkOnceMore();
  unfollowed.tree.put('/b', versionOf('v3', 30));
  const nofollow = openOnce(unfollowed.served, unfollowed.next, constants.O_NOFOLLOW);
  await t.rejects(nofollow, { code: 'ELOOP' }, 'by who follows no links');
});

t.test('who is to write is given nothing to read behind a link', async (t) => {
  const { served, tree, next } = await linkOnceMore();
  tree.put('/b', versionOf('v3', 30));
  tree.openToWrite = (path) => {
    throw new FsError('ELOOP', path, 'this is a link');
  };
  await t.rejects(openOnce(served, next, constants.O_RDWR), { name: 'Stale' });
});

t.test('where the link leads nowhere, what others have open is read', async (t) => {
  const { served, next } = await linkOnceMore();
  const read: string[] = [];
  const held: OpenFile = {
    sizeBytes: 20,
    version: 'v2',
    read() {
      read.push('v2');
      return 0;
    },
    close() {},
  };
  served.handles.addFile(new OpenedFile(next, held));
  const { flags, handle } = await openOnce(served, next);
  await served.ask('read', next, words(handle, 0, 10, 0, 0));
  t.same(read, ['v2']);
  t.equal(flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
});

t.test('what such a link leads to is looked for three times', async (t) => {
  for (const thereAt of [3, 4]) {
    const { served, tree, next } = await linkOnceMore();
    let looks = 0;
    tree.readLink = () => {
      looks += 1;
      if (looks === thereAt) {
        tree.put('/b', versionOf('v3', 30));
        tree.files.set('/b', () => ({ sizeBytes: 30, version: 'v3', read: () => 0, close() {} }));
      }
      return 'b';
    };
    const opened = openOnce(served, next);
    if (thereAt === 3) t.equal((await opened).flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
    else await t.rejects(opened, { name: 'Stale' });
    t.equal(looks, 3);
    t.equal(next.info.sizeBytes, thereAt === 3 ? 30 : 20);
  }
});
