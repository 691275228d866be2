import { MountClient } from '../conformance/mounted.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { Daemon, newMountPoint, shell } from './daemon.ts';
import { needsFuse } from './fuse-available.ts';
import { BEHAVIOURS, type Behaviour, DEADLINE_MS, OPERATIONS } from './misbehaving-tree.ts';

const behaviours = Object.keys(BEHAVIOURS).filter((name): name is Behaviour => name in BEHAVIOURS);

onEachDriver('every request is answered, once, whatever the tree does', needsFuse(), async (t, driver) => {
  const daemon = await Daemon.start(t, {
    driver,
    point: newMountPoint(t),
    tree: 'misbehaving',
    mount: { deadlineMs: DEADLINE_MS },
  });
  const client = new MountClient(daemon.point, []);
  t.teardown(() => client.close());
  const attempts: Record<(typeof OPERATIONS)[number], (path: string) => Promise<unknown>> = {
    stat: (path) => client.lstat(path),
    open: (path) => client.readFile(path),
    read: (path) => client.readFile(path),
    list: (path) => client.list(path),
    link: (path) => client.readLink(path),
    attribute: (path) => attributeOf(`${daemon.point}${path}`),
    'open to write': (path) => client.change({ operation: 'open to write', path }),
    write: (path) => client.change({ operation: 'write', path }),
    flush: (path) => client.change({ operation: 'write', path }),
  };
  for (const operation of OPERATIONS) {
    await t.test(operation, async (t) => {
      const outcomes = behaviours.map(async (behaviour) => [
        behaviour,
        await codeOf(attempts[operation](`/${operation}/${behaviour}`)),
      ]);
      // What a flush answers is nobody's business, so long as it ends.
      const anyAnswer = { 'answers nonsense': 'success', 'answers nonsense soon': 'success' };
      const expected = operation === 'flush' ? { ...BEHAVIOURS, ...anyAnswer } : BEHAVIOURS;
      t.same(Object.fromEntries(await Promise.all(outcomes)), expected);
    });
  }
  t.equal((await shell('ls "$1"', daemon.point)).status, 0, 'the daemon still serves');
  // What files are closed by is answered by then, or has timed out.
  await daemon.untilPending((count) => count === 0);
  const bugs = await daemon.tell({ do: 'bugs' });
  t.ok(Array.isArray(bugs) && bugs.some((bug) => /^\w+: planted$/.test(bug)), 'bugs are reported');
});

async function attributeOf(path: string): Promise<void> {
  const { status, output } = await shell(
    'getfattr -n user.kgraphfs.type --only-values --absolute-names "$1"',
    path,
  );
  if (status === 0) return;
  const messages: Record<string, string> = {
    'Input/output error': 'EIO',
    'Permission denied': 'EACCES',
    'Connection timed out': 'ETIMEDOUT',
  };
  const message = Object.keys(messages).find((text) => output.includes(text)) ?? '';
  throw Object.assign(new Error(output), { code: messages[message] ?? output });
}

async function codeOf(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
    return 'success';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}
