import { constants } from 'node:fs';
import t from 'tap';
import type { WritableFile, WriteWay } from '../../../src/core/changes.ts';
import { FsError } from '../../../src/core/errors.ts';
import { fileInfo } from '../../../src/core/node-info.ts';
import type { Awaitable } from '../../../src/core/resolver.ts';
import { OpenedFile } from '../../../src/fuse/linux/handles.ts';
import { words } from './fake-served.ts';

import { keepsPages, LiveFile, NO_FLUSH, open, release, subject } from './opened-files.ts';

const { O_APPEND, O_RDWR, O_WRONLY } = constants;
/** Of fuse_kernel.h. */
const WRITE_CACHE = 1;

t.test('a live file that others changed is read anew, whatever stat has told meanwhile', async (t) => {
  const { served, tree, node, file } = subject();
  const first = await open(served, node);
  t.ok(keepsPages(served, first));
  await release(served, node, first.handle);
  file.info = fileInfo(10, 2n);
  tree.put('/a', file.info);
  await served.answer('getattr', node, words(0, 0));
  t.equal(node.info.modifiedNs, 2n);
  const second = await open(served, node);
  t.notOk(keepsPages(served, second));
  await release(served, node, second.handle);
  t.ok(keepsPages(served, await open(served, node)));
});

t.test('what was written through the mount stays in its cache', async (t) => {
  const { served, node, file } = subject();
  const handle = served.handles.addFile(new OpenedFile(node, file, 'to write'));
  await served.ask('write', node, Buffer.concat([words(handle, 10, 10, 0, 0), Buffer.alloc(10)]));
  file.info = fileInfo(20, 2n);
  await served.answer('flush', node, words(handle, 0, 0));
  await release(served, node, handle);
  t.ok(keepsPages(served, await open(served, node)));
});

t.test('what was written to a file that needs no flush stays in the cache, too', async (t) => {
  const { served, tree, node, file } = subject();
  file.needsNoFlush = true;
  tree.written = file;
  const { handle, flags } = await open(served, node, O_RDWR);
  t.equal(flags & NO_FLUSH, NO_FLUSH);
  await served.ask('write', node, Buffer.concat([words(handle, 10, 10, 0, 0), Buffer.alloc(10)]));
  file.info = fileInfo(20, 2n);
  await release(served, node, handle);
  t.ok(keepsPages(served, await open(served, node)));
});

t.test('close(2) of a file that needs a flush waits for it', async (t) => {
  const { served, node } = subject();
  t.equal((await open(served, node)).flags & NO_FLUSH, 0);
});

t.test('what others wrote while a reader had the file open is read anew after it', async (t) => {
  const { served, node, file } = subject();
  file.needsNoFlush = true;
  const { handle } = await open(served, node);
  file.info = fileInfo(20, 2n);
  await release(served, node, handle);
  t.notOk(keepsPages(served, await open(served, node)));
});

t.test(
  'what somebody may write is all data once it was read: what is mapped the kernel writes when it likes',
  async (t) => {
    const { served, tree, node, file } = subject();
    const seeking = Object.assign(file, { seek: () => 7 });
    const { handle } = await open(served, node);
    const seek = async (position: number, whence: number): Promise<bigint> =>
      (await served.answer('lseek', node, words(handle, position, whence))).readBigUInt64LE(0);
    t.equal(await seek(1, 3), 7n);
    tree.written = seeking;
    const writer = await open(served, node, O_RDWR);
    t.equal(await seek(1, 3), 7n, 'nothing that was not read is mapped');
    await served.answer('read', node, words(writer.handle, 0, 4096));
    t.equal(await seek(1, 3), 1n);
    t.equal(await seek(1, 4), 10n);
    await t.rejects(seek(10, 3), { code: 'ENXIO' });
    await release(served, node, writer.handle);
    t.equal(await seek(1, 3), 7n);
  },
);

t.test('a copy keeps its source open, also when that is closed meanwhile', async (t) => {
  const { served, node, file } = subject();
  const target = new LiveFile(fileInfo(0, 1n));
  let finish: (count: number) => void = () => {};
  target.copying = new Promise((resolve) => {
    finish = resolve;
  });
  const from = served.handles.addFile(new OpenedFile(node, file));
  const to = served.handles.addFile(new OpenedFile(node, target, 'to write'));
  const copied = served.answer('copyFileRange', node, words(from, 0, node.id, to, 0, 100, 0));
  await release(served, node, from);
  t.same(file.did, []);
  finish(100);
  t.equal((await copied).readUInt32LE(0), 100);
  await new Promise(setImmediate);
  t.same(file.did, ['close']);
});

t.test('a write that is refused has the kernel forget what it took for written', async (t) => {
  const { served, node, file } = subject();
  file.write = () => {
    throw new FsError('ENOSPC', '/a', 'full');
  };
  const handle = served.handles.addFile(new OpenedFile(node, file, 'to write'));
  const body = Buffer.concat([words(handle, 0, 3, 0, 0), Buffer.from('abc')]);
  await t.rejects(async () => await served.ask('write', node, body), { code: 'ENOSPC' });
  t.same(served.notices, ['invalidate attributes /a', 'invalidate soon /a']);
});

t.test(
  'what changes a file with set-user-ID or set-group-ID has the kernel ask for its mode again, which may be another',
  async (t) => {
    const { served, tree, node, file } = subject();
    const writable = Object.assign(file, { allocate() {}, copying: Promise.resolve(3) });
    const handle = served.handles.addFile(new OpenedFile(node, writable, 'to write'));
    const changes = {
      write: Buffer.concat([words(handle, 0, 3, 0, 0), Buffer.from('abc')]),
      fallocate: words(handle, 0, 100, 0),
      copyFileRange: words(handle, 0, node.id, handle, 0, 3, 0),
    };
    for (const mode of [0o644, 0o1755, 0o4755, 0o2755, 0o2644]) {
      tree.put('/a', { ...file.info, mode });
      await served.answer('getattr', node, words(0, 0));
      for (const change of ['write', 'fallocate', 'copyFileRange'] as const) {
        served.notices.length = 0;
        await served.ask(change, node, changes[change]);
        const isAsked = (mode & 0o6000) !== 0;
        t.same(
          served.notices,
          isAsked ? ['invalidate attributes /a'] : [],
          `${change} of ${mode.toString(8)}`,
        );
      }
    }
  },
);

t.test(
  'what goes to the end of a file is what a descriptor with O_APPEND writes, and not what was stored in a mapping',
  async (t) => {
    const { served, node, file } = subject();
    const handle = served.handles.addFile(new OpenedFile(node, file, 'to write'));
    const writes: (WriteWay | undefined)[] = [];
    const writable: Pick<WritableFile, 'write'> = file;
    writable.write = (bytes, _position, _context, way) => {
      writes.push(way);
      return bytes.length;
    };
    for (const [writeFlags, openFlags] of [
      [0, O_WRONLY | O_APPEND],
      [0, O_WRONLY],
      [WRITE_CACHE, 0],
      [WRITE_CACHE, O_RDWR | O_APPEND],
    ] as const) {
      const body = Buffer.concat([words(handle, 0, 0, 0, 0), Buffer.from('abc')]);
      body.writeUInt32LE(3, 16);
      body.writeUInt32LE(writeFlags, 20);
      body.writeUInt32LE(openFlags, 32);
      await served.answer('write', node, body);
    }
    t.same(writes, ['as opened', 'in place', 'mapped', 'mapped']);
  },
);

t.test('reads and writes that answer nonsense are bugs, and no memory is shown', async (t) => {
  const { served, node, file } = subject();
  const handle = served.handles.addFile(new OpenedFile(node, file, 'to write'));
  for (const count of [-1, 1.5, 101, Number.NaN]) {
    file.read = () => count;
    file.write = () => count;
    await t.rejects(async () => await served.ask('read', node, words(handle, 0, 100, 0, 0)), TypeError);
    const body = Buffer.concat([words(handle, 0, 3, 0, 0), Buffer.from('abc')]);
    await t.rejects(async () => await served.ask('write', node, body), TypeError);
  }
});

t.test('the memory of a read that is answered later is used again', async (t) => {
  const { served, node, file } = subject();
  const handle = served.handles.addFile(new OpenedFile(node, file));
  file.read = () => 3;
  await served.answer('read', node, words(handle, 0, 100));
  t.equal(served.givenBack, 0);
  const later: { read: () => Awaitable<number> } = file;
  later.read = async () => 3;
  await served.answer('read', node, words(handle, 0, 100));
  t.equal(served.givenBack, 1);
  later.read = () => Promise.reject(new FsError('EIO', '/a', 'broken'));
  await t.rejects(async () => await served.ask('read', node, words(handle, 0, 100)), { code: 'EIO' });
  t.equal(served.givenBack, 2);
});
