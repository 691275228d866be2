import t from 'tap';
import { fileInfo } from '../../../src/core/node-info.ts';
import { Stale } from '../../../src/fuse/linux/handler.ts';
import { Node } from '../../../src/fuse/linux/node-table.ts';
import { SentBack } from '../../../src/fuse/linux/sent-back.ts';

const THREAD = 7;
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

t.test('who asked for attributes is known to have been here, but may open much later', async (t) => {
  const sentBack = new SentBack();
  t.throws(() => sentBack.send(THREAD, false), Stale);
  sentBack.found(THREAD, node);
  t.match(sentBack.take(THREAD), { found: undefined });
});
