/**
 * Measures kgraphfs with each driver against the plain folder and bindfs (a filesystem in C++ on libfuse 3) in one run: once
 * without pinning, once with every process pinned to one core. Prints markdown. Times are wall clock: one reading each, and for short commands the
 * median of five. Machines differ, so read the ratios.
 *
 *   node build/scripts/bench.js [--files 10000] [--driver linux,fuse-native] [--only topology,documents,graph,files,daemon,memory,search]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { daemons } from './bench/daemon.ts';
import { documents, smallFiles } from './bench/documents.ts';
import { graph } from './bench/graph.ts';
import { indexing } from './bench/indexing.ts';
import { memoryFigures } from './bench/memory.ts';
import { type Bench, kgraphfs, type Pin } from './bench/places.ts';
import { fileWork, gitStatus, streams } from './bench/scratchpad.ts';
import { searches } from './bench/search.ts';
import { print, printTable } from './bench/table.ts';
import { topology } from './bench/topology.ts';
import { writeCorpus } from './corpus.ts';

const { values: options } = parseArgs({
  options: {
    files: { type: 'string', default: '10000' },
    driver: { type: 'string', default: 'linux,fuse-native' },
    only: { type: 'string', default: 'indexing,topology,memory,search,documents,graph,files,daemon' },
  },
});
const files = Number(options.files);
const wanted = new Set(options.only.split(','));

async function round(title: string, pin: Pin, docs: string): Promise<void> {
  const bench: Bench = { pin, work, drivers: options.driver.split(',') };
  if (wanted.has('documents')) {
    await documents(bench, `${title}: ${files.toLocaleString('en')} documents`, docs);
    await smallFiles(bench, `${title}: small files, uncached`, docs);
  }
  if (wanted.has('graph')) await graph(bench, title);
  if (wanted.has('files')) {
    await fileWork(bench, title, docs);
    await streams(bench, title, docs);
    await gitStatus(bench, title, docs);
  }
}

const work = mkdtempSync(join(tmpdir(), 'kgraphfs-bench-'));
try {
  const bench: Bench = { pin: [], work, drivers: options.driver.split(',') };
  const docs = join(work, 'docs');
  writeCorpus(docs, files);
  print(
    `${files.toLocaleString('en')} files of 3 to 5 kB in folders of 100 (scripts/corpus.ts), Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}).\n`,
  );
  if (wanted.has('indexing')) indexing(bench, docs, files);
  if (wanted.has('topology')) await topology(bench, files);
  if (wanted.has('memory')) {
    const figures = memoryFigures((...args) => kgraphfs([], ...args), join(work, 'memory'));
    printTable(
      'Memory',
      ['what', 'measured', 'aim'],
      figures.map(({ what, measured, aim }) => [what, measured, aim]),
    );
  }
  if (wanted.has('search')) await searches(bench, files);
  await round('As it comes', [], docs);
  await round('Pinned to one core', ['taskset', '-c', '0'], docs);
  if (wanted.has('daemon')) await daemons(bench, files);
} finally {
  rmSync(work, { recursive: true, force: true });
}
