import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { isFsError } from '../../src/core/errors.ts';
import type { Scratchpad } from '../../src/scratchpad/scratchpad.ts';
import { countDescriptors } from '../source/docs-fixture.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { ANY_FILE, at, emptyPad, get, NEW_FILE, outcomeOf, PLAIN, put } from './fixture.ts';

const SECRET = 'secret of the world outside';

/** Everything that can be asked of a path, by name. Each leaves the tree as it was, or what it made in the way of the next. */
const OPERATIONS: Readonly<Record<string, (pad: Scratchpad, path: string) => unknown>> = {
  stat: (pad, path) => pad.stat(at(path)),
  list: (pad, path) => pad.list(at(path)),
  'read link': (pad, path) => pad.readLink(at(path)),
  open: (pad, path) => get(pad, path),
  'open to write': (pad, path) => pad.openToWrite(at(path), { append: false, truncate: true }).close(),
  create: (pad, path) => put(pad, path, 'overwritten'),
  'create anew': (pad, path) => pad.create(at(path), NEW_FILE).close(),
  truncate: (pad, path) => pad.truncate(at(path), 0),
  'make a folder': (pad, path) => pad.makeFolder(at(path), 0o755),
  'remove a folder': (pad, path) => pad.removeFolder(at(path)),
  remove: (pad, path) => pad.remove(at(path)),
  'rename from': (pad, path) => pad.rename(at(path), at('stolen')),
  'rename to': (pad, path) => pad.rename(at('bait'), at(path)),
  'link from': (pad, path) => pad.link(at(path), at('stolen')),
  'link to': (pad, path) => pad.link(at('bait'), at(path)),
  symlink: (pad, path) => pad.symlink('x', at(path)),
  'make a node': (pad, path) => pad.makeNode(at(path), { kind: 'file', mode: 0o644, device: 0 }),
  'change mode': (pad, path) => pad.changeMode(at(path), 0o777),
  'change times': (pad, path) => pad.changeTimes(at(path), { accessedNs: 0n, modifiedNs: 0n }),
};

/** All of a folder that an operation could have changed. */
function stateOf(folder: string): unknown[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const { mode, mtimeMs, nlink, size } = lstatSync(path);
      const inside = lstatSync(path).isDirectory() ? stateOf(path) : readFileSync(path, 'utf8');
      return [name, mode, mtimeMs, nlink, size, inside];
    });
}

function outsideOf(t: { teardown(action: () => unknown): void }): string {
  const outside = join(temporaryFolder(t), 'outside');
  mkdirSync(join(outside, 'folder'), { recursive: true });
  writeFileSync(join(outside, 'secret.md'), SECRET);
  writeFileSync(join(outside, 'folder', 'secret.md'), SECRET);
  return outside;
}

t.test('no operation goes through a link, at any step of a path', async (t) => {
  for (const [name, operate] of Object.entries(OPERATIONS)) {
    const { pad } = emptyPad(t);
    const outside = outsideOf(t);
    const before = JSON.stringify(stateOf(outside));
    pad.makeFolder(at('in'), 0o755);
    put(pad, 'bait', 'bait');
    for (const link of ['out', 'in/out']) pad.symlink(outside, at(link));
    for (const path of [
      'out/secret.md',
      'out/new',
      'in/out/secret.md',
      'in/out/folder/secret.md',
      'out/folder',
    ]) {
      t.equal(
        outcomeOf(() => operate(pad, path)),
        'ENOTDIR',
        `${name} ${path}`,
      );
    }
    t.equal(JSON.stringify(stateOf(outside)), before);
  }
});

t.test('a link itself is what an operation is done to, never what it points to', async (t) => {
  for (const [name, operate] of Object.entries(OPERATIONS)) {
    const { pad } = emptyPad(t);
    const outside = outsideOf(t);
    const before = JSON.stringify(stateOf(outside));
    put(pad, 'bait', 'bait');
    pad.symlink(join(outside, 'secret.md'), at('file-link'));
    pad.symlink(join(outside, 'folder'), at('folder-link'));
    pad.symlink(join(outside, 'new'), at('new-link'));
    for (const path of ['file-link', 'folder-link', 'new-link']) {
      const answer = outcomeOf(() => operate(pad, path));
      t.notMatch(
        JSON.stringify(answer ?? '', (_, value) => String(value)),
        SECRET,
        `${name} ${path}`,
      );
    }
    t.equal(JSON.stringify(stateOf(outside)), before, name);
    t.notOk(existsSync(join(outside, 'new')), name);
  }
});

t.test('a folder that was used and then becomes a link is not gone through', async (t) => {
  const { pad, folder } = emptyPad(t);
  const outside = outsideOf(t);
  const before = JSON.stringify(stateOf(outside));
  for (const name of ['a', 'a/b', 'a/b/c']) pad.makeFolder(at(name), 0o755);
  put(pad, 'a/b/c/secret.md', 'inside');
  put(pad, 'bait', 'bait');
  renameSync(join(folder, 'a/b'), join(folder, 'aside'));
  symlinkSync(outside, join(folder, 'a/b'));
  mkdirSync(join(outside, 'c'));
  for (const [name, operate] of Object.entries(OPERATIONS)) {
    t.equal(
      outcomeOf(() => operate(pad, 'a/b/c/secret.md')),
      'ENOTDIR',
      name,
    );
    t.equal(
      outcomeOf(() => operate(pad, 'a/b/secret.md')),
      'ENOTDIR',
      name,
    );
  }
  t.same(readdirSync(join(outside, 'c')), []);
  t.not(JSON.stringify(stateOf(outside)), before, 'but for the folder that this test made');
});

t.test('a folder that was used and is moved out of the scratchpad is left alone', async (t) => {
  const { pad, folder } = emptyPad(t);
  const outside = temporaryFolder(t);
  pad.makeFolder(at('a'), 0o755);
  pad.makeFolder(at('a/b'), 0o755);
  put(pad, 'a/b/file', 'was inside');
  put(pad, 'bait', 'bait');
  renameSync(join(folder, 'a/b'), join(outside, 'b'));
  const before = JSON.stringify(stateOf(outside));
  for (const [name, operate] of Object.entries(OPERATIONS)) {
    t.equal(
      outcomeOf(() => operate(pad, 'a/b/file')),
      'ENOENT',
      name,
    );
  }
  t.equal(JSON.stringify(stateOf(outside)), before);
});

t.test('a scratchpad that is opened over links does not count what they point to', async (t) => {
  const parent = temporaryFolder(t);
  const first = emptyPad(t, {}, parent);
  first.pad.symlink('/', at('root'));
  first.pad.symlink(first.folder, at('self'));
  first.pad.close();
  const { pad } = emptyPad(t, {}, parent);
  t.ok(pad.space().totalBytes - pad.space().freeBytes <= 3 * 4096);
  t.equal(readlinkSync(join(first.folder, 'root')), '/');
});

const MAX_ASKS = 100_000;
/** How often each outcome has to be met before a race counts as run. */
const ENOUGH = 50;

/**
 * Asks until plain access by path was led outside often enough and `ask` was both served and refused, while a child
 * swaps the folder `a/b` and the file `a/x.md` for links to the outside.
 */
async function race(
  t: { teardown(action: () => unknown): void },
  ask: (pad: Scratchpad) => unknown,
): Promise<Readonly<Record<'led astray' | 'served' | 'refused', number>>> {
  const { pad, folder } = emptyPad(t);
  const outside = outsideOf(t);
  pad.makeFolder(at('a'), 0o755);
  pad.makeFolder(at('a/b'), 0o755);
  for (const path of ['a/b/secret.md', 'a/secret.md']) put(pad, path, 'inside');
  symlinkSync(outside, join(outside, '..', 'link-to-folder'));
  symlinkSync(join(outside, 'secret.md'), join(outside, '..', 'link-to-file'));
  const program = fileURLToPath(new URL('../source/swap-loop.js', import.meta.url));
  const pairs = [
    [join(folder, 'a/b'), join(outside, '..', 'link-to-folder')],
    [join(folder, 'a/secret.md'), join(outside, '..', 'link-to-file')],
  ].flat();
  const before = JSON.stringify(stateOf(outside));
  const child = spawn(process.execPath, [program, '100000000', ...pairs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const counts = { 'led astray': 0, served: 0, refused: 0 };
  try {
    await once(child.stdout, 'data');
    ask(pad);
  } catch (error) {
    if (!isFsError(error)) throw error;
  }
  const descriptors = countDescriptors();
  try {
    for (let asks = 0; asks < MAX_ASKS && Math.min(...Object.values(counts)) < ENOUGH; asks += 1) {
      if (readsOutside(join(folder, 'a/b/secret.md'))) counts['led astray'] += 1;
      try {
        ask(pad);
        counts.served += 1;
      } catch (error) {
        if (!isFsError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error;
        counts.refused += 1;
      }
      if (asks % 100 === 0) await setImmediate();
    }
    if (child.exitCode !== null) throw new Error('the child has stopped swapping');
    // The one folder that is swapped may be kept open, or not.
    if (countDescriptors() > descriptors + 2) throw new Error('descriptors are left behind');
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  if (JSON.stringify(stateOf(outside)) !== before) throw new Error('something outside was changed');
  return counts;
}

/** What a program does that opens the path as it is. */
function readsOutside(path: string): boolean {
  try {
    return readFileSync(path, 'utf8') === SECRET;
  } catch {
    return false;
  }
}

const RACES: Readonly<Record<string, (pad: Scratchpad) => void>> = {
  'reading in a folder that is swapped for a link': (pad) => requireInside(get(pad, 'a/b/secret.md')),
  'reading a file that is swapped for a link': (pad) => requireInside(get(pad, 'a/secret.md')),
  'writing to a file that is swapped for a link': (pad) => {
    const file = pad.create(at('a/secret.md'), ANY_FILE);
    file.write(Buffer.from('inside'), 0);
    file.close();
  },
  'emptying a file in a folder that is swapped for a link': (pad) => {
    pad.truncate(at('a/b/secret.md'), 0);
    put(pad, 'a/b/secret.md', 'inside');
  },
  'changing the mode and times of a file that is swapped for a link': (pad) => {
    pad.openToWrite(at('a/secret.md'), PLAIN).close();
    try {
      pad.changeMode(at('a/secret.md'), 0o600);
    } catch (error) {
      if (!isFsError(error, 'ENOTSUP')) throw error;
    }
    pad.changeOwner(at('a/secret.md'), {});
  },
  'making and removing in a folder that is swapped for a link': (pad) => {
    pad.create(at('a/b/new'), ANY_FILE).close();
    pad.remove(at('a/b/new'));
  },
};

for (const [name, ask] of Object.entries(RACES)) {
  t.test(`${name} stays inside`, async (t) => {
    const counts = await race(t, ask);
    t.ok(Math.min(...Object.values(counts)) >= ENOUGH, `each outcome was met: ${JSON.stringify(counts)}`);
  });
}

function requireInside(text: string): void {
  if (text !== 'inside' && text !== '') throw new Error(`${JSON.stringify(text)} came from outside`);
}
