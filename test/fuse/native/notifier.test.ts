import t from 'tap';
import { Notifier, type NotifierOptions } from '../../../src/fuse/native/notifier.ts';

const CODES: Readonly<Record<number, string>> = { 2: 'node', 3: 'name', 8: 'all' };

/** A kernel that knows some names, and notes what it is told. */
function subject(options: Partial<NotifierOptions> & { known?: string[]; hasEpochs?: boolean } = {}) {
  const { known = ['docs', 'graph'], hasEpochs = true, ...rest } = options;
  const told: string[] = [];
  const state = { underWay: 0, mostUnderWay: 0 };
  const notifier = new Notifier({
    async send(message) {
      state.underWay += 1;
      state.mostUnderWay = Math.max(state.mostUnderWay, state.underWay);
      await new Promise((resolve) => setImmediate(resolve));
      state.underWay -= 1;
      const text = textOf(Buffer.from(message));
      told.push(text);
      if (text === 'all' && !hasEpochs) return 'EINVAL';
      return text.startsWith('name') && !known.includes(text.slice(5)) ? 'ENOENT' : undefined;
    },
    sendNow: () => undefined,
    lastLookUpMs: () => Number.NEGATIVE_INFINITY,
    nowMs: () => performance.now(),
    isAnswering: () => false,
    settled: () => Promise.resolve(),
    readsSettled: () => undefined,
    nodesInUse: async () => [],
    dropOfNodes: 'attributes',
    report: (error) => t.fail(String(error)),
    ...rest,
  });
  t.teardown(() => notifier.close());
  return { notifier, told, state };
}

function textOf(message: Buffer): string {
  const kind = CODES[message.readInt32LE(4)] ?? 'unknown';
  if (kind === 'name') return `name ${message.subarray(32, -1)}`;
  return kind === 'node' ? `node ${message.readBigUInt64LE(16)}` : kind;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

t.test('names go, and the attributes of the root', async (t) => {
  const { notifier, told } = subject();
  await notifier.invalidate(['docs', 'graph']);
  t.same(told, ['name docs', 'name graph', 'node 1']);
});

t.test('one message at a time, however many ask, and changes that wait are told together', async (t) => {
  const { notifier, told, state } = subject();
  await Promise.all(Array.from({ length: 50 }, () => notifier.invalidate(['docs'])));
  t.equal(state.mostUnderWay, 1);
  t.ok(told.length < 10, `${told.length} messages`);
});

t.test('a second round follows where requests wait, once they are answered', async (t) => {
  const answer = { given: () => {} };
  const settled = () => new Promise<void>((resolve) => (answer.given = resolve));
  let waits = 0;
  const { notifier, told } = subject({
    isAnswering: () => true,
    settled: () => {
      waits += 1;
      return settled();
    },
  });
  await notifier.invalidate(['docs']);
  await until(() => waits === 1);
  t.equal(told.length, 2, 'not before');
  answer.given();
  await until(() => told.length === 4);
  t.same(told.slice(2), ['name docs', 'node 1']);
});

t.test('a second round follows look-ups of a moment ago, for their names', async (t) => {
  const { notifier, told } = subject({
    lastLookUpMs: (name) => performance.now() - (name === 'docs' ? 100 : 5000),
  });
  await notifier.invalidate(['docs', 'graph']);
  await until(() => told.length === 5);
  t.same(told, ['name docs', 'name graph', 'node 1', 'name docs', 'node 1']);
});

t.test('nodes in use lose what the mount wants them to lose', async (t) => {
  const { notifier, told } = subject({
    nodesInUse: async (names) => (names.includes('docs') ? [7n, 9n] : []),
  });
  await notifier.invalidate(['docs']);
  t.same(told, ['name docs', 'node 1', 'node 7', 'node 9']);
});

t.test('pages of nodes in use go after the reads that wait, their attributes before', async (t) => {
  const reads: { end: () => void }[] = [];
  const wait = () => new Promise<void>((resolve) => reads.push({ end: resolve }));
  let waiting = 2;
  const { notifier, told } = subject({
    nodesInUse: async () => [7n],
    dropOfNodes: 'attributes and pages',
    readsSettled: () => (waiting-- > 0 ? wait() : undefined),
  });
  const forgotten = notifier.invalidate(['docs']);
  const names = ['name docs', 'node 1', 'node 7'];
  for (const count of [1, 2]) {
    await until(() => reads.length === count);
    t.same(told, names, `before read ${count}`);
    reads[count - 1]?.end();
  }
  await forgotten;
  t.same(told, [...names, 'node 7']);
});

t.test('an unknown name with look-ups since has all names looked up again', async (t) => {
  const { notifier, told } = subject({ known: [], lastLookUpMs: () => performance.now() });
  await notifier.invalidate(['docs']);
  t.same(told, ['name docs', 'all', 'node 1']);
});

t.test('an unknown name without look-ups is just unknown', async (t) => {
  const { notifier, told } = subject({ known: [] });
  await notifier.invalidate(['docs']);
  t.same(told, ['name docs', 'node 1']);
});

t.test('an older kernel is told again when the name is back', async (t) => {
  const { notifier, told } = subject({ known: [], hasEpochs: false, lastLookUpMs: () => performance.now() });
  await notifier.invalidate(['docs']);
  await until(() => told.filter((text) => text === 'node 1').length === 2);
  const before = told.length;
  notifier.lookedUp('graph');
  notifier.lookedUp('docs');
  await until(() => told.length === before + 2);
  t.same(told.slice(before), ['name docs', 'node 1']);
  t.equal(told.filter((text) => text === 'all').length, 1, 'and never asked again for what it cannot do');
});

t.test('nothing is sent once the mount is gone', async (t) => {
  const { notifier, told } = subject();
  notifier.close();
  await notifier.invalidate(['docs']);
  t.same(told, []);
});

t.test('a failure is reported, and the next change is told', async (t) => {
  const failures: unknown[] = [];
  let calls = 0;
  const { notifier, told } = subject({
    nodesInUse: async () => {
      calls += 1;
      if (calls === 1) throw new Error('planted');
      return [];
    },
    report: (error) => failures.push(error),
  });
  await notifier.invalidate(['docs']);
  await notifier.invalidate(['graph']);
  t.equal(failures.length, 1);
  t.ok(told.includes('name graph'));
});

t.test('invalidating now is one message, sent before it returns', async (t) => {
  const sent: string[] = [];
  const { notifier, told } = subject({
    sendNow: (message) => {
      sent.push(textOf(Buffer.from(message)));
      return undefined;
    },
  });
  notifier.invalidateNow('docs');
  t.same(sent, ['all']);
  notifier.close();
  notifier.invalidateNow('docs');
  t.same([sent, told], [['all'], []], 'and none once the mount is gone');
});

t.test('an older kernel is told of the name instead, and asked once what it can do', async (t) => {
  let asked = 0;
  const { notifier, told } = subject({
    sendNow: () => {
      asked += 1;
      return 'EINVAL';
    },
  });
  notifier.invalidateNow('docs');
  notifier.invalidateNow('docs');
  await until(() => told.includes('node 1'));
  t.equal(asked, 1);
  t.ok(told.includes('name docs'));
});
