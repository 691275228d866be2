import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { IngestThread } from '../../src/ingest/ingest-thread.ts';
import { until } from '../ingest/watch-fixture.ts';
import { oneFolder } from '../support/one-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** What a reading thread is known by: nice 10 may be what the tests run with themselves. */
const LAST_AT_THE_DISK = 'best-effort: prio 7';

function threads(): string[] {
  return readdirSync('/proc/self/task');
}

/** Undefined of a thread that ended just now. */
function ioPriority(thread: string): string | undefined {
  const { status, stdout } = spawnSync('ionice', ['-p', thread], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** proc_pid_stat(5) */
function niceOf(thread: string | number): number {
  const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]);
}

/** The number of a thread that has begun to read documents. */
async function readingThread(t: Teardown): Promise<string> {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  const task = {
    docs: oneFolder(join(folder, 'docs')),
    indexFile: join(folder, 'index.sqlite'),
    searchFile: join(folder, 'search.sqlite'),
    excluded: [],
    maxBytes: 1 << 20,
  };
  const thread = new IngestThread(
    task,
    () => {},
    (error) => {
      throw error;
    },
  );
  t.teardown(() => thread.end());
  const others = new Set(threads());
  thread.start();
  let found: string | undefined;
  await until('a thread to stand back', () => {
    found = threads().find((number) => !others.has(number) && ioPriority(number) === LAST_AT_THE_DISK);
    return found !== undefined;
  });
  return found ?? '';
}

t.test('the thread that reads documents stands back, and the one that serves does not', async (t) => {
  const own = getPriority(0);
  const number = await readingThread(t);
  t.equal(niceOf(number), Math.max(10, own));
  t.equal(getPriority(0), own);
  t.equal(niceOf(process.pid), own);
  t.not(ioPriority(String(process.pid)), LAST_AT_THE_DISK);
});

t.test('the thread that reads documents stands back as far as a process that does so itself', async (t) => {
  // The last test of this file: an ordinary user cannot take it back.
  setPriority(process.pid, 19);
  t.equal(niceOf(await readingThread(t)), 19);
});
