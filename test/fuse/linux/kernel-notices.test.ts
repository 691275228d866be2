import { closeSync, openSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { systemCodeOf } from '../../../src/core/errors.ts';
import { fileInfo, folderInfo } from '../../../src/core/node-info.ts';
import { KernelNotices, MAX_GIVEN_BYTES } from '../../../src/fuse/linux/kernel-notices.ts';
import { type Node, NodeTable } from '../../../src/fuse/linux/node-table.ts';
import type { Operation } from '../../../src/fuse/linux/protocol/opcodes.ts';
import { SlowLocks } from '../../../src/fuse/linux/slow-locks.ts';
import type { Teardown } from '../../support/temporary.ts';
import { MessagePair } from './message-pair.ts';

/** A folder with a file, and what the kernel is told of them. */
class Subject {
  readonly locks = new SlowLocks();
  readonly notices: KernelNotices;
  readonly root: Node;
  readonly folder: Node;
  readonly file: Node;
  readonly #kernel: MessagePair;

  constructor(t: Teardown) {
    this.#kernel = new MessagePair(t);
    const { served } = this.#kernel;
    t.teardown(() => closeSync(served));
    this.notices = new KernelNotices(served, this.locks, (error) => {
      throw error;
    });
    const nodes = new NodeTable(folderInfo(0n));
    this.root = nodes.root;
    this.folder = nodes.enter(nodes.root, 'folder', folderInfo(1n));
    this.file = nodes.enter(this.folder, 'file', fileInfo(3, 1n));
  }

  /** As a request that is answered later. @returns what is to be called when it is answered */
  asked(operation: Operation, node: Node): () => void {
    return this.locks.hold({ nodeId: node.id }, operation);
  }

  /** What the kernel was told since this was last asked. */
  told(): string[] {
    return this.#kernel.answers().map(({ errno, payload }) => {
      const id = Number(payload.readBigUInt64LE(0));
      const node = id === this.root.id ? 'root' : id === this.folder.id ? 'folder' : 'file';
      if (errno === -2) return `${payload.readBigInt64LE(8) < 0n ? 'attributes' : 'pages'} of ${node}`;
      if (errno === -3) return `name ${payload.toString('utf8', 16, payload.length - 1)} of ${node}`;
      if (errno === -4) return `bytes of ${node}: ${payload.toString('utf8', 24)}`;
      return `gone ${payload.toString('utf8', 24, payload.length - 1)} of ${node}`;
    });
  }
}

/** Whether a promise is kept within some turns of the event loop. */
async function isKept(promise: Promise<unknown>): Promise<boolean> {
  let kept = false;
  void promise.then(() => {
    kept = true;
  });
  for (let turns = 0; turns < 5; turns += 1) await nextTurn();
  return kept;
}

t.test('a notice waits for the slow request that has its lock, and nobody for the notice', async (t) => {
  const it = new Subject(t);
  const answered = it.asked('lookup', it.folder);
  await it.notices.invalidateName(it.folder, 'slow');
  await it.notices.invalidateNode(it.file, 'attributes and pages');
  t.same(it.told(), ['pages of file'], 'what comes after it goes first');
  const held = it.notices.held();
  t.equal(await isKept(held), false);
  answered();
  await held;
  t.same(it.told(), ['name slow of folder']);
  t.ok(await isKept(it.notices.held()), 'nothing waits any more');
});

t.test('a notice waits for no request but one that has what it takes', async (t) => {
  const tellings: [string, (it: Subject) => Promise<void>, string[]][] = [
    ['attributes of file', ({ notices, file }) => notices.invalidateNode(file, 'attributes'), []],
    [
      'pages of file',
      ({ notices, file }) => notices.invalidateNode(file, 'attributes and pages'),
      ['read file'],
    ],
    [
      'name file of folder',
      ({ notices, folder }) => notices.invalidateName(folder, 'file'),
      ['lookup folder'],
    ],
    [
      'gone file of folder',
      ({ notices, folder, file }) => notices.nameGone(folder, file, 'file'),
      ['lookup folder', 'lookup file', 'read file'],
    ],
    ['pages of folder', ({ notices, folder }) => notices.invalidateListing(folder), ['lookup folder']],
  ];
  for (const [what, tell, waitsFor] of tellings) {
    for (const operation of ['lookup', 'read'] as const) {
      for (const about of ['folder', 'file'] as const) {
        const it = new Subject(t);
        const answered = it.asked(operation, it[about]);
        await tell(it);
        const request = `${operation} ${about}`;
        t.equal(it.told().includes(what), !waitsFor.includes(request), `${what} beside ${request}`);
        answered();
        await it.notices.held();
        t.ok(it.told().includes(what) || !waitsFor.includes(request), `${what} after ${request}`);
      }
    }
  }
});

t.test('a notice waits for no request that locks nothing', async (t) => {
  const it = new Subject(t);
  for (const operation of ['getattr', 'open', 'release'] as const) it.asked(operation, it.folder);
  await it.notices.invalidateName(it.folder, 'file');
  t.same(it.told(), ['name file of folder']);
});

/** Requests for which the kernel locks the inode that they are about. */
const LOCKING: readonly Operation[] = [
  ...([
    'lookup',
    'readdir',
    'readdirplus',
    'create',
    'mknod',
    'mkdir',
    'symlink',
    'unlink',
    'rmdir',
  ] as const),
  ...(['setattr', 'setxattr', 'removexattr', 'fallocate', 'fsync', 'fsyncdir', 'copyFileRange'] as const),
];

t.test('a notice waits for each request that has what it takes', async (t) => {
  const waits = async (operation: Operation, name: string): Promise<void> => {
    const it = new Subject(t);
    const answered = it.asked(operation, it.folder);
    await it.notices.invalidateName(it.folder, 'file');
    await it.notices.invalidateNode(it.folder, 'attributes and pages');
    t.equal(it.told().includes(name), false, operation);
    answered();
    await it.notices.held();
    t.same(it.told(), [name], operation);
  };
  for (const operation of LOCKING) await waits(operation, 'name file of folder');
  for (const operation of ['read', 'readlink', 'write'] as const) await waits(operation, 'pages of folder');
});

t.test('a request that has two folders may have any', async (t) => {
  for (const operation of ['rename', 'rename2', 'link'] as const) {
    const it = new Subject(t);
    const answered = it.asked(operation, it.root);
    await it.notices.invalidateName(it.folder, 'new');
    t.same(it.told(), [], operation);
    answered();
    await it.notices.held();
    t.same(it.told(), ['name new of folder'], operation);
  }
});

t.test('the kernel is given all bytes of a small file, or none', async (t) => {
  const it = new Subject(t);
  const give = (text: string, sizeBytes = text.length) =>
    it.notices.giveBytes(it.file, sizeBytes, (target) => Buffer.from(text).copy(target));
  t.equal(give('abc'), true);
  t.same(it.told(), ['bytes of file: abc']);
  t.equal(give('ab', 3), false, 'one that is shorter than it is said to be');
  t.equal(give(''), false);
  t.equal(give('x'.repeat(MAX_GIVEN_BYTES + 1)), false);
  t.equal(give('x'.repeat(MAX_GIVEN_BYTES)), true);
  t.same(it.told(), [`bytes of file: ${'x'.repeat(MAX_GIVEN_BYTES)}`]);
  await it.notices.close();
  t.equal(give('abc'), false, 'after the end');
  t.same(it.told(), []);
});

t.test('bytes that come later are no part of what is given meanwhile', async (t) => {
  const it = new Subject(t);
  let later: Buffer = Buffer.alloc(0);
  const late = it.notices.giveBytes(it.file, 4, (target) => {
    later = Buffer.from(target.buffer, target.byteOffset, target.length);
    return Promise.reject(new Error('told to who reads'));
  });
  t.equal(late, false);
  const given = it.notices.giveBytes(it.file, 4, (target) => {
    const count = Buffer.from('mine').copy(target);
    later.write('late');
    return count;
  });
  t.equal(given, true);
  t.same(it.told(), ['bytes of file: mine']);
});

t.test('of a live file it is known when the kernel has let go of its bytes', async (t) => {
  const it = new Subject(t);
  const before = it.file.bytesAsOf;
  const now = fileInfo(9, 2n);
  const answered = it.asked('read', it.file);
  await it.notices.invalidateBytes(it.file, now);
  t.equal(it.file.invalidating, 1);
  t.equal(it.file.bytesAsOf, before);
  answered();
  await it.notices.held();
  t.equal(it.file.invalidating, 0);
  t.equal(it.file.bytesAsOf, now);
});

t.test(
  'where the kernel is to drop what it has, its listing and what it was given are not relied on',
  async (t) => {
    const it = new Subject(t);
    it.folder.listed = 1;
    await it.notices.invalidateNode(it.folder, 'attributes');
    t.equal(it.folder.listed, 1);
    const pages = it.notices.invalidateNode(it.folder, 'attributes and pages');
    t.equal(it.folder.listed, undefined, 'at once');
    await pages;
    it.folder.listed = 2;
    const listing = it.notices.invalidateListing(it.folder);
    t.equal(it.folder.listed, undefined, 'at once');
    await listing;
    it.told();
    it.file.given = 'version';
    it.notices.invalidateUnopened(it.file);
    t.equal(it.file.given, undefined);
    t.same(it.told(), ['pages of file']);
    it.notices.invalidateAttributes(it.file);
    t.same(it.told(), ['attributes of file'], 'and no more, which somebody may have open');
  },
);

t.test('all names of a file are looked up anew, and what was made of it is', async (t) => {
  const it = new Subject(t);
  it.file.otherPlaces = [{ folder: it.root, name: 'other' }];
  it.notices.invalidateSoon(it.file);
  it.notices.invalidatePlace(it.folder, 'place');
  await it.notices.invalidateNode(it.file, 'attributes');
  t.same(it.told(), [
    'pages of file',
    'name file of folder',
    'name other of root',
    'name place of folder',
    'pages of folder',
    'attributes of file',
  ]);
});

t.test('what was kept for the root is told as far as it goes', async (t) => {
  for (const { invalidates, told } of [
    { invalidates: [], told: [] },
    { invalidates: ['attributes'], told: ['attributes of root'] },
    { invalidates: ['attributes and pages', 'attributes'], told: ['pages of root'] },
  ] as const) {
    const it = new Subject(t);
    for (const what of invalidates) await it.notices.invalidateNode(it.root, what);
    await it.notices.invalidateListing(it.folder);
    t.same(it.told(), ['name ? of folder', 'pages of folder']);
    it.notices.rootIsUsed();
    await it.notices.invalidateNode(it.file, 'attributes');
    t.same(it.told(), [...told, 'attributes of file']);
  }
  const it = new Subject(t);
  await it.notices.invalidateListing(it.root);
  t.same(it.told(), []);
  it.notices.rootIsUsed();
  await it.notices.invalidateNode(it.file, 'attributes');
  t.same(it.told(), ['pages of root', 'attributes of file']);
  await it.notices.invalidateNode(it.root, 'attributes');
  t.same(it.told(), ['attributes of root'], 'from then on it is told at once');
  it.notices.rootIsUsed();
  await it.notices.invalidateNode(it.file, 'attributes');
  t.same(it.told(), ['attributes of file'], 'and once');
});

t.test('after the end nothing is sent, also of what waits', async (t) => {
  const it = new Subject(t);
  const answered = it.asked('lookup', it.folder);
  await it.notices.invalidateName(it.folder, 'a');
  await it.notices.close();
  answered();
  await it.notices.held();
  await it.notices.invalidateNode(it.file, 'attributes');
  it.notices.invalidateAttributes(it.file);
  it.notices.invalidateUnopened(it.file);
  t.same(it.told(), []);
});

t.test('a lock that was taken while a notice waited for its turn is waited for too', async (t) => {
  const it = new Subject(t);
  const first = it.notices.invalidateName(it.root, 'first');
  const second = it.notices.invalidateName(it.folder, 'second');
  const answered = it.asked('lookup', it.folder);
  await first;
  await it.notices.invalidateNode(it.file, 'attributes');
  t.same(it.told(), ['name first of root', 'attributes of file']);
  answered();
  await second;
  t.same(it.told(), ['name second of folder']);
});

t.test('what the kernel refuses is reported, unless it has nothing to drop or is gone', async (t) => {
  const nodes = new NodeTable(folderInfo(0n));
  const file = nodes.enter(nodes.root, 'file', fileInfo(3, 1n));
  /** What is reported where writing to this file fails. */
  async function reported(path: string, flags: string): Promise<string[]> {
    const descriptor = openSync(path, flags);
    const reports: string[] = [];
    const notices = new KernelNotices(descriptor, new SlowLocks(), (error, operation) => {
      reports.push(`${operation}: ${systemCodeOf(error) ?? error}`);
      throw new Error('of the reporter');
    });
    await notices.invalidateName(nodes.root, 'file');
    await notices.nameGone(nodes.root, file, 'file');
    notices.invalidateAttributes(file);
    t.equal(notices.sent, 3, 'those behind are sent all the same');
    closeSync(descriptor);
    return reports;
  }
  t.same(await reported('/dev/full', 'w'), ['notice: ENOSPC', 'notice: ENOSPC']);
  t.same(await reported('/dev/null', 'r'), [], 'EBADF, as after the end');
  const notTaken = 'notice: Error: the kernel does not take a notice';
  t.same(await reported('/proc/self/oom_score_adj', 'r+'), [notTaken], 'EINVAL, to one that has no name');
});

t.test('the end waits for the notice that is being sent', async (t) => {
  const it = new Subject(t);
  let isSent = false;
  const sent = it.notices.invalidateName(it.folder, 'a').then(() => {
    isSent = true;
  });
  await promisesKept();
  t.equal(isSent, false);
  await it.notices.close();
  await promisesKept();
  t.equal(isSent, true);
  await sent;
  t.same(it.told(), ['name a of folder']);
});

/** All that follows from promises alone; what another thread does is told in a later turn of the event loop. */
async function promisesKept(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await undefined;
}
