import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { isAskingDisks } from '../../src/system/disk-waits.ts';
import {
  ANSWER_WITHIN_MS,
  askAbout,
  atPlace,
  findLater,
  notePoolThreads,
  noteServedDisk,
} from '../../src/system/found-place.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { hangingMount } from '../support/hanging-mount.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { within } from '../support/within.ts';

const NO_ANSWER = { code: 'ETIMEDOUT', syscall: 'open' };
/** Far less than {@link ANSWER_WITHIN_MS}; a machine that is busy may take its time. */
const AT_ONCE_MS = 5000;
/** Until all are given up that were asked for at the same time. */
const GIVEN_UP_MS = ANSWER_WITHIN_MS + AT_ONCE_MS;

const SERVED = { message: /lies in the mount/ };

/** `major:minor` of a disk, as sysmacros.h takes `st_dev` apart. */
function deviceOf(path: string): string {
  const { dev } = statSync(path);
  return `${Math.floor(dev / 0x100) & 0xfff}:${(dev & 0xff) | (Math.floor(dev / 0x1000) & 0xf_ff00)}`;
}

t.test('what lies on a disk that this process serves is not found while it does', async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(folder, join(folder, 'link'));
  const endServing = noteServedDisk(deviceOf(folder));
  const before = readdirSync('/proc/self/fd').length;
  await t.rejects(findLater(join(folder, 'link')), SERVED);
  await t.rejects(
    atPlace(folder, 0, () => t.fail('it is not looked at')),
    SERVED,
  );
  t.equal(readdirSync('/proc/self/fd').length, before, 'no descriptor stays');
  endServing();
  t.equal(await atPlace(join(folder, 'link'), 0, (handlePath) => readlinkSync(handlePath)), folder);
});

t.test('what was found stays the same, whatever comes to lie at its path', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a'), '');
  const before = descriptors();
  const names = await atPlace(join(folder, 'docs'), 0, (handlePath) => {
    renameSync(join(folder, 'docs'), join(folder, 'moved'));
    mkdirSync(join(folder, 'docs'));
    return readdirSync(handlePath);
  });
  t.same(names, ['a']);
  t.equal(descriptors(), before, 'no descriptor stays');
});

t.test('what is not there is an error of each who asks alone', async (t) => {
  const folder = temporaryFolder(t);
  const missing = findLater(join(folder, 'missing'));
  const found = atPlace(folder, 0, (handlePath) => readlinkSync(handlePath));
  await t.rejects(missing, { code: 'ENOENT' });
  t.equal(await found, folder);
});

/** Asks about paths, of which each answers when the test has it. */
function asking() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (path: string) =>
    askAbout(path, async () => {
      begun.push(path);
      await new Promise<void>((resolve) => ends.set(path, resolve));
    });
  return { begun, ask, end: (path: string) => ends.get(path)?.() };
}

t.test('what is asked about a path, and about what lies below it, is asked in turn', async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const { begun, ask, end } = asking();
  const asked = ['/a', '/a/b', '/ab', '/a'].map(ask);
  await nextTurn();
  t.same(begun, ['/a', '/ab']);
  end('/ab');
  await nextTurn();
  t.same(begun, ['/a', '/ab']);
  end('/a');
  await nextTurn();
  t.same(begun, ['/a', '/ab', '/a/b', '/a']);
  end('/a/b');
  end('/a');
  await Promise.all(asked);
  t.equal(timers(), before, 'nobody waits for the end of any');
});

t.test('no more paths are asked about at once than there are threads to spare', async (t) => {
  t.teardown(() => notePoolThreads(Number.POSITIVE_INFINITY));
  for (const [threads, atOnce] of [
    [100, 3],
    [6, 3],
    [5, 2],
    [4, 1],
    [1, 1],
  ] as const) {
    notePoolThreads(threads);
    const { begun, ask, end } = asking();
    const asked = ['/a', '/b', '/c', '/d', '/e'].map(ask);
    for (let ended = 0; ended < asked.length; ended += 1) {
      await nextTurn();
      t.equal(begun.length, Math.min(ended + atOnce, asked.length), `${threads} threads, ${ended} ended`);
      end(begun[ended] ?? '');
    }
    await Promise.all(asked);
  }
});

function descriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

t.test('a path that does not answer is given up, and holds up no other', needsFuse(), async (t) => {
  const folder = temporaryFolder(t);
  const { docs, hang, goOn } = await hangingMount(t);
  const before = descriptors();
  hang();
  const startMs = performance.now();
  const asked = findLater(docs);
  const again = findLater(docs);
  const below = atPlace(join(docs, 'a.txt'), 0, (): number => {
    throw new Error('it is looked at');
  });
  for (const refused of [asked, again, below]) refused.catch(() => {});
  t.equal(
    await within(
      AT_ONCE_MS,
      atPlace(folder, 0, (path) => readlinkSync(path)),
    ),
    folder,
  );
  for (const refused of [asked, again, below]) await within(GIVEN_UP_MS, t.rejects(refused, NO_ANSWER));
  t.ok(performance.now() - startMs >= ANSWER_WITHIN_MS);
  await within(AT_ONCE_MS, t.rejects(findLater(docs), NO_ANSWER, 'at once from then on'));
  await within(AT_ONCE_MS, t.rejects(findLater(join(docs, 'new')), NO_ANSWER, 'and what lies below'));
  t.equal(
    await within(
      AT_ONCE_MS,
      atPlace(folder, 0, (path) => readlinkSync(path)),
    ),
    folder,
  );
  goOn();
  await until('it to answer again', () => atPlace(docs, 0, () => true));
  t.equal(descriptors(), before, 'what came late is closed');
});

t.test('of paths that do not answer, few threads wait, and the rest is refused', needsFuse(), async (t) => {
  const folder = temporaryFolder(t);
  const { point, hang, goOn } = await hangingMount(t);
  const before = descriptors();
  hang();
  const asked = Array.from({ length: 9 }, (_, index) => findLater(join(point, `new-${index}`)));
  await Promise.all(asked.map((one) => within(GIVEN_UP_MS, t.rejects(one, NO_ANSWER))));
  await within(AT_ONCE_MS, stat(folder));
  await within(AT_ONCE_MS, t.rejects(findLater(folder), { ...NO_ANSWER, message: /others/ }));
  goOn();
  t.ok(await until('others to be asked again', () => atPlace(folder, 0, () => true)));
  await until('all to have ended', () => atPlace(join(point, 'docs'), 0, () => true));
  t.equal(descriptors(), before);
});

t.test('whoever ends a process is told that it looks for what may not answer', async (t) => {
  t.notOk(isAskingDisks());
  const look = askAbout('/some/path', async () => isAskingDisks());
  t.ok(await look);
  t.notOk(isAskingDisks());
});

t.test('a process that ends while it looks does first what is to be done at its end', async (t) => {
  const module = new URL('../../src/system/found-place.js', import.meta.url).href;
  const script = `
    process.on('exit', () => console.log('ends once'));
    const { askAbout } = await import('${module}');
    process.once('exit', (status) => {
      console.log('ends with', status);
      process.exitCode = 5;
    });
    void askAbout('/some/path', () => new Promise(() => {}));
    process.exit(4);`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  t.equal(stdout, 'ends once\nends with 4\n');
  t.equal(status, 5);
});

t.test('what is asked about a place that was found is given up, too', needsFuse(), async (t) => {
  const { docs, hang, goOn } = await hangingMount(t);
  const before = descriptors();
  const asked = atPlace(docs, 0, async (handlePath) => {
    hang();
    await stat(join(handlePath, 'new'));
  });
  await within(GIVEN_UP_MS, t.rejects(asked, NO_ANSWER));
  goOn();
  await until('it to answer again', () => atPlace(docs, 0, () => true));
  t.equal(descriptors(), before);
});

async function until<T>(what: string, look: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + GIVEN_UP_MS;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > endMs) throw new Error(`waited in vain for ${what}`, { cause: error });
      await delay(20);
    }
  }
}
