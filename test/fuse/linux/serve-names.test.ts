import { constants } from 'node:os';
import t from 'tap';
import { FsError } from '../../../src/core/errors.ts';
import { folderInfo, linkInfo } from '../../../src/core/node-info.ts';
import { FakeServed, nameBytes, words } from './fake-served.ts';
import { FakeTree } from './fake-tree.ts';

import { found, openOnce, put, subject, versionOf } from './opened-files.ts';

t.test('a name is looked up, counted, missed and remembered as missing', async (t) => {
  const { served, tree, node } = subject();
  const entry = await served.answer('lookup', served.nodes.root, nameBytes('a'));
  t.equal(Number(entry.readBigUInt64LE(0)), node.id);
  t.equal(node.lookUps, 2);
  const missed = await served.answer('lookup', served.nodes.root, nameBytes('b'));
  t.same([missed.readBigUInt64LE(0), missed.readBigUInt64LE(16)], [0n, 3600n]);
  t.same([...(served.nodes.root.missed ?? [])], ['b']);
  tree.putFile('/b', 1);
  await served.answer('lookup', served.nodes.root, nameBytes('b'));
  t.equal(served.nodes.root.missed, undefined);
  await served.ask('forget', node, words(2));
  t.equal(served.nodes.get(node.id), undefined);
});

t.test('what changed while it was looked up is asked for again at the next use', async (t) => {
  const { served, tree } = subject();
  tree.beforeStat = () => {
    served.generation += 1;
  };
  const entry = await served.answer('lookup', served.nodes.root, nameBytes('a'));
  t.same([entry.readBigUInt64LE(16), entry.readBigUInt64LE(24)], [0n, 0n]);
  const missed = await served.ask('lookup', served.nodes.root, nameBytes('b'));
  t.equal(missed?.errno, constants.errno.ENOENT);
  t.equal(served.nodes.root.missed, undefined);
});

t.test('an answer that the kernel does not take gives back what it gave', async (t) => {
  const { served, node } = subject();
  const answers = [
    await served.ask('lookup', served.nodes.root, nameBytes('a')),
    await served.ask('open', node, words(0)),
  ];
  for (const answer of answers) answer?.undo?.();
  t.equal(node.lookUps, 1);
  t.equal(node.openings, 0);
  t.equal(served.handles.size, 0);
});

t.test('what is a file by now, and no link, is looked up anew', async (t) => {
  const { served, node } = subject();
  await t.rejects(async () => await served.ask('readlink', node, words()), { name: 'Stale' });
});

t.test(
  'a link that was another when it was asked for leads where it led when it was looked up',
  async (t) => {
    const { served, tree } = subject();
    const { root } = served.nodes;
    tree.put('/a', linkInfo('b', 2n, 'b'));
    await served.ask('lookup', root, nameBytes('a'));
    const link = root.children?.get('a');
    if (link === undefined) throw new Error('nothing was found');
    tree.readLink = () => 'c';
    t.equal(String(await served.answer('readlink', link, words())), 'b');
    served.nodes.removeName(root, 'a');
    t.equal(
      String(await served.answer('readlink', link, words())),
      'b',
      'also where it has no name any more',
    );
  },
);

t.test('names that were changed too late are asked for again', async (t) => {
  const { served, tree, node } = subject();
  tree.rename = () => undefined;
  tree.remove = () => undefined;
  tree.makeFolder = (path) => tree.putFolder(path, 1);
  const { root } = served.nodes;
  const answers = [
    await served.ask('rename', root, Buffer.concat([words(1), nameBytes('a', 'b')])),
    await served.ask('unlink', root, nameBytes('b')),
    await served.ask('mkdir', root, Buffer.concat([words(0), nameBytes('d')])),
  ];
  t.same(served.notices, []);
  for (const answer of answers) answer?.undo?.();
  t.same(served.notices, [
    'invalidate a in /',
    'invalidate b in /',
    'invalidate b in /',
    'invalidate d in /',
  ]);
  t.equal(served.nodes.pathOf(node), undefined);
});

t.test('a name that was made and cannot be looked at is asked for again', async (t) => {
  const { served, tree } = subject();
  tree.makeFolder = () => undefined;
  const body = Buffer.concat([words(0), nameBytes('d')]);
  await t.rejects(async () => await served.ask('mkdir', served.nodes.root, body), { code: 'ENOENT' });
  t.same(served.notices, ['invalidate d in /']);
});

t.test('what changes untold is looked up and asked about each time', async (t) => {
  const tree = new FakeTree();
  tree.putFile('/page', 1, { version: 'one', changesUntold: true });
  const served = new FakeServed(tree);
  const found = await served.answer('lookup', 1, nameBytes('page'));
  t.same(
    [found.readBigUInt64LE(16), found.readBigUInt64LE(24)],
    [0n, 0n],
    'neither name nor attributes are kept',
  );
  const asked = await served.answer('getattr', Number(found.readBigUInt64LE(0)), words(0, 0));
  t.equal(asked.readBigUInt64LE(0), 0n);
});

t.test('the kernel forgets one, or many at once', async (t) => {
  const { served, node } = subject();
  const other = served.known(served.nodes.root, 'b', folderInfo(1n));
  node.lookUps = 3;
  await served.ask('batchForget', 0, words(2, node.id, 2, other.id, 1));
  t.equal(served.nodes.get(node.id)?.lookUps, 1);
  t.equal(served.nodes.get(other.id), undefined);
});

t.test('who looks a name of the root up went through the root, and nobody else', async (t) => {
  const { served, tree } = subject();
  tree.putFolder('/d', 1);
  tree.putFile('/d/x', 1);
  const folder = await found(served, 'd');
  t.equal(served.rootUses, 1);
  await served.ask('lookup', folder, nameBytes('x'));
  t.equal(served.rootUses, 1);
});

t.test('a look-up opens nothing for who was not sent back, and takes away what is gone', async (t) => {
  const { served, tree, node } = subject();
  let opens = 0;
  tree.files.set('/a', () => {
    opens += 1;
    throw new FsError('ENOENT', '/a', 'it is gone');
  });
  t.equal(await found(served), node);
  t.equal(opens, 0);
  tree.take('/a');
  await served.ask('lookup', served.nodes.root, nameBytes('a'));
  t.equal(served.nodes.pathOf(node), undefined);
});

t.test('what is to be opened and cannot be is looked at three times', async (t) => {
  for (const opensAt of [3, 4]) {
    const { served, tree, node } = subject(versionOf('v1', 10));
    put(tree, versionOf('v2', 20));
    await t.rejects(openOnce(served, node), { name: 'Stale' });
    let opens = 0;
    tree.files.set('/a', () => {
      opens += 1;
      if (opens !== opensAt) throw new FsError('ELOOP', '/a', 'this is a link');
      return { sizeBytes: 20, version: 'v2', read: () => 0, close() {} };
    });
    const next = await found(served);
    t.equal(opens, 3);
    tree.take('/a');
    tree.files.set('/a', () => {
      throw new FsError('ENOENT', '/a', 'it is gone');
    });
    if (opensAt === 3) await openOnce(served, next);
    else await t.rejects(openOnce(served, next), { code: 'ENOENT' });
  }
});
