import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { oneFolder } from '../../src/core/docs-selection.ts';
import { IngestThread } from '../../src/ingest/ingest-thread.ts';
import { until } from '../ingest/watch-fixture.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Nice values of this process's threads by their numbers; proc_pid_stat(5). */
function niceOfThreads(): Map<string, number> {
  const threads = readdirSync('/proc/self/task').flatMap((thread): [string, number][] => {
    try {
      const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return [[thread, Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16])]];
    } catch {
      // It ended just now.
      return [];
    }
  });
  return new Map(threads);
}

t.test('the thread that reads documents stands back, and the one that serves does not', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  const task = {
    docs: oneFolder(join(folder, 'docs')),
    indexFile: join(folder, 'index.sqlite'),
    searchFile: join(folder, 'search.sqlite'),
    excluded: [],
    maxBytes: 1 << 20,
  };
  const own = getPriority(0);
  const thread = new IngestThread(
    task,
    () => {},
    (error) => {
      throw error;
    },
  );
  t.teardown(() => thread.end());
  thread.start();
  const niced = () => [...niceOfThreads()].filter(([, nice]) => nice === 10).map(([number]) => number);
  await until('a thread to stand back', () => niced().length === 1);
  const [number = ''] = niced();
  await until('its place at the disk', () => ioPriority(number) === 'best-effort: prio 7');
  t.equal(getPriority(0), own);
  t.equal(niceOfThreads().get(String(process.pid)), own);
  t.not(ioPriority(String(process.pid)), 'best-effort: prio 7');
});

function ioPriority(thread: string): string {
  return execFileSync('ionice', ['-p', thread], { encoding: 'utf8' }).trim();
}
