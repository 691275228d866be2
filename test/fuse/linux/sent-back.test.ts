import t from 'tap';
import { fileInfo, folderInfo, linkInfo } from '../../../src/core/node-info.ts';
import { parsePath } from '../../../src/core/paths.ts';
import type { NodeInfo, OpenFile } from '../../../src/core/resolver.ts';
import { Stale } from '../../../src/fuse/linux/handler.ts';
import { Node } from '../../../src/fuse/linux/node-table.ts';
import { SentBack, type SentBackOptions } from '../../../src/fuse/linux/sent-back.ts';

const THREAD = 7;
/** Of all threads of other namespaces. */
const UNKNOWN_THREAD = 0;
const FOLDER = parsePath('/f');
const GOAL = parsePath('/f/a');
const ELSEWHERE = parsePath('/f/b');
const NOTHING_FOUND = { found: undefined, kept: undefined, hasLooked: true };

/** A file, and when it is closed. */
function fileToClose(): {
  readonly file: OpenFile;
  readonly closed: Promise<void>;
  readonly isClosed: () => boolean;
} {
  let isClosed = false;
  let told: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    told = resolve;
  });
  const close = (): void => {
    isClosed = true;
    told();
  };
  return { file: { sizeBytes: 1, read: () => 0, close }, closed, isClosed: () => isClosed };
}

let lastId = 1;
function nodeOf(info: NodeInfo = fileInfo(1, 0n)): Node {
  lastId += 1;
  return new Node(lastId, lastId, info);
}

const goalNode = nodeOf();
const folder = nodeOf(folderInfo(0n));
const link = nodeOf(linkInfo('b', 0n, 'b'));

function sendToGoal(sentBack: SentBack, thread: number): void {
  try {
    sentBack.send(thread, { node: goalNode, path: GOAL });
  } catch (error) {
    if (!(error instanceof Stale)) throw error;
  }
}

/** One thread is about to open the goal. */
function sentBackToGoal(options?: SentBackOptions): SentBack {
  const sentBack = new SentBack(options);
  sendToGoal(sentBack, THREAD);
  return sentBack;
}

t.test('a thread that is sent back comes again once, with what it found', async (t) => {
  const sentBack = new SentBack();
  t.equal(sentBack.take(THREAD, goalNode), undefined, 'at first it comes for the first time');
  t.notOk(sentBack.isAtGoal(THREAD, GOAL));
  t.throws(() => sentBack.send(THREAD, { node: goalNode, path: GOAL }), Stale);
  sentBack.lookedUp(THREAD, FOLDER, folder);
  t.ok(sentBack.isAtGoal(THREAD, GOAL));
  t.notOk(sentBack.isAtGoal(THREAD, ELSEWHERE));
  const [older, newer] = [fileToClose(), fileToClose()];
  // As open(2) does that another thread overtakes.
  sentBack.lookedUp(THREAD, GOAL, nodeOf());
  sentBack.lookedUp(THREAD, GOAL, nodeOf(), older.file);
  const found = nodeOf();
  sentBack.lookedUp(THREAD, GOAL, found, newer.file);
  t.same([older.isClosed(), newer.isClosed()], [true, false]);
  sentBack.lookedUp(THREAD + 1, ELSEWHERE, undefined);
  t.equal(sentBack.take(THREAD + 1, found), undefined, 'others do not');
  t.same(sentBack.take(THREAD, found), { found, kept: { path: GOAL, file: newer.file }, hasLooked: true });
  t.notOk(newer.isClosed(), 'it is for the taker to close');
  t.equal(sentBack.take(THREAD, found), undefined, 'what it opens next is another matter');
});

t.test('without a look-up it comes again with nothing, as by a descriptor in /proc', async (t) => {
  t.same(sentBackToGoal().take(THREAD, goalNode), { ...NOTHING_FOUND, hasLooked: false });
  t.equal(sentBackToGoal().take(THREAD, nodeOf()), undefined, 'something else was never sent back');
});

t.test('nothing is kept where the open(2) may be over', async (t) => {
  const found = nodeOf();
  const overBy: Record<string, (sentBack: SentBack) => void> = {
    'a link that it may not follow': (sentBack) => sentBack.lookedUp(THREAD, GOAL, link),
    'a link on the way': (sentBack) => sentBack.lookedUp(THREAD, FOLDER, link),
    'another folder': (sentBack) => sentBack.lookedUp(THREAD, ELSEWHERE, folder),
    'another file': (sentBack) => sentBack.lookedUp(THREAD, ELSEWHERE, nodeOf()),
    nothing: (sentBack) => sentBack.lookedUp(THREAD, GOAL, undefined),
    'no folder on the way': (sentBack) => sentBack.lookedUp(THREAD, FOLDER, undefined),
    'a folder on the way that went stale': (sentBack) => sentBack.wentStale(THREAD),
    'what was found before, and a folder looked at since': (sentBack) => {
      sentBack.lookedUp(THREAD, GOAL, found);
      sentBack.lookedUp(THREAD, FOLDER, folder);
    },
    'what was looked at more often than open(2) looks': (sentBack) => {
      for (let looks = 1; looks <= 8; looks += 1) sentBack.lookedUp(THREAD, GOAL, found);
    },
  };
  for (const [over, end] of Object.entries(overBy)) {
    const sentBack = sentBackToGoal();
    end(sentBack);
    const { file, isClosed } = fileToClose();
    sentBack.lookedUp(THREAD, GOAL, found, file);
    t.ok(isClosed(), over);
    t.same(sentBack.take(THREAD, found), NOTHING_FOUND, 'yet it may be here again');
  }
});

t.test('what was kept is closed when something else is looked up, opened or made', async (t) => {
  const others: Record<string, (sentBack: SentBack) => unknown> = {
    'looked up': (sentBack) => sentBack.lookedUp(THREAD, ELSEWHERE, nodeOf()),
    missed: (sentBack) => sentBack.lookedUp(THREAD, ELSEWHERE, undefined),
    opened: (sentBack) => sentBack.take(THREAD, nodeOf()),
    made: (sentBack) => sentBack.take(THREAD),
    'went stale': (sentBack) => sentBack.wentStale(THREAD),
    refused: (sentBack) => sentBack.refused(THREAD),
  };
  for (const [what, other] of Object.entries(others)) {
    const sentBack = sentBackToGoal();
    const found = nodeOf();
    const { file, isClosed } = fileToClose();
    sentBack.lookedUp(THREAD, GOAL, found, file);
    t.notOk(isClosed());
    other(sentBack);
    t.ok(isClosed(), what);
    t.notMatch(sentBack.take(THREAD, found), { found }, what);
  }
});

t.test('nobody comes again once the open(2) is over for certain', async (t) => {
  const overBy: Record<string, (sentBack: SentBack) => void> = {
    'it was refused something on the way': (sentBack) => sentBack.refused(THREAD),
    'it found a folder, which the kernel opens by itself': (sentBack) =>
      sentBack.lookedUp(THREAD, GOAL, nodeOf(folderInfo(0n))),
    'it found a pipe': (sentBack) =>
      sentBack.lookedUp(THREAD, GOAL, nodeOf({ ...fileInfo(0, 0n), kind: 'pipe' })),
    'it found nothing twice': (sentBack) => {
      sentBack.lookedUp(THREAD, GOAL, undefined);
      sentBack.lookedUp(THREAD, GOAL, undefined);
    },
  };
  for (const [over, end] of Object.entries(overBy)) {
    const sentBack = sentBackToGoal();
    end(sentBack);
    const found = nodeOf();
    const { file, isClosed } = fileToClose();
    sentBack.lookedUp(THREAD, GOAL, found, file);
    t.ok(isClosed(), over);
    t.equal(sentBack.take(THREAD, found), undefined, over);
  }
});

t.test(
  'a look-up that goes stale is looked for anew by the kernel, and what is opened then comes again',
  async (t) => {
    const sentBack = new SentBack();
    sentBack.wentStale(THREAD);
    const found = nodeOf();
    sentBack.lookedUp(THREAD, GOAL, found);
    t.same(sentBack.take(THREAD, found), NOTHING_FOUND);
  },
);

t.test(
  'threads of other namespaces, which have no number, are never thought to have found anything',
  async (t) => {
    const sentBack = new SentBack();
    t.throws(() => sentBack.send(UNKNOWN_THREAD, { node: goalNode, path: GOAL }), Stale);
    t.notOk(sentBack.isAtGoal(UNKNOWN_THREAD, GOAL));
    const { file, isClosed } = fileToClose();
    sentBack.lookedUp(UNKNOWN_THREAD, GOAL, goalNode, file);
    t.ok(isClosed());
    t.same(sentBack.take(UNKNOWN_THREAD, goalNode), NOTHING_FOUND);
    sentBack.refused(UNKNOWN_THREAD);
    t.ok(sentBack.take(UNKNOWN_THREAD, nodeOf()), 'nor to come for the first time, for a while');
  },
);

t.test('a file that nobody comes for in time is closed', async (t) => {
  const sentBack = sentBackToGoal({ keepMs: 1 });
  const found = nodeOf();
  const late = fileToClose();
  sentBack.lookedUp(THREAD, GOAL, found, late.file);
  // The timer keeps no process alive.
  const alive = setInterval(() => {}, 1000);
  await late.closed;
  clearInterval(alive);
  t.same(sentBack.take(THREAD, found), NOTHING_FOUND);
});

t.test('who is not here again in time comes for the first time', async (t) => {
  const sentBack = sentBackToGoal({ backWithinMs: 0 });
  const { file, isClosed } = fileToClose();
  sentBack.lookedUp(THREAD, GOAL, goalNode, file);
  t.ok(isClosed());
  t.equal(sentBack.take(THREAD, goalNode), undefined);
});

t.test('a thread finds its goal through several folders, and as often as open(2) looks', async (t) => {
  const goal = parsePath('/f/g/a');
  const found = nodeOf();
  const sentBack = new SentBack();
  t.throws(() => sentBack.send(THREAD, { node: goalNode, path: goal }), Stale);
  for (const path of ['/f', '/f/g']) sentBack.lookedUp(THREAD, parsePath(path), folder);
  for (let looks = 1; looks <= 7; looks += 1) sentBack.lookedUp(THREAD, goal, found);
  const { file, isClosed } = fileToClose();
  sentBack.lookedUp(THREAD, goal, found, file);
  t.notOk(isClosed());
  t.match(sentBack.take(THREAD, found), { found, kept: { path: goal } });
});

t.test('what was found, and is missing once after that, may be looked at again', async (t) => {
  const sentBack = sentBackToGoal();
  sentBack.lookedUp(THREAD, GOAL, goalNode);
  sentBack.lookedUp(THREAD, GOAL, undefined);
  const found = nodeOf();
  sentBack.lookedUp(THREAD, GOAL, found);
  t.same(sentBack.take(THREAD, found), NOTHING_FOUND);
});

t.test(
  'who has taken its file, or was refused, is not remembered when that would have been closed',
  async (t) => {
    const ends: Record<string, (sentBack: SentBack, found: Node) => unknown> = {
      taken: (sentBack, found) => sentBack.take(THREAD, found),
      refused: (sentBack) => sentBack.refused(THREAD),
    };
    for (const [what, end] of Object.entries(ends)) {
      const sentBack = sentBackToGoal({ keepMs: 1 });
      const found = nodeOf();
      sentBack.lookedUp(THREAD, GOAL, found, fileToClose().file);
      end(sentBack, found);
      const other = THREAD + 1;
      sendToGoal(sentBack, other);
      // Closed after that, so that the other would have been before.
      const later = fileToClose();
      sentBack.lookedUp(other, GOAL, found, later.file);
      const alive = setInterval(() => {}, 1000);
      await later.closed;
      clearInterval(alive);
      t.equal(sentBack.take(THREAD, found), undefined, `${what}: the next open(2) begins anew`);
    }
  },
);

t.test('of very many threads none is remembered, and nothing of theirs stays open', async (t) => {
  const sentBack = new SentBack();
  const { file, isClosed } = fileToClose();
  sendToGoal(sentBack, THREAD);
  sentBack.lookedUp(THREAD, GOAL, goalNode, file);
  for (let others = 1; others < 1000; others += 1) sendToGoal(sentBack, THREAD + others);
  t.notOk(isClosed());
  sendToGoal(sentBack, THREAD + 1000);
  t.ok(isClosed());
  t.equal(sentBack.take(THREAD, goalNode), undefined);
  t.equal(sentBack.take(THREAD + 999, goalNode), undefined);
  t.ok(sentBack.take(THREAD + 1000, goalNode), 'but who came last');
});
