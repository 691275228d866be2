import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { isFsError } from '../../src/core/errors.ts';
import { readDocument } from '../../src/source/document-text.ts';
import { scan } from '../../src/source/scan.ts';
import { countDescriptors, type Fixture, openFixture, readText, SECRET } from './docs-fixture.ts';

/** How often each outcome has to be met before the race counts as run; on one core that takes many more asks than on two. */
const ENOUGH = 50;

/**
 * Asks until plain reading by path was led outside often enough and `ask` was both served and refused, while a child
 * swaps the folder `a/b` and the file `a/x.md` for links to the outside, and the file `a/f.md` for a FIFO.
 */
async function race(t: Test, ask: (fixture: Fixture) => unknown): Promise<void> {
  const fixture = openFixture(t, { 'a/b/x.md': 'inside', 'a/x.md': 'inside', 'a/f.md': 'inside' });
  const { folder, outside } = fixture;
  writeFileSync(join(outside, 'x.md'), SECRET);
  symlinkSync(outside, join(outside, 'link-to-folder'));
  symlinkSync(join(outside, 'x.md'), join(outside, 'link-to-file'));
  execFileSync('mkfifo', [join(outside, 'fifo')]);
  const pairs = Object.entries({
    'a/b': 'link-to-folder',
    'a/x.md': 'link-to-file',
    'a/f.md': 'fifo',
  }).flatMap(([path, other]) => [join(folder, path), join(outside, other)]);
  const program = fileURLToPath(new URL('swap-loop.js', import.meta.url));
  const child = spawn(process.execPath, [program, '100000000', ...pairs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    const counts = { leaked: 0, served: 0, refused: 0 };
    const descriptors = countDescriptors();
    for (let asks = 0; Math.min(...Object.values(counts)) < ENOUGH; asks += 1) {
      if (readsOutside(join(folder, 'a/b/x.md'))) counts.leaked += 1;
      try {
        const answer = ask(fixture);
        if (JSON.stringify(answer).includes(SECRET)) throw new Error('the secret came through');
        counts.served += 1;
      } catch (error) {
        if (!isFsError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error;
        counts.refused += 1;
      }
      if (asks % 100 === 0) await setImmediate();
    }
    t.equal(child.exitCode, null, 'the child was swapping all the time');
    fixture.root.close();
    t.equal(countDescriptors(), descriptors - 1, 'no descriptor is left behind, nor the root’s own');
    t.ok(Math.min(...Object.values(counts)) >= ENOUGH, `each outcome was met: ${JSON.stringify(counts)}`);
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

/** What a program does that opens the path as it is. */
function readsOutside(path: string): boolean {
  try {
    return readFileSync(path, 'utf8') === SECRET;
  } catch {
    return false;
  }
}

t.test('a file in a folder that is swapped for a link is read inside or not at all', (t) =>
  race(t, ({ root }) => readText(root, 'a/b/x.md')),
);

t.test('a file that is swapped for a link is read inside or not at all', (t) =>
  race(t, ({ root }) => readText(root, 'a/x.md')),
);

t.test('a file that is swapped for a FIFO is read or not there, and nobody waits', (t) =>
  race(t, ({ root }) => {
    const text = readText(root, 'a/f.md');
    if (text !== 'inside') throw new Error(`${JSON.stringify(text)} came out of a FIFO`);
    return text;
  }),
);

t.test('the size of a file outside is not told', (t) =>
  race(t, ({ root }) => {
    const { sizeBytes } = root.stat('a/b/x.md');
    return sizeBytes === SECRET.length ? SECRET : sizeBytes;
  }),
);

t.test('the names of a folder outside are not listed', (t) =>
  race(t, ({ root }) => (root.list('a/b').some(({ name }) => name === 'secret.md') ? SECRET : 'inside')),
);

t.test('a link that leads outside is never presented while it comes and goes', (t) =>
  race(t, ({ root }) => {
    try {
      return `${root.readLink('a/b')}: ${SECRET}`;
    } catch (error) {
      if (isFsError(error, 'EINVAL')) return 'a folder at the moment';
      throw error;
    }
  }),
);

t.test('a scan, and the reading of what it found, stay inside', (t) =>
  race(t, ({ root }) => [...scan(root)].map(({ path }) => readDocument(root, path).text)),
);
