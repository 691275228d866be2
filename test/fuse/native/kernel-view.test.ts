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

t.test('an open is sent back once, and again only when nobody can be on the way back', async (t) => {
  const { view, clock } = subject();
  t.ok(view.sendsBack(FILE, 10));
  t.notOk(view.sendsBack(FILE, 10));
  view.tell(FILE, 10, view.generation);
  t.notOk(view.sendsBack(FILE, 10));
  view.change([FILE]);
  t.notOk(view.sendsBack(FILE, 10), 'it may be the same caller');
  clock.ms = 1000;
  t.ok(view.sendsBack(FILE, 10));
  t.ok(view.sendsBack(OTHER, 10), 'another path is another matter');
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
