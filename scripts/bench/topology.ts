import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addLinks, pathOfPage, writeCorpus } from '../corpus.ts';
import { type Bench, kgraphfs, outputOf, timed, withMount } from './places.ts';
import { questions } from './questions.ts';
import { milliseconds, printTable, type Row } from './table.ts';

const MS_PER_S = 1000;
/** Together with the relations of the corpus, this gives 100,000 edges in 10,000 documents. */
const LINKS_PER_PAGE = 7;
/** The large repository has so many times as many documents: 185,000 links among 40,000. */
const LARGE = { times: 4, linksPerPage: 3.625 };
const ROUNDS = 5;
const POLL_MS = 2;
const LIMIT_MS = 30_000;
/** After so long the thread that reads has ended, if the process has no memory to spare. */
const REST_MS = 25_000;
const SWITCHED = 1000;

const GIT = 'git -c user.name=bench -c user.email=bench@example.org -c gc.auto=0';

/** A working copy, and where its index is stored. */
interface Repository {
  readonly docs: string;
  readonly state: string;
}

/** The graph of a large repository: built, queried, and updated through edits, commits and branches. */
export async function topology(bench: Bench, files: number): Promise<void> {
  const large = built(bench, 'large', files * LARGE.times, LARGE.linksPerPage, '≤ 40 s');
  rmSync(join(bench.work, 'large'), { recursive: true });
  const repository = { docs: join(bench.work, 'topology/docs'), state: join(bench.work, 'topology/state') };
  const small = built(bench, 'topology', files, LINKS_PER_PAGE, '≤ 8 s');
  questions(join(repository.state, 'index.sqlite'));
  const name =
    readFileSync(join(repository.docs, pathOfPage(0)), 'utf8')
      .slice(2)
      .split('\n')[0] ?? '';
  const inspected = fastest(() => {
    kgraphfs([], 'inspect', name, '--docs', repository.docs, '--state', repository.state, '--depth', '2');
  });
  const rows: Row[] = [
    small,
    large,
    [`inspect of a node, whole command, fastest of ${ROUNDS}`, `${milliseconds(inspected)} ms`, '≤ 150 ms'],
    ...(await edits(bench, repository)),
    ...(await switches(bench, repository, files)),
    ...hooks(repository),
  ];
  printTable('A repository of specifications', ['what', 'measured', 'aim'], rows);
  rmSync(join(bench.work, 'topology'), { recursive: true });
}

function built(bench: Bench, folder: string, files: number, linksPerPage: number, aim: string): Row {
  const [docs, state] = [join(bench.work, folder, 'docs'), join(bench.work, folder, 'state')];
  writeCorpus(docs, files);
  addLinks(docs, files, linksPerPage);
  const { duration_ms: ms, edges }: { duration_ms: number; edges: number } = JSON.parse(
    kgraphfs([], 'build', '--docs', docs, '--state', state, '--json'),
  );
  const size = `${files.toLocaleString('en')} documents, ${edges.toLocaleString('en')} edges`;
  return [`first build of ${size}`, `${(ms / MS_PER_S).toFixed(1)} s`, aim];
}

/** The time from writing a document until its node is in the mount. */
async function edits(bench: Bench, { docs, state }: Repository): Promise<Row[]> {
  return await withMount(bench, { docs, state, flags: [] }, async (point) => {
    const edit = async (title: string): Promise<number> => {
      appendFileSync(
        join(docs, pathOfPage(1)),
        `\n## ${title} object\n\nA **${title}** requires a Charge.\n`,
      );
      return await until(() => existsSync(join(point, 'graph/nodes', title)));
    };
    await delay(REST_MS);
    const first = await edit('Firstedited');
    const next: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      next.push(await edit(`Edited${'abcdefgh'.charAt(round)}`));
    return [
      [
        `one edited file to its node in graph/, after ${REST_MS / MS_PER_S} s of rest`,
        `${milliseconds(first)} ms`,
        '≤ 300 ms',
      ],
      [
        `one edited file to its node in graph/, the next ${ROUNDS}`,
        `${milliseconds(Math.min(...next))} to ${milliseconds(Math.max(...next))} ms`,
        '≤ 300 ms',
      ],
    ];
  });
}

/** The time from the end of `git checkout` until all its changes are in the graph. */
async function switches(bench: Bench, { docs, state }: Repository, files: number): Promise<Row[]> {
  outputOf(
    [],
    `${GIT} init -q -b one && ${GIT} add . && ${GIT} commit -qm one && ${GIT} checkout -qb two`,
    docs,
  );
  for (let index = 0; index < SWITCHED; index += 1) {
    const page = join(docs, pathOfPage(Math.floor((index * files) / SWITCHED)));
    writeFileSync(page, readFileSync(page, 'utf8').replace('## Notes', `## Switched ${index}`));
  }
  outputOf([], `${GIT} commit -qam two`, docs);
  return await withMount(bench, { docs, state, flags: [] }, async (point) => {
    const status = (): { indexing: { pending: number; lag_ms: number }; revision: number } =>
      JSON.parse(readFileSync(join(point, '.kgraphfs/status.json'), 'utf8'));
    const times: number[] = [];
    for (const branch of ['one', 'two', 'one']) {
      const { revision } = status();
      timed([], `git checkout -q ${branch}`, docs);
      times.push(await until(() => status().revision > revision && status().indexing.pending === 0));
    }
    const range = `${milliseconds(Math.min(...times))} to ${milliseconds(Math.max(...times))} ms`;
    return [[`a branch switch that changes ${SWITCHED} files, until all are in the graph`, range, '≤ 3 s']];
  });
}

/** What the hooks add to a commit of one file. */
function hooks({ docs, state }: Repository): Row[] {
  const commit = (round: number, how: string): number => {
    appendFileSync(join(docs, pathOfPage(2)), `\nA note, number ${round}.\n`);
    outputOf([], `${GIT} add .`, docs);
    return timed([], `${GIT} ${how} commit -qm note`, docs);
  };
  kgraphfs([], 'hooks', 'install', '--docs', docs, '--state', state);
  kgraphfs([], 'sync', '--docs', docs, '--state', state);
  const all = Array.from({ length: ROUNDS }, (_, round) => [
    commit(round, ''),
    commit(round, '-c core.hooksPath=/dev/null'),
  ]);
  const best = (column: number) => Math.min(...all.map((times) => times[column] ?? 0));
  return [
    [
      `hooks of a commit of one file, both together, fastest of ${ROUNDS}`,
      `${milliseconds(best(0) - best(1))} ms of ${milliseconds(best(0))}`,
      '≤ 250 ms each',
    ],
  ];
}

function fastest(run: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const startMs = performance.now();
    run();
    return performance.now() - startMs;
  });
  return Math.min(...times);
}

/** The milliseconds until a condition is true. @throws if it never is */
async function until(isTrue: () => boolean): Promise<number> {
  const startMs = performance.now();
  while (!isTrue()) {
    if (performance.now() - startMs > LIMIT_MS) throw new Error('what was waited for did not come');
    await delay(POLL_MS);
  }
  return performance.now() - startMs;
}
