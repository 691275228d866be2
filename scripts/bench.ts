/**
 * Measures kgraphfs against the plain folder and bindfs (a C++ filesystem on libfuse 3) in one run: once as it comes,
 * once with every process pinned to one core. Prints markdown. Times are wall clock; machines differ, so read the ratios.
 *
 *   node build/scripts/bench.js [--files 10000] [--driver fuse-native]
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { memoryFigures } from './bench-memory.ts';
import { writeCorpus } from './corpus.ts';

const { values: options } = parseArgs({
  options: {
    files: { type: 'string', default: '10000' },
    driver: { type: 'string', default: 'fuse-native' },
  },
});
const files = Number(options.files);
const cli = resolve('dist/cli/main.js');

const GREP = 'grep -rc payment . | tail -n1';

/** What is timed in each place: a shell command with the place as its working folder. */
const COMMANDS: readonly (readonly [string, string])[] = [
  ['grep -r, first', GREP],
  ['grep -r, second', GREP],
  ['grep -r, third', GREP],
  ['find -size', 'find . -size +4k | wc -l'],
  ['ls -lR', 'ls -lR . | wc -l'],
  ['du', 'du -s . | cut -f1'],
];

/** The ways of mounting that are compared. */
const WAYS: readonly { readonly name: string; readonly flags: readonly string[] }[] = [
  { name: 'kgraphfs', flags: [] },
  { name: '--audit off', flags: ['--audit', 'off'] },
  { name: '--audit off --read-only', flags: ['--audit', 'off', '--read-only'] },
];

function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Milliseconds that a shell command takes. */
function timed(pin: readonly string[], command: string, folder: string): number {
  const [program = 'sh', ...rest] = [...pin, 'sh', '-c', command];
  const startMs = performance.now();
  const result = spawnSync(program, rest, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (result.status !== 0) throw new Error(`${command} in ${folder} ended with ${result.status}`);
  return performance.now() - startMs;
}

function kgraphfs(pin: readonly string[], ...args: string[]): string {
  const [program = 'node', ...rest] = [...pin, process.execPath, cli, ...args];
  return execFileSync(program, rest, { encoding: 'utf8', cwd: tmpdir() });
}

async function mountBindfs(pin: readonly string[], from: string, to: string): Promise<ChildProcess> {
  const [program = 'bindfs', ...rest] = [...pin, 'bindfs', '-f', '--no-allow-other', from, to];
  const child = spawn(program, rest, { stdio: 'ignore' });
  while (!readFileSync('/proc/mounts', 'utf8').includes(` ${to} fuse`)) {
    if (child.exitCode !== null) throw new Error('bindfs did not mount; is the package bindfs installed?');
    await sleep(20);
  }
  return child;
}

/** Mounts, measures every command below the tree's docs/, and unmounts. */
function timedMount(pin: readonly string[], work: string, docs: string, flags: readonly string[]): number[] {
  const mounted = join(work, 'ctx');
  const at = ['--docs', docs, '--state', join(work, 'state'), '--driver', options.driver, ...flags];
  kgraphfs(pin, 'mount', mounted, ...at, '--wait');
  try {
    const inDocs = COMMANDS.map(([, command]) => timed(pin, command, join(mounted, 'docs')));
    const nodes = join(mounted, 'graph/nodes');
    return [...inDocs, timed(pin, GREP, nodes), timed(pin, GREP, nodes)];
  } finally {
    kgraphfs([], 'unmount', mounted);
  }
}

async function round(title: string, pin: readonly string[], work: string, docs: string): Promise<void> {
  const bound = join(work, 'bindfs');
  mkdirSync(bound, { recursive: true });
  timed(pin, GREP, docs);
  const plain = COMMANDS.map(([, command]) => timed(pin, command, docs));
  const bindfs = await mountBindfs(pin, docs, bound);
  const peer = COMMANDS.map(([, command]) => timed(pin, command, bound));
  spawnSync('fusermount3', ['-u', bound]);
  bindfs.kill();
  const ways = WAYS.map(({ flags }) => timedMount(pin, work, docs, flags));
  print(`### ${title}\n`);
  print(
    `| ms | plain folder | bindfs |${WAYS.map(({ name }) => ` ${name} | / plain | / bindfs |`).join('')}`,
  );
  print(`|---|---|---|${'---|---|---|'.repeat(WAYS.length)}`);
  const names = [
    ...COMMANDS.map(([name]) => name),
    'grep -r of graph/nodes, first',
    'grep -r of graph/nodes, second',
  ];
  for (const [row, name] of names.entries()) {
    const ours = ways.flatMap(({ [row]: ms = 0 }) => {
      return [ms.toFixed(0), ratio(ms, plain[row]), ratio(ms, peer[row])];
    });
    print(`| ${[name, whole(plain[row]), whole(peer[row]), ...ours].join(' | ')} |`);
  }
  print();
}

function whole(ms: number | undefined): string {
  return ms === undefined ? '' : ms.toFixed(0);
}

function ratio(ms: number, base: number | undefined): string {
  return base === undefined ? '' : (ms / base).toFixed(2);
}

function indexing(work: string, docs: string): void {
  const state = join(work, 'state');
  const build = (): { duration_ms: number } => {
    return JSON.parse(kgraphfs([], 'build', '--docs', docs, '--state', state, '--json'));
  };
  const first = build().duration_ms;
  const again = Math.min(
    ...[1, 2, 3].map(() =>
      timed([], `'${process.execPath}' '${cli}' build --docs '${docs}' --state '${state}'`, work),
    ),
  );
  const mounted = join(work, 'ctx');
  const mountMs = [1, 2, 3].map(() => {
    const ms = timed(
      [],
      `'${process.execPath}' '${cli}' mount '${mounted}' --docs '${docs}' --state '${state}' && ls '${mounted}/docs' '${mounted}/graph' >/dev/null`,
      work,
    );
    kgraphfs([], 'unmount', mounted);
    return ms;
  });
  print('### Indexing\n');
  print('| what | measured |');
  print('|---|---|');
  print(
    `| first build of ${files} documents | ${(first / 1000).toFixed(2)} s, ${Math.round((files / first) * 1000)} documents a second |`,
  );
  print(`| build with nothing changed, whole command | ${(again / 1000).toFixed(2)} s |`);
  print(
    `| mount of the indexed folder until it answers, whole command | ${(Math.min(...mountMs) / 1000).toFixed(2)} s |`,
  );
  print();
}

const work = mkdtempSync(join(tmpdir(), 'kgraphfs-bench-'));
try {
  const docs = join(work, 'docs');
  writeCorpus(docs, files);
  print(
    `${files} files of 3 to 5 kB in folders of 100 (scripts/corpus.ts), driver ${options.driver}, Node ${process.version},`,
  );
  print(`${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}).\n`);
  indexing(work, docs);
  print('### Memory\n');
  print('| what | measured | aim |');
  print('|---|---|---|');
  const figures = memoryFigures((...args) => kgraphfs([], ...args), join(work, 'memory'));
  for (const { what, measured, aim } of figures) print(`| ${what} | ${measured} | ${aim} |`);
  print();
  await round('As it comes', [], work, docs);
  await round('Pinned to one core', ['taskset', '-c', '0'], work, docs);
} finally {
  rmSync(work, { recursive: true, force: true });
}
