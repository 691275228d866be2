import t from 'tap';
import { parsePath } from '../../../src/core/paths.ts';
import { KernelView } from '../../../src/fuse/native/kernel-view.ts';

const FILE = parsePath('/docs/a/b.md');
const OTHER = parsePath('/docs/ab.md');
const ROOT = parsePath('/');

function subject() {
  const clock = { ms: 0 };
  return { clock, view: new KernelView(() => clock.ms) };
}

t.test('the kernel knows a file as it was told', async (t) => {
  const { view } = subject();
  t.ok(view.isStale(FILE, 10), 'nothing yet');
  view.tell(FILE, 10, view.generation);
  t.notOk(view.isStale(FILE, 10));
  t.ok(view.isStale(FILE, 11), 'another size');
});

t.test('a change makes it and all below it stale, until it is told anew', async (t) => {
  for (const changed of [FILE, parsePath('/docs/a'), parsePath('/docs'), ROOT]) {
    const { view } = subject();
    view.tell(FILE, 10, view.generation);
    view.change([changed]);
    t.ok(view.isStale(FILE, 10), changed);
    view.tell(FILE, 10, view.generation);
    t.notOk(view.isStale(FILE, 10));
  }
});

t.test('a change elsewhere does not, not even of a name that begins alike', async (t) => {
  const { view } = subject();
  view.tell(OTHER, 10, view.generation);
  view.change([parsePath('/docs/a'), parsePath('/docs/ab.mdx')]);
  t.notOk(view.isStale(OTHER, 10));
});

t.test('an answer from before a change is stale after it', async (t) => {
  const { view } = subject();
  const before = view.generation;
  view.change([FILE]);
  view.tell(FILE, 10, before);
  t.ok(view.isStale(FILE, 10));
});

t.test('so many changes that they are not kept one by one make all stale', async (t) => {
  const { view } = subject();
  view.tell(FILE, 10, view.generation);
  view.change(Array.from({ length: 2000 }, (_, number) => parsePath(`/elsewhere/${number}`)));
  t.ok(view.isStale(FILE, 10));
});

t.test('an open is sent back once, and again when who was sent back came', async (t) => {
  const { view } = subject();
  t.ok(view.sendsBack(FILE, 10));
  view.tell(FILE, 10, view.generation);
  t.notOk(view.sendsBack(FILE), 'not opened yet');
  view.change([FILE]);
  t.notOk(view.sendsBack(FILE), 'it may be the same caller');
  t.notOk(view.sendsBack(FILE, 11), 'it is');
  t.ok(view.sendsBack(FILE, 11), 'the next one');
  t.ok(view.sendsBack(OTHER, 10), 'another path is another matter');
});

t.test('who found a file that was to be made is not sent back from its open, too', async (t) => {
  const { view } = subject();
  view.sentBack(FILE);
  view.tell(FILE, 10, view.generation);
  t.notOk(view.sendsBack(FILE, 11), 'the file has grown meanwhile');
  t.ok(view.sendsBack(FILE, 11), 'the next one');
});

t.test('who was sent back is waited for where the kernel did not look again, as through /proc', async (t) => {
  const { view, clock } = subject();
  t.ok(view.sendsBack(FILE, 10));
  t.notOk(view.sendsBack(FILE, 10));
  clock.ms = 499;
  t.notOk(view.sendsBack(FILE, 10), 'nobody came with what it would have learnt');
  clock.ms = 1000;
  t.ok(view.sendsBack(FILE, 10));
});

t.test('who comes among others is not taken for who was sent back', async (t) => {
  const { view, clock } = subject();
  t.ok(view.sendsBack(FILE, 10));
  t.notOk(view.sendsBack(FILE, 10), 'another');
  view.tell(FILE, 10, view.generation);
  t.notOk(view.sendsBack(FILE, 10), 'either');
  t.notOk(view.sendsBack(FILE, 11), 'it may still be on its way');
  clock.ms = 49;
  t.notOk(view.sendsBack(FILE, 11));
  clock.ms = 50;
  t.ok(view.sendsBack(FILE, 11), 'for no longer than that');
});

t.test('before it is opened an open is sent back for a change, not for a size', async (t) => {
  const { view } = subject();
  view.tell(FILE, 10, view.generation);
  t.notOk(view.sendsBack(FILE));
  t.ok(view.sendsBack(FILE, 11));
  view.tell(OTHER, 10, view.generation);
  view.change([OTHER]);
  t.ok(view.sendsBack(OTHER));
});

t.test(
  'names of the root that hold changed paths; all that were looked up, where the root changed',
  async (t) => {
    const { view, clock } = subject();
    clock.ms = 5;
    view.lookUp(FILE);
    view.lookUp(parsePath('/missing'));
    t.same([...view.topNamesOf([FILE, OTHER, parsePath('/graph')])], ['docs', 'graph']);
    t.same([...view.topNamesOf([ROOT])], ['docs', 'missing']);
    t.equal(view.lastLookUpMs('docs'), 5);
    t.equal(view.lastLookUpMs('graph'), Number.NEGATIVE_INFINITY);
  },
);

t.test(
  'what it looked up it may know for as long as it trusts anything, and a name that was missing below too',
  async (t) => {
    const { view, clock } = subject();
    t.notOk(view.mayKnow(FILE));
    view.lookUp(FILE);
    t.ok(view.mayKnow(FILE));
    t.ok(view.mayKnow(parsePath('/docs/a')), 'on the way');
    t.notOk(view.mayKnow(OTHER));
    view.lookUp(parsePath('/docs/gone'));
    view.miss(parsePath('/docs/gone'));
    t.ok(view.mayKnow(parsePath('/docs/gone/below')));
    view.lookUp(parsePath('/docs/gone'));
    t.notOk(view.mayKnow(parsePath('/docs/gone/below')), 'it is there now, and what is in it unknown');
    clock.ms = 62_000;
    t.notOk(view.mayKnow(FILE));
  },
);

t.test('what it was told to drop it does not know, unless an answer was on its way', async (t) => {
  const { view, clock } = subject();
  view.lookUp(FILE);
  clock.ms = 100;
  view.dropped([FILE]);
  t.ok(view.mayKnow(FILE));
  clock.ms = 700;
  view.dropped([FILE]);
  t.notOk(view.mayKnow(FILE));
});

t.test('more names than are kept: it may know any', async (t) => {
  const { view } = subject();
  for (let number = 0; number <= 10_000; number += 1) view.miss(parsePath(`/none/${number}`));
  t.ok(view.mayKnow(OTHER));
});

t.test('a renamed file is known by its new name, and what was there is not', async (t) => {
  const { view, clock } = subject();
  view.tell(FILE, 10, view.generation);
  view.tell(OTHER, 20, view.generation);
  clock.ms = 61_500;
  view.move(FILE, OTHER);
  t.ok(view.isStale(FILE, 10));
  t.notOk(view.isStale(OTHER, 10));
  t.ok(view.isStale(OTHER, 20));
  t.ok(view.mayKnow(OTHER), 'though it has not looked it up');
});

t.test('a change that it may have missed goes with the file to its new name', async (t) => {
  const { view } = subject();
  view.tell(FILE, 10, view.generation);
  view.change([FILE]);
  view.move(FILE, OTHER);
  t.ok(view.isStale(OTHER, 10));
});

t.test(
  'a change of before of what had the name is no matter of the file that was renamed to it',
  async (t) => {
    const { view } = subject();
    view.tell(FILE, 10, view.generation);
    view.change([OTHER]);
    view.move(FILE, OTHER);
    t.notOk(view.isStale(OTHER, 10));
  },
);

t.test('what is in a renamed folder is known by names that nobody noted', async (t) => {
  const { view, clock } = subject();
  const now = parsePath('/docs/z/b.md');
  view.tell(now, 10, view.generation);
  view.lookUp(FILE);
  view.tell(FILE, 10, view.generation);
  view.move(parsePath('/docs/a'), parsePath('/docs/z'));
  t.ok(view.isStale(now, 10), 'what once was there had nothing to do with it');
  t.ok(view.mayKnow(now));
  t.notOk(view.mayKnow(OTHER), 'what lies elsewhere it knows as before');
  clock.ms = 62_000;
  t.notOk(view.mayKnow(now));
});

t.test('what is in renamed folders within one another is known by the latest name', async (t) => {
  const { view } = subject();
  const move = (from: string, to: string): void => view.move(parsePath(from), parsePath(to));
  move('/docs/a/in', '/docs/a/out');
  move('/docs/a', '/docs/z');
  move('/docs/z/out/deep', '/docs/deep');
  for (const path of ['/docs/z/out/b.md', '/docs/deep/b.md', '/docs/deep/below/b.md']) {
    t.ok(view.mayKnow(parsePath(path)), path);
  }
  t.notOk(view.mayKnow(parsePath('/docs/zz/b.md')));
});

t.test('more renamed folders than are kept: it may know any', async (t) => {
  const { view } = subject();
  for (let number = 0; number <= 1000; number += 1)
    view.move(parsePath('/docs/a'), parsePath(`/docs/${number}`));
  t.ok(view.mayKnow(OTHER));
});

t.test('a file with other names keeps that through writes and renames, until it is the last', async (t) => {
  const { view } = subject();
  t.notOk(view.hasOtherNames(FILE));
  view.tell(FILE, 10, view.generation, 2);
  view.tell(FILE, 11, view.generation);
  t.ok(view.hasOtherNames(FILE), 'a new size says nothing of names');
  view.move(parsePath('/docs/a'), parsePath('/docs/z'));
  t.notOk(view.hasOtherNames(FILE));
  const now = parsePath('/docs/z/b.md');
  t.ok(view.hasOtherNames(now));
  view.tell(now, 11, view.generation);
  view.move(now, OTHER);
  t.ok(view.hasOtherNames(OTHER));
  view.tell(OTHER, 11, view.generation, 1);
  t.notOk(view.hasOtherNames(OTHER));
  view.link(OTHER);
  t.ok(view.hasOtherNames(OTHER), 'as soon as one is made');
  view.tell(FILE, 1, view.generation);
  view.move(FILE, OTHER);
  t.notOk(view.hasOtherNames(OTHER), 'that was the file which is gone');
});

t.test('so many files with other names that they are not kept one by one: any may have', async (t) => {
  const { view } = subject();
  for (let number = 0; number < 50_000; number += 1) view.link(parsePath(`/linked/${number}`));
  t.ok(view.hasOtherNames(FILE));
  view.tell(parsePath('/linked/1'), 1, view.generation, 1);
  t.ok(view.hasOtherNames(FILE), 'and that stays so');
});
