import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeCorpus } from '../corpus.ts';
import { type Bench, outputOf, withMount } from './places.ts';
import { milliseconds, printTable } from './table.ts';

const REST_MS = 30_000;
const IDLE_MS = 10_000;
/** Jiffies of /proc/PID/stat; `getconf CLK_TCK` is 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;
const LIMIT_MS = 10_000;
const POLL_MS = 2;
const ROUNDS = 5;

/** What a daemon uses after it has shown everything, and then while idle; and how soon it shows new documents. */
export async function daemons(bench: Bench, files: number): Promise<void> {
  const folder = join(bench.work, 'large');
  const [docs, state] = [join(folder, 'docs'), join(folder, 'state')];
  writeCorpus(docs, files);
  addRelations(docs, files);
  const ours: string[][] = [];
  let size = '';
  for (const driver of bench.drivers) {
    await withMount(
      bench,
      { docs, state, flags: ['--driver', driver] },
      async (point, { pid, nodes, edges }) => {
        size = `${files.toLocaleString('en')} documents, ${nodes.toLocaleString('en')} nodes, ${edges.toLocaleString('en')} edges`;
        const beforeMb = residentMb(pid);
        outputOf([], 'find . | wc -l', point);
        const walkedMb = residentMb(pid);
        await delay(REST_MS);
        const restedMb = residentMb(pid);
        const startMs = cpuMs(pid);
        await delay(IDLE_MS);
        const idleMs = cpuMs(pid) - startMs;
        const [bytes, node] = await newThings(docs, point, driver);
        ours.push([`${beforeMb} MB`, `${walkedMb} MB`, `${restedMb} MB`, `${idleMs} ms`, bytes, node]);
      },
    );
  }
  const lines = [
    ['RSS, mounted', ''],
    ['RSS, after find of all', ''],
    ['RSS, after 30 s of rest', '< 100 MB'],
    ['CPU in 10 s that nobody uses it', '0 (spinning), < 1 % (watching)'],
    [`write of a document until the mount shows the bytes, of ${ROUNDS}`, ''],
    [`write of a document until its node is in graph/, of ${ROUNDS}`, '< 300 ms'],
  ] as const;
  printTable(
    `A daemon with ${size}`,
    ['what', ...bench.drivers, 'aim'],
    lines.map(([name, aim], row) => [name, ...ours.map(({ [row]: cell = '' }) => cell), aim]),
  );
  rmSync(folder, { recursive: true });
}

/** Adds relations to those of the corpus, so that there are ten for each document. */
function addRelations(docs: string, files: number): void {
  for (let index = 0; index < files; index += 1) {
    const area = String(Math.floor(index / 100)).padStart(3, '0');
    const page = join(docs, `area-${area}`, `page-${String(index % 100).padStart(2, '0')}.md`);
    const links = Array.from({ length: 8 }, (_, step) => {
      const other = String((index * 7 + step * 13 + 1) % 100).padStart(2, '0');
      return `- [page ${other}](page-${other}.md)\n`;
    });
    appendFileSync(page, `\n## See also\n\n${links.join('')}`);
  }
}

function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

/** The CPU time of the daemon and all its threads, since it began. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** How long new documents take: from being written to their bytes in docs/, and to their nodes in graph/. */
async function newThings(docs: string, point: string, driver: string): Promise<[string, string]> {
  const [bytes, nodes]: [number[], number[]] = [[], []];
  const folder = `new-${driver}`;
  mkdirSync(join(docs, folder));
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = `Benchmark ${driver} ${round}`;
    writeFileSync(join(docs, folder, `${round}.md`), `# ${name}\n\nA ${name} requires a Charge.\n`);
    const startMs = performance.now();
    const isThere = (path: string) => statSync(join(point, path), { throwIfNoEntry: false }) !== undefined;
    bytes.push(await until(startMs, () => isThere(`docs/${folder}/${round}.md`)));
    nodes.push(await until(startMs, () => isThere(`graph/nodes/${name}`)));
  }
  return [range(bytes), range(nodes)];
}

async function until(startMs: number, isTrue: () => boolean): Promise<number> {
  while (!isTrue()) {
    if (performance.now() - startMs > LIMIT_MS) return Number.POSITIVE_INFINITY;
    await delay(POLL_MS);
  }
  return performance.now() - startMs;
}

function range(times: readonly number[]): string {
  return `${milliseconds(Math.min(...times))} to ${milliseconds(Math.max(...times))} ms`;
}
