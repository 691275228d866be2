import t from 'tap';
import { fileInfo } from '../../../src/core/node-info.ts';
import type { OpenFile } from '../../../src/core/resolver.ts';
import { Stale } from '../../../src/fuse/linux/handler.ts';
import { Node } from '../../../src/fuse/linux/node-table.ts';
import { SentBack } from '../../../src/fuse/linux/sent-back.ts';

const THREAD = 7;
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

const node = new Node(2, 2, fileInfo(1, 0n));

t.test('a thread that is sent back comes again once, with what it found last', async (t) => {
  const sentBack = new SentBack();
  t.equal(sentBack.take(THREAD), undefined, 'at first it comes for the first time');
  t.throws(() => sentBack.send(THREAD), Stale);
  sentBack.found(THREAD, new Node(1, 1, fileInfo(1, 0n)));
  sentBack.found(THREAD, node);
  sentBack.found(THREAD + 1, undefined);
  t.equal(sentBack.take(THREAD + 1), undefined, 'others do not');
  t.equal(sentBack.take(THREAD)?.found, node);
  t.equal(sentBack.take(THREAD), undefined, 'what it opens next is another matter');
});

t.test('what a thread found is not so any more when it finds nothing under a name after it', async (t) => {
  const sentBack = new SentBack();
  t.throws(() => sentBack.send(THREAD), Stale);
  sentBack.found(THREAD, node);
  sentBack.found(THREAD, undefined);
  t.match(sentBack.take(THREAD), { found: undefined }, 'but it is here again all the same');
});

t.test(
  'threads of other namespaces, which have no number, are never thought to have found anything',
  async (t) => {
    const sentBack = new SentBack();
    t.throws(() => sentBack.send(0), Stale);
    sentBack.found(0, node);
    t.match(sentBack.take(0), { found: undefined });
    t.match(sentBack.take(0), { found: undefined }, 'nor to come for the first time, for a while');
  },
);

t.test("a file that is kept for a thread is the taker's, or closed", async (t) => {
  const sentBack = new SentBack();
  const [taken, replaced, unasked] = [fileToClose(), fileToClose(), fileToClose()];
  t.notOk(sentBack.isLookingAgain(THREAD));
  sentBack.found(THREAD, node, unasked.file);
  t.ok(unasked.isClosed(), 'nobody was sent back');
  t.throws(() => sentBack.send(THREAD), Stale);
  t.ok(sentBack.isLookingAgain(THREAD));
  sentBack.found(THREAD, node, replaced.file);
  sentBack.found(THREAD, node, taken.file);
  t.ok(replaced.isClosed());
  t.equal(sentBack.take(THREAD)?.kept, taken.file);
  t.notOk(taken.isClosed());
});

t.test('nothing is kept for who found nothing once: its open(2) may be over', async (t) => {
  const sentBack = new SentBack();
  const found = fileToClose();
  t.throws(() => sentBack.send(THREAD), Stale);
  sentBack.found(THREAD, node, found.file);
  sentBack.found(THREAD, undefined);
  t.ok(found.isClosed());
  t.notOk(sentBack.isLookingAgain(THREAD), 'what it looks up next may be for something else');
  sentBack.found(THREAD, node);
  t.notOk(sentBack.isLookingAgain(THREAD));
  t.match(sentBack.take(THREAD), { found: node, kept: undefined }, 'yet it may be here again');
});

t.test('who was refused on the way comes for the first time after that', async (t) => {
  const sentBack = new SentBack();
  const found = fileToClose();
  t.throws(() => sentBack.send(THREAD), Stale);
  sentBack.found(THREAD, node, found.file);
  sentBack.gaveUp(THREAD);
  t.ok(found.isClosed());
  t.equal(sentBack.take(THREAD), undefined);
  t.throws(() => sentBack.send(0), Stale);
  sentBack.gaveUp(0);
  t.match(sentBack.take(0), { found: undefined }, 'of other namespaces nobody knows who it was');
});

t.test('a file that nobody comes for in time is closed', async (t) => {
  const sentBack = new SentBack(1);
  const late = fileToClose();
  t.throws(() => sentBack.send(THREAD), Stale);
  sentBack.found(THREAD, node, late.file);
  // The timer keeps no process alive.
  const alive = setInterval(() => {}, 1000);
  await late.closed;
  clearInterval(alive);
  t.equal(sentBack.take(THREAD), undefined);
});
