import t from 'tap';
import { isFsError } from '../../src/core/errors.ts';
import { msToNs } from '../../src/core/node-info.ts';
import { parsePath, type VfsPath } from '../../src/core/paths.ts';
import type { OpenFile } from '../../src/core/resolver.ts';
import { fixedResolver } from '../../src/resolvers/fixed.ts';
import { historyResolver } from '../../src/resolvers/history.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';
import { recording, SESSION, START_MS, written } from '../history/fixture.ts';
import type { Teardown } from '../support/temporary.ts';

const CONTEXT = {};
const HISTORY = parsePath('/context/history');
const NAME = `2026-11-21_${SESSION}.jsonl`;
const FILE = parsePath(`/context/history/${NAME}`);
const LIMIT_MS = 60_000;

function subject(t: Teardown) {
  const recorded = recording(t);
  const { store, history } = recorded;
  const resolver = historyResolver(store.history, history.onGrowth.bind(history), START_MS);
  const fs = new SystemFs(
    [
      { point: parsePath('/'), resolver: fixedResolver('root', {}, 0n) },
      { point: HISTORY, resolver },
    ],
    (error) => {
      throw error;
    },
  );
  return { ...recorded, fs };
}

function textOf(file: OpenFile, position = 0): string {
  const target = Buffer.alloc(10_000);
  const count = file.read(target, position);
  if (typeof count !== 'number') throw new Error('it answers at once');
  return target.subarray(0, count).toString();
}

async function codeOf(action: () => unknown): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    return isFsError(error) ? error.code : error;
  }
}

t.test('the time of the folder is that of its newest entry, found without a list of its files', async (t) => {
  const { fs, history, clock, store } = subject(t);
  clock.advance(1500);
  history.record(written('/a'));
  store.history.files = () => t.fail('the files were listed') as never;
  t.match(await fs.stat(HISTORY, CONTEXT), { modifiedNs: msToNs(START_MS + 1500) });
});

t.test('each session and day has a file of its exact size, for its owner alone', async (t) => {
  const { fs, history, clock } = subject(t);
  t.same(await fs.list(HISTORY, CONTEXT), []);
  t.match(await fs.stat(HISTORY, CONTEXT), {
    kind: 'directory',
    mode: 0o700,
    modifiedNs: msToNs(START_MS),
  });
  clock.advance(1500);
  history.record(written('/context/memory/fact/ü'));
  t.same(await fs.list(HISTORY, CONTEXT), [{ name: NAME, kind: 'file' }]);
  const file = await fs.open(FILE, CONTEXT);
  const modifiedNs = msToNs(START_MS + 1500);
  const sizeBytes = Buffer.byteLength(textOf(file));
  t.match(await fs.stat(FILE, CONTEXT), { kind: 'file', mode: 0o600, sizeBytes, modifiedNs });
  t.match(await fs.stat(HISTORY, CONTEXT), { modifiedNs });
  t.match(JSON.parse(textOf(file)), { path: '/context/memory/fact/ü', session_id: SESSION });
});

t.test('a file that is open grows, and what was read stays what it was', async (t) => {
  const { fs, history } = subject(t);
  history.record(written('/a'));
  const file = await fs.open(FILE, CONTEXT);
  const before = textOf(file);
  history.record(written('/b'));
  t.equal(file.sizeBytes, file.stat?.().sizeBytes);
  t.equal(file.sizeBytes, before.length * 2);
  t.match(JSON.parse(textOf(file, before.length)), { path: '/b' });
  t.equal(textOf(file).slice(0, before.length), before);
  t.equal(textOf(file, file.sizeBytes), '');
});

t.test('a file that retention gave up is empty for those who have it open', async (t) => {
  const { fs, history, store } = subject(t);
  history.record(written('/a'));
  const file = await fs.open(FILE, CONTEXT);
  const [{ id } = { id: 0 }] = store.history.files();
  store.transact(() => store.history.giveUp([id], 0));
  t.equal(file.sizeBytes, 0);
  t.match(file.stat?.(), { sizeBytes: 0 });
  t.equal(textOf(file), '');
  t.equal(await codeOf(() => fs.stat(FILE, CONTEXT)), 'ENOENT');
});

t.test('every change is refused as on a disk that is read-only', async (t) => {
  const { fs, history } = subject(t);
  history.record(written('/a'));
  const plain = { append: true, truncate: false };
  const create = { ...plain, mode: 0o644, exclusive: false };
  const other = parsePath('/context/history/other');
  const refused: [string, () => unknown][] = [
    ['append', () => fs.openToWrite(FILE, plain, CONTEXT)],
    ['overwrite', () => fs.openToWrite(FILE, { append: false, truncate: true }, CONTEXT)],
    ['create over', () => fs.create(FILE, create, CONTEXT)],
    ['truncate', () => fs.truncate(FILE, 0, CONTEXT)],
    ['remove', () => fs.remove(FILE, CONTEXT)],
    ['rename', () => fs.rename(FILE, other, CONTEXT)],
    ['make a folder', () => fs.makeFolder(other, 0o755, CONTEXT)],
    ['chmod', () => fs.changeMode(FILE, 0o777, CONTEXT)],
    ['touch', () => fs.changeTimes(FILE, {}, CONTEXT)],
    ['remove all', () => fs.removeFolder(HISTORY, CONTEXT)],
  ];
  for (const [what, action] of refused) t.equal(await codeOf(action), 'EROFS', what);
});

t.test('other names lead nowhere', async (t) => {
  const { fs, history } = subject(t);
  history.record(written('/a'));
  const code = (path: string, method: 'stat' | 'open' | 'list' = 'stat') =>
    codeOf(() => fs[method](parsePath(path), CONTEXT));
  t.equal(await code('/context/history/x'), 'ENOENT');
  t.equal(await code(`/context/history/2026-11-22_${SESSION}.jsonl`), 'ENOENT');
  t.equal(await code(`${FILE}/x`), 'ENOTDIR');
  t.equal(await code('/context/history/x/y'), 'ENOENT');
  t.equal(await code(FILE, 'list'), 'ENOTDIR');
  t.equal(await code('/context/history/x', 'list'), 'ENOENT');
  t.equal(await code('/context/history', 'open'), 'EISDIR');
});

t.test('growth is told once for many entries that come together', async (t) => {
  const { fs, history } = subject(t);
  const told: (readonly VfsPath[])[] = [];
  const first = new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error('nothing was told')), LIMIT_MS);
    fs.onChange((paths) => {
      clearTimeout(limit);
      told.push(paths);
      resolve();
    });
  });
  for (let n = 0; n < 100; n += 1) history.record(written(`/${n}`));
  await first;
  t.same(told, [[FILE]]);
});
