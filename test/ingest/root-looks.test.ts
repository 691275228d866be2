import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { wayTo } from '../../src/ingest/root-looks.ts';
import { findLater, notePoolThreads } from '../../src/system/found-place.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { hangingMount } from '../support/hanging-mount.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { within } from '../support/within.ts';
import { until, type Watching, watching } from './watch-fixture.ts';

/** Half of the time after which it would be looked where nothing is told. */
const TOLD_WITHIN_MS = 10_000;

t.test('the way to a folder is all that lies above it, and where links on it lead', async (t) => {
  const folder = realpathSync(temporaryFolder(t));
  const at = (path: string) => join(folder, path);
  mkdirSync(at('releases/2/docs'), { recursive: true });
  symlinkSync('releases/2', at('current'));
  symlinkSync(at('current/docs'), at('docs'));
  const way = await wayTo(at('docs'), () => {});
  t.same(await wayTo('/', () => {}), []);
  for (const path of ['', 'docs', 'current', 'current/docs', 'releases', 'releases/2']) {
    t.ok(way.includes(join(folder, path)), path);
  }
  symlinkSync('circle', at('circle'));
  t.ok((await wayTo(at('circle'), () => {})).includes(at('circle')), 'a circle is gone round once');
  await t.rejects(
    wayTo(at('circle/docs'), () => {}),
    { code: 'ELOOP' },
  );
});

t.test('where the way to a folder does not answer, the folder does not', needsFuse(), async (t) => {
  const folder = realpathSync(temporaryFolder(t));
  const { docs, hang } = await hangingMount(t);
  notePoolThreads(1);
  t.teardown(() => notePoolThreads(Number.POSITIVE_INFINITY));
  symlinkSync(join(docs, 'new'), join(folder, 'docs'));
  hang();
  const code = 'ETIMEDOUT';
  await t.rejects(
    wayTo(join(folder, 'docs'), () => {}),
    { code },
  );
  await t.rejects(findLater(join(folder, 'other')), { code, message: /was not looked at/ });
  await t.rejects(findLater(join(folder, 'docs')), { code, message: /its disk does not answer/ });
});

/** Docs that are followed by another path than their own. */
async function following(t: Test, docs: string): Promise<Watching & { comesBack(): Promise<void> }> {
  const watched = await watching(t, { docs });
  const { states, told } = watched;
  return {
    ...watched,
    /** The folder that lies there now is followed. */
    async comesBack() {
      await watched.isWatching();
      told.clear();
      writeFileSync(join(docs, 'x.md'), 'x');
      await watched.tells('x.md');
      states.length = 0;
    },
  };
}

function isMissed({ states }: Watching): Promise<void> {
  const missed = until('the docs to be missed', () => states.some(({ kind }) => kind === 'missing'));
  return within(TOLD_WITHIN_MS, missed);
}

t.test('another folder at the path is told at once, whatever was renamed to bring it there', async (t) => {
  const folder = temporaryFolder(t);
  const at = (path: string) => join(folder, path);
  for (const release of ['1', '2', '3']) mkdirSync(at(`releases/${release}/docs`), { recursive: true });
  symlinkSync('releases/1', at('current'));
  symlinkSync('current/docs', at('docs'));
  const watched = await following(t, at('docs'));
  const replaceLink = (target: string, path: string) => {
    symlinkSync(target, at('new'));
    renameSync(at('new'), at(path));
  };
  for (const change of [
    () => replaceLink('releases/2', 'current'),
    () => replaceLink('releases/3/docs', 'docs'),
    () => {
      renameSync(at('releases'), at('old'));
      mkdirSync(at('releases/3/docs'), { recursive: true });
    },
    () => {
      rmSync(at('docs'));
      mkdirSync(at('docs'));
    },
  ]) {
    watched.states.length = 0;
    change();
    await isMissed(watched);
    await watched.comesBack();
  }
  t.pass('each was');
});

t.test('docs that are removed and made anew at once are missed soon', async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'a.md'), '# A');
  const watched = await following(t, docs);
  for (let round = 1; round <= 3; round += 1) {
    watched.states.length = 0;
    rmSync(docs, { recursive: true });
    mkdirSync(docs);
    await isMissed(watched);
    await watched.comesBack();
  }
  t.pass('each time');
});

t.test(
  'where nothing can be watched, docs that are replaced just before that is tried again are told as others',
  async (t) => {
    const docs = join(temporaryFolder(t), 'docs');
    const inotify = () => {
      throw Object.assign(new Error('too many'), { code: 'EMFILE', syscall: 'inotify_init1' });
    };
    const { watch, states } = await watching(t, { docs, inotify });
    await until('it to be known', () => states.at(-1)?.kind === 'limited');
    renameSync(docs, `${docs}-before`);
    mkdirSync(docs);
    watch.retry();
    await until('the others to be told', () =>
      states.some((state) => state.kind === 'missing' && state.reason.endsWith('was replaced')),
    );
    await until('them to be followed', () => states.at(-1)?.kind === 'limited');
    t.equal(watch.folder(), realpathSync(docs));
  },
);

const skip = process.getuid?.() !== 0 && 'this needs root';

t.test('what is mounted over the docs, and unmounted, is told at once', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'above/docs');
  mkdirSync(docs, { recursive: true });
  mkdirSync(join(folder, 'other/docs'), { recursive: true });
  const watched = await following(t, docs);
  execFileSync('mount', ['--bind', join(folder, 'other'), join(folder, 'above')]);
  let isMounted = true;
  // What is watched there keeps it busy.
  const unmount = () => {
    if (isMounted) execFileSync('umount', ['-l', join(folder, 'above')]);
    isMounted = false;
  };
  t.teardown(unmount);
  await isMissed(watched);
  await watched.comesBack();
  unmount();
  await isMissed(watched);
  await watched.comesBack();
  t.pass('both were');
});
