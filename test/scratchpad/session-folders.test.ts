import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { UserError } from '../../src/core/errors.ts';
import { openScratchpad } from '../../src/scratchpad/scratchpad.ts';
import {
  type ClearingOptions,
  prepareScratchpad,
  removeOldScratchpads,
} from '../../src/scratchpad/session-folders.ts';
import { countDescriptors } from '../source/docs-fixture.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { at, get, NEW_FILE, put } from './fixture.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const isRoot = process.getuid?.() === 0;

/** Days from now, since nobody can set the time of a change back. */
function inDays(days: number): number {
  return Date.now() + days * DAY_MS;
}

function clearing(scratchpadsFolder: string, options: Partial<ClearingOptions> = {}): ClearingOptions {
  return { scratchpadsFolder, isLive: () => false, nowMs: inDays(8), ...options };
}

t.test('a new session has an empty scratchpad, closed to others', async (t) => {
  const parent = join(temporaryFolder(t), 'state', 'scratchpads');
  const umask = process.umask(0);
  t.teardown(() => process.umask(umask));
  const folder = prepareScratchpad(parent, 's-1');
  t.equal(folder, join(parent, 's-1'));
  const pad = openScratchpad(folder);
  t.same(pad.list(at('')), []);
  t.equal(pad.stat(at('')).mode, 0o700);
  for (const path of [parent, folder, join(folder, 'files')]) t.equal(statSync(path).mode & 0o777, 0o700);
  pad.close();
});

t.test('a resumed session has what it left', async (t) => {
  const parent = temporaryFolder(t);
  const first = openScratchpad(prepareScratchpad(parent, 's-1'));
  put(first, 'draft', 'kept');
  first.close();
  const other = openScratchpad(prepareScratchpad(parent, 's-2'));
  t.same(other.list(at('')), []);
  other.close();
  const second = openScratchpad(prepareScratchpad(parent, 's-1'));
  t.equal(get(second, 'draft'), 'kept');
  second.close();
  t.same(readdirSync(parent).sort(), ['s-1', 's-2']);
});

t.test('an id that is none, and a link in the place of a scratchpad, are refused', async (t) => {
  const parent = temporaryFolder(t);
  const outside = temporaryFolder(t);
  mkdirSync(join(outside, 'files'));
  for (const id of ['', '.', '..', 'a/b', '.new-x', '-x', 'a\0b']) {
    t.throws(() => prepareScratchpad(parent, id), UserError, id);
  }
  symlinkSync(outside, join(parent, 'linked'));
  t.throws(() => prepareScratchpad(parent, 'linked'), UserError);
  writeFileSync(join(parent, 'file'), '');
  t.throws(() => prepareScratchpad(parent, 'file'), UserError);
  symlinkSync(outside, join(parent, 'all'));
  t.throws(
    () => prepareScratchpad(join(parent, 'all'), 's'),
    UserError,
    'a link in the place of all of them',
  );
  t.same(readdirSync(outside), ['files']);
});

t.test('old scratchpads go, young ones and those of live sessions stay', async (t) => {
  const parent = temporaryFolder(t);
  for (const id of ['old', 'live']) {
    const pad = openScratchpad(prepareScratchpad(parent, id));
    pad.makeFolder(at('folder'), 0o755);
    put(pad, 'folder/a', 'content');
    pad.close();
  }
  writeFileSync(join(parent, 'not a session'), '');
  t.same(await removeOldScratchpads(clearing(parent, { nowMs: inDays(6) })), { removed: [], failed: [] });
  const cleared = await removeOldScratchpads(clearing(parent, { isLive: (id) => id === 'live' }));
  t.same(cleared, { removed: ['old'], failed: [] });
  t.same(readdirSync(parent).sort(), ['live', 'not a session']);
  const younger = await removeOldScratchpads(clearing(parent, { maxAgeMs: 9 * DAY_MS }));
  t.same(younger.removed, []);
});

t.test('where there are no scratchpads there is nothing to clear away', async (t) => {
  const parent = join(temporaryFolder(t), 'none');
  t.same(await removeOldScratchpads(clearing(parent)), { removed: [], failed: [] });
});

/** Times of files are those of the last tick of the kernel, some 10 ms ago. */
const MARGIN_MS = 100;

t.test('one that a session used while it was looked through stays', async (t) => {
  const parent = temporaryFolder(t);
  const first = openScratchpad(prepareScratchpad(parent, 's'));
  // More than are looked at in one go.
  for (let count = 0; count < 250; count += 1) put(first, `${count}`, '');
  first.close();
  const madeMs = Date.now();
  while (Date.now() < madeMs + MARGIN_MS) await setImmediate();
  const nowMs = Date.now();
  while (Date.now() < nowMs + MARGIN_MS) await setImmediate();
  const clearing = removeOldScratchpads({
    scratchpadsFolder: parent,
    isLive: () => false,
    nowMs,
    maxAgeMs: 0,
  });
  const second = openScratchpad(prepareScratchpad(parent, 's'));
  put(second, 'draft', 'kept');
  second.close();
  t.same(await clearing, { removed: [], failed: [] });
  const third = openScratchpad(prepareScratchpad(parent, 's'));
  t.equal(get(third, 'draft'), 'kept');
  third.close();
});

t.test('a change deep inside counts as use, and so does the resumption', async (t) => {
  const parent = temporaryFolder(t);
  const pad = openScratchpad(prepareScratchpad(parent, 's'));
  pad.makeFolder(at('a'), 0o755);
  put(pad, 'a/b', '');
  const file = join(parent, 's/files/a/b');
  const waitsFor = async (change: () => void): Promise<void> => {
    const before = Date.now();
    while (Date.now() <= before + 2 * MARGIN_MS) await setImmediate();
    change();
    const since = Date.now();
    const nowMs = since + 7 * DAY_MS - MARGIN_MS;
    t.same((await removeOldScratchpads(clearing(parent, { nowMs }))).removed, []);
  };
  await waitsFor(() => writeFileSync(file, 'changed'));
  await waitsFor(() => pad.close());
  await waitsFor(() => prepareScratchpad(parent, 's'));
  t.equal(readFileSync(file, 'utf8'), 'changed');
});

t.test('clearing away follows no link and leaves what they point to', async (t) => {
  const parent = temporaryFolder(t);
  const outside = temporaryFolder(t);
  writeFileSync(join(outside, 'precious'), 'precious');
  const pad = openScratchpad(prepareScratchpad(parent, 's'));
  pad.symlink(outside, at('folder-link'));
  pad.symlink(join(outside, 'precious'), at('file-link'));
  pad.close();
  const mode = lstatSync(outside).mode;
  symlinkSync(outside, join(parent, 'linked-session'));
  symlinkSync(outside, join(parent, '.removing-linked'));
  const { removed, failed } = await removeOldScratchpads(clearing(parent));
  t.same(removed, ['s']);
  t.same(failed.map(({ sessionId }) => sessionId).sort(), ['.removing-linked', 'linked-session']);
  t.equal(readFileSync(join(outside, 'precious'), 'utf8'), 'precious');
  t.equal(lstatSync(outside).mode, mode);
});

t.test('folders that are closed even to their owner go too', async (t) => {
  const passable = temporaryFolder(t);
  const parent = join(passable, 'scratchpads');
  const pad = openScratchpad(prepareScratchpad(parent, 's'));
  for (const folder of ['a', 'a/b', 'a/b/c']) pad.makeFolder(at(folder), 0o755);
  pad.create(at('a/b/c/file'), { ...NEW_FILE, mode: 0 }).close();
  for (const folder of ['a/b/c', 'a/b', 'a', '']) pad.changeMode(at(folder), 0);
  pad.close();
  const program = fileURLToPath(new URL('clear-program.js', import.meta.url));
  // Root is kept out by no mode, so another user clears away.
  if (isRoot) {
    execFileSync('chown', ['-R', '65534:65534', parent]);
    chmodSync(passable, 0o755);
  }
  const run = spawnSync(
    isRoot ? 'setpriv' : process.execPath,
    [
      ...(isRoot ? ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath] : []),
      program,
      parent,
    ],
    { encoding: 'utf8' },
  );
  t.same(JSON.parse(run.stdout), { removed: ['s'], failed: [] }, run.stderr);
  t.same(readdirSync(parent), []);
});

t.test('a scratchpad of many files and one that is deeper than any path go too', async (t) => {
  const parent = temporaryFolder(t);
  const pad = openScratchpad(prepareScratchpad(parent, 's'));
  pad.makeFolder(at('wide'), 0o755);
  for (let number = 0; number < 3000; number += 1) pad.create(at(`wide/${number}`), NEW_FILE).close();
  // Each round moves all that is there one level down.
  pad.makeFolder(at('d'), 0o755);
  for (let depth = 0; depth < 3000; depth += 1) {
    pad.makeFolder(at('next'), 0o755);
    pad.rename(at('d'), at('next/d'));
    pad.rename(at('next'), at('d'));
  }
  pad.close();
  const descriptors = countDescriptors();
  let turns = 0;
  const turning = (async () => {
    while (turns >= 0) {
      turns += 1;
      await setImmediate();
    }
  })();
  t.same(await removeOldScratchpads(clearing(parent)), { removed: ['s'], failed: [] });
  t.ok(turns > 30, `others had ${turns} turns`);
  turns = Number.NEGATIVE_INFINITY;
  await turning;
  t.equal(countDescriptors(), descriptors);
  t.same(readdirSync(parent), []);
});

t.test('a session that is resumed while its scratchpad is cleared away keeps it', async (t) => {
  const parent = temporaryFolder(t);
  const first = openScratchpad(prepareScratchpad(parent, 's'));
  put(first, 'draft', 'kept');
  first.close();
  let asks = 0;
  let second: ReturnType<typeof openScratchpad> | undefined;
  const isLive = (): boolean => {
    asks += 1;
    if (asks === 1) {
      second = openScratchpad(prepareScratchpad(parent, 's'));
      return false;
    }
    t.same(
      readdirSync(parent).filter((name) => name === 's'),
      [],
      'it is away already',
    );
    return true;
  };
  // Long from now, since the preparation counts as use.
  t.same(await removeOldScratchpads(clearing(parent, { isLive })), { removed: [], failed: [] });
  t.equal(asks, 2);
  t.equal(second && get(second, 'draft'), 'kept');
  t.same(readdirSync(parent), ['s']);
  second?.close();
});

t.test('a session that is resumed a moment after gets an empty one, which stays', async (t) => {
  const parent = temporaryFolder(t);
  const first = openScratchpad(prepareScratchpad(parent, 's'));
  put(first, 'draft', 'gone');
  first.close();
  let asks = 0;
  const isLive = (): boolean => {
    asks += 1;
    if (asks === 2) prepareScratchpad(parent, 's');
    return asks === 2;
  };
  t.same(await removeOldScratchpads(clearing(parent, { isLive })), { removed: ['s'], failed: [] });
  t.same(readdirSync(parent), ['s']);
  t.same(readdirSync(join(parent, 's/files')), []);
});

t.test('what a crash left half removed or half made is never resumed, and goes the next time', async (t) => {
  const parent = temporaryFolder(t);
  openScratchpad(prepareScratchpad(parent, 's')).close();
  renameSync(join(parent, 's'), join(parent, '.removing-x'));
  mkdirSync(join(parent, '.new-x/files'), { recursive: true });
  const pad = openScratchpad(prepareScratchpad(parent, 's'));
  t.same(pad.list(at('')), []);
  pad.close();
  await removeOldScratchpads(clearing(parent, { nowMs: Date.now() }));
  t.ok(existsSync(join(parent, '.removing-x')), 'it may be under way');
  await removeOldScratchpads(clearing(parent, { nowMs: Date.now() + 61_000 }));
  t.same(readdirSync(parent).sort(), ['.new-x', 's']);
  await removeOldScratchpads(clearing(parent, { isLive: () => true }));
  t.same(readdirSync(parent), ['s']);
});
