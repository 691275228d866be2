import { constants } from 'node:fs';
import t from 'tap';
import { FsError } from '../../../src/core/errors.ts';
import { fileInfo, folderInfo, linkInfo } from '../../../src/core/node-info.ts';
import type { NodeInfo, OpenFile } from '../../../src/core/resolver.ts';
import { OpenedFile } from '../../../src/fuse/linux/handles.ts';
import type { Node } from '../../../src/fuse/linux/node-table.ts';
import { type FakeServed, nameBytes, words } from './fake-served.ts';
import {
  DIRECT_IO,
  found,
  KEEP_CACHE,
  type OpenableTree,
  open,
  openOnce,
  put,
  release,
  subject,
  versionOf,
} from './opened-files.ts';

t.test('who was sent back reads what it found, whatever has its name since', async (t) => {
  const v = (version: string): NodeInfo => ({ ...fileInfo(10, 1n), version });
  for (const became of ['gone', 'a link'] as const) {
    const { served, tree, node } = subject(v('v1'));
    const versions: string[] = [];
    let closed = 0;
    const openAs = (version: string) => (): OpenFile => ({
      sizeBytes: 10,
      version,
      read() {
        versions.push(version);
        return 0;
      },
      close() {
        closed += 1;
      },
    });
    const becomes = (code: 'ELOOP' | 'ENOENT') => (): never => {
      throw new FsError(code, '/a', 'it is no file');
    };
    tree.files.set('/a', becomes('ELOOP'));
    await t.rejects(openOnce(served, node), { name: 'Stale' });
    tree.put('/a', v('v2'));
    tree.files.set('/a', openAs('v2'));
    const next = await found(served);
    tree.files.set('/a', becomes(became === 'gone' ? 'ENOENT' : 'ELOOP'));
    tree.put('/a', linkInfo('b', 2n));
    const attributes = await served.answer('getattr', next, words(0, 0));
    t.equal(attributes.readBigUInt64LE(16 + 8), 10n, 'it is asked for its mode on the way');
    const opened = await openOnce(served, next);
    t.equal(opened.flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE, became);
    await served.ask('read', next, words(opened.handle, 0, 10, 0, 0));
    t.same(versions, ['v2']);
    t.equal(closed, 0);
    await release(served, next, opened.handle);
    t.equal(closed, 1);
    await t.rejects(openOnce(served, next), { name: 'Stale' }, 'what it opens next is another matter');
  }
});

t.test(
  'a node does not become another version, whose size the kernel shows later than its bytes',
  async (t) => {
    const { served, tree, node } = subject(versionOf('v1', 10));
    const bytesRead: string[] = [];
    put(tree, versionOf('v2', 20), (version) => bytesRead.push(version));
    await t.rejects(openOnce(served, node), { name: 'Stale' }, 'though nobody has it open');
    t.same([node.info.version, served.notices], ['v1', []]);
    const next = await found(served);
    put(tree, versionOf('v3', 30));
    const { flags, handle } = await openOnce(served, next);
    t.equal(flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
    await served.ask('read', next, words(handle, 0, 10, 0, 0));
    t.same(bytesRead, ['v2'], 'which was there after open(2) had begun');
    t.same([next.info.version, next.info.sizeBytes, served.notices], ['v2', 20, []]);
  },
);

t.test('a live file that is a link to a version by now does not become that', async (t) => {
  const { served, tree, node } = subject();
  tree.files.set('/a', () => {
    throw new FsError('ELOOP', '/a', 'this is a link');
  });
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  await found(served);
  tree.put('/a', linkInfo('b', 2n));
  tree.readLink = () => 'b';
  tree.put('/b', versionOf('v3', 30));
  tree.files.set('/b', () => ({ sizeBytes: 30, version: 'v3', read: () => 0, close() {} }));
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  t.equal(node.info.version, undefined);
});

t.test('what is gone when who was sent back opens it is said to be gone', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10));
  tree.files.set('/a', () => {
    throw new FsError('ENOENT', '/a', 'it is gone');
  });
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  tree.put('/a', versionOf('v2', 20));
  const next = await found(served);
  await t.rejects(openOnce(served, next), { code: 'ENOENT' });
});

t.test('what is refused is refused at once, though others have it open', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10));
  const held: OpenFile = { sizeBytes: 10, version: 'v1', read: () => 0, close() {} };
  served.handles.addFile(new OpenedFile(node, held));
  tree.files.set('/a', () => {
    throw new FsError('EACCES', '/a', 'no');
  });
  await t.rejects(openOnce(served, node), { code: 'EACCES' });
});

t.test('a version whose name is taken just now is opened as what has that name', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10));
  put(tree, versionOf('v1', 10));
  served.nodes.removeName(served.nodes.root, 'a');
  t.equal((await openOnce(served, node)).flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
});

/** Sent back from `/a`, found as v2, which is kept open for who comes again; then somebody else had it become v3. */
async function becameAnother(): Promise<{
  served: FakeServed;
  tree: OpenableTree;
  next: Node;
  did: string[];
}> {
  const { served, tree, node } = subject(versionOf('v1', 10));
  const did: string[] = [];
  const fileOf = (version: string, sizeBytes: number) => (): OpenFile => ({
    sizeBytes,
    version,
    read() {
      did.push(`read ${version}`);
      return 0;
    },
    close() {
      did.push(`close ${version}`);
    },
  });
  put(tree, versionOf('v2', 20));
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  tree.files.set('/a', fileOf('v2', 20));
  const next = await found(served);
  next.info = versionOf('v3', 30);
  tree.put('/a', next.info);
  tree.files.set('/a', fileOf('v3', 30));
  return { served, tree, next, did };
}

t.test('what was kept is not given to a node that is another version by now', async (t) => {
  const { served, next, did } = await becameAnother();
  const { flags, handle } = await openOnce(served, next);
  await served.ask('read', next, words(handle, 0, 10, 0, 0));
  t.equal(flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
  t.same(did, ['close v2', 'read v3']);
});

t.test('what was kept is closed, and not given, where opening is refused', async (t) => {
  const { served, tree, next, did } = await becameAnother();
  tree.files.set('/a', () => {
    throw new FsError('EACCES', '/a', 'no');
  });
  await t.rejects(openOnce(served, next), { code: 'EACCES' });
  t.same(did, ['close v2']);
  t.equal(served.handles.size, 0);
});

t.test('what was kept is closed, and not given, to who is to write', async (t) => {
  const { served, tree, next, did } = await becameAnother();
  next.info = versionOf('v2', 20);
  tree.openToWrite = (path) => {
    throw new FsError('EROFS', path, 'a version is not written to');
  };
  await t.rejects(openOnce(served, next, constants.O_RDWR), { code: 'EROFS' });
  t.same(did, ['close v2']);
});

t.test('the tree is told which version the kernel knows, and whether it has its bytes', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10));
  put(tree, versionOf('v1', 10));
  const known: unknown[] = [];
  const openNow = tree.open.bind(tree);
  tree.open = (path, ...more: unknown[]) => {
    known.push(more[1]);
    return openNow(path);
  };
  for (const given of [undefined, 'v0', 'v1']) {
    node.given = given;
    const { handle } = await openOnce(served, node);
    await release(served, node, handle);
  }
  const version = 'v1';
  t.same(known, [
    { version, hasBytes: false },
    { version, hasBytes: false },
    { version, hasBytes: true },
  ]);
});

t.test(
  'who opens by a descriptor in /proc gets what that shows, and not what its name leads to',
  async (t) => {
    const { served, tree, node } = subject(versionOf('v1', 10));
    tree.files.set('/a', () => {
      throw new FsError('ELOOP', '/a', 'this is a link');
    });
    tree.put('/a', linkInfo('b', 2n));
    tree.readLink = () => 'b';
    tree.put('/b', versionOf('v3', 30));
    const held: OpenFile = { sizeBytes: 10, version: 'v1', read: () => 0, close() {} };
    served.handles.addFile(new OpenedFile(node, held));
    t.equal((await open(served, node)).flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
    t.equal(node.info.version, 'v1');
  },
);

t.test('who was sent back finds what it opens, though it was another when it was looked for', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10));
  put(tree, versionOf('v2', 20));
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  tree.files.set('/a', () => {
    tree.put('/a', versionOf('v4', 40, { modifiedNs: 4n }));
    return { sizeBytes: 30, version: 'v3', modifiedNs: 3n, read: () => 0, close() {} };
  });
  const next = await found(served);
  const { version, sizeBytes, modifiedNs } = next.info;
  t.same([version, sizeBytes, modifiedNs], ['v3', 30, 3n], 'what it shows is of that version');
  t.same(tree.readsNoted, ['/a'], 'which the session gives up where the caller comes again');
  t.equal((await openOnce(served, next)).flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
  t.same(tree.readsNoted, ['/a', '/a'], 'that it is read is noted when it is given');
});

t.test('what was kept for an open(2) that is over by an error is not given to the next one', async (t) => {
  for (const over of ['attributes are refused', 'nothing is found', 'nothing is found twice'] as const) {
    const { served, tree, node } = subject(versionOf('v1', 10));
    const { root } = served.nodes;
    const bytesRead: string[] = [];
    const read = (version: string): void => void bytesRead.push(version);
    put(tree, versionOf('v2', 20));
    await t.rejects(openOnce(served, node), { name: 'Stale' });
    if (over !== 'attributes are refused') {
      tree.take('/a');
      await served.ask('lookup', root, nameBytes('a'));
      if (over === 'nothing is found twice') await served.ask('lookup', root, nameBytes('a'));
      put(tree, versionOf('v2', 20), read);
    }
    const next = await found(served);
    tree.take('/a');
    if (over === 'attributes are refused') {
      await t.rejects(async () => served.ask('getattr', next, words(0, 0)), { code: 'ENOENT' });
    }
    put(tree, versionOf('v3', 30), read);
    // As the next open(2) does, of what the kernel knows by now.
    const { handle } = await open(served, next);
    await served.ask('read', next, words(handle, 0, 10, 0, 0));
    t.same(bytesRead, ['v3'], over);
  }
});

t.test(
  'what is looked up behind an open(2) that ended without a request is not given to the next one',
  async (t) => {
    for (const [became, info] of Object.entries({ link: linkInfo('b', 2n), folder: folderInfo(2n) })) {
      const { served, tree, node } = subject(versionOf('v1', 10));
      const bytesRead: string[] = [];
      tree.files.set('/a', () => {
        throw new FsError(became === 'link' ? 'ELOOP' : 'EISDIR', '/a', 'it is no file');
      });
      await t.rejects(openOnce(served, node), { name: 'Stale' });
      tree.put('/a', info);
      // open(2) ends here: with O_NOFOLLOW it refuses the link, and folders the kernel opens by itself.
      await found(served);
      put(tree, versionOf('v2', 20));
      // As stat(2) does.
      const next = await found(served);
      put(tree, versionOf('v3', 30), (version) => bytesRead.push(version));
      const { handle } = await open(served, next);
      await served.ask('read', next, words(handle, 0, 10, 0, 0));
      t.same(bytesRead, ['v3'], became);
    }
  },
);

t.test('what is opened behind a name that the kernel had to look for anew is no first attempt', async (t) => {
  const goneStale: Record<string, (served: FakeServed) => Promise<unknown>> = {
    async 'a folder on the way was another by then'(served) {
      const folder = served.known(served.nodes.root, 'f', folderInfo(1n));
      served.nodes.removeName(served.nodes.root, 'f');
      await served.ask('lookup', folder, nameBytes('a'));
    },
    async 'a link was none by then'(served) {
      await served.ask('readlink', served.known(served.nodes.root, 'l', linkInfo('a', 1n)), words());
    },
    async 'a link had lost its name by then'(served) {
      const link = served.known(served.nodes.root, 'l', linkInfo('a', 1n));
      served.nodes.removeName(served.nodes.root, 'l');
      await served.ask('readlink', link, words());
    },
  };
  for (const [what, goesStale] of Object.entries(goneStale)) {
    const { served, tree } = subject(versionOf('v1', 10));
    await t.rejects(goesStale(served), { name: 'Stale' });
    const node = await found(served);
    put(tree, versionOf('v2', 20));
    t.ok(await openOnce(served, node), `${what}: a second ESTALE would reach the caller`);
  }
});

t.test('an open(2) behind a link that was refused is a first attempt', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10));
  put(tree, versionOf('v2', 20));
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  tree.readLink = (path) => {
    throw new FsError('EACCES', path, 'no');
  };
  const link = served.known(served.nodes.root, 'l', linkInfo('a', 1n));
  await t.rejects(async () => served.ask('readlink', link, words()), { code: 'EACCES' });
  await t.rejects(openOnce(served, node), { name: 'Stale' });
});

t.test('a look-up that fails is a miss: what is found for the open(2) after it is not kept', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10));
  put(tree, versionOf('v2', 20));
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  tree.beforeStat = (path) => {
    throw new FsError('EIO', path, 'the disk failed');
  };
  await t.rejects(async () => served.ask('lookup', served.nodes.root, nameBytes('a')), { code: 'EIO' });
  tree.beforeStat = undefined;
  const next = await found(served);
  const bytesRead: string[] = [];
  put(tree, versionOf('v3', 30), (version) => bytesRead.push(version));
  const { handle } = await open(served, next);
  await served.ask('read', next, words(handle, 0, 10, 0, 0));
  t.same(bytesRead, ['v3']);
});

t.test('what a folder that was renamed holds is kept for who finds it under the old name', async (t) => {
  const { served, tree } = subject(versionOf('v1', 10));
  const { root } = served.nodes;
  tree.putFolder('/f', 1);
  const folder = await found(served, 'f');
  const node = served.known(folder, 'a', versionOf('v1', 10));
  // Another folder takes its name.
  served.nodes.removeName(root, 'f');
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  tree.put('/f/a', versionOf('v2', 20));
  const bytesRead: string[] = [];
  const openAs = (version: string) => (): OpenFile => ({
    sizeBytes: 20,
    version,
    read() {
      bytesRead.push(version);
      return 0;
    },
    close() {},
  });
  tree.files.set('/f/a', openAs('v2'));
  const nextFolder = await found(served, 'f');
  await served.ask('lookup', nextFolder, nameBytes('a'));
  const next = nextFolder.children?.get('a');
  if (next === undefined) throw new Error('nothing was found');
  tree.files.set('/f/a', openAs('v3'));
  const { handle } = await openOnce(served, next);
  await served.ask('read', next, words(handle, 0, 10, 0, 0));
  t.same(bytesRead, ['v2']);
});

t.test('what is asked for each time becomes what it is by then', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10, { changesUntold: true }));
  put(tree, versionOf('v2', 20, { changesUntold: true, mode: 0o600 }));
  t.equal((await openOnce(served, node)).flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
  t.same([node.info.version, node.info.mode, served.notices], ['v2', 0o600, ['invalidate all at once /a']]);
  t.equal(served.bytesOffered, 1, 'and the kernel is given the bytes of it ahead');
});

t.test('two who open a newer version at once never share pages of two versions', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10, { changesUntold: true }));
  const versions = ['v2', 'v3'];
  let closed = 0;
  tree.files.set('/a', () => ({
    sizeBytes: 10,
    version: versions.shift() ?? 'v3',
    read: () => 0,
    close() {
      closed += 1;
    },
  }));
  const info: NodeInfo = { ...fileInfo(10, 2n), version: 'v3' };
  tree.put('/a', info);
  tree.beforeStat = () => new Promise((resolve) => setImmediate(resolve));
  const both = await Promise.allSettled([openOnce(served, node), openOnce(served, node)]);
  t.match(both, [{ status: 'fulfilled' }, { status: 'rejected', reason: { name: 'Stale' } }]);
  t.equal(node.info.version, 'v2');
  t.equal(closed, 1);
  const again = await openOnce(served, node);
  t.equal(again.flags & DIRECT_IO, DIRECT_IO, 'who was sent back and still finds another uses no cache');
});

t.test('two who open the same newer version at once share its pages', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10, { changesUntold: true }));
  put(tree, versionOf('v2', 20, { changesUntold: true }));
  tree.beforeStat = () => new Promise((resolve) => setImmediate(resolve));
  const both = await Promise.all([openOnce(served, node), openOnce(served, node)]);
  for (const { flags } of both) t.equal(flags & (KEEP_CACHE | DIRECT_IO), KEEP_CACHE);
});

t.test('a newer version is not looked at where others have an older one open', async (t) => {
  const { served, tree, node } = subject(versionOf('v1', 10, { changesUntold: true }));
  put(tree, versionOf('v1', 10, { changesUntold: true }));
  await openOnce(served, node);
  put(tree, versionOf('v2', 20, { changesUntold: true }));
  const { stats } = tree;
  await t.rejects(openOnce(served, node), { name: 'Stale' });
  t.equal(tree.stats, stats);
  t.equal(node.info.version, 'v1');
});
