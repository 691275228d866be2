import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeCorpus } from '../corpus.ts';
import { type Bench, outputOf, timed, waysOf, withMount } from './places.ts';
import { milliseconds, printTable, ratio } from './table.ts';

/** So many documents give about ten thousand nodes. */
const DOCUMENTS = 4000;
const GREP = 'grep -rc payment . | tail -n1';

/** Reads all nodes of a graph, compared with a plain folder of the same files. */
export async function graph(bench: Bench, title: string): Promise<void> {
  const { pin, work, drivers } = bench;
  const folder = join(work, 'graph');
  const [docs, state, copy] = [join(folder, 'docs'), join(folder, 'state'), join(folder, 'copy')];
  writeCorpus(docs, DOCUMENTS);
  mkdirSync(copy);
  const ours: number[][] = [];
  const ways = waysOf(drivers);
  for (const { flags } of ways) {
    const read = (point: string): number[] => {
      const nodes = join(point, 'graph/nodes');
      const found = [timed(pin, GREP, nodes), timed(pin, GREP, nodes)];
      if (readdirSync(copy).length === 0) outputOf([], 'cp -r . "$1"', nodes, copy);
      return found;
    };
    ours.push(await withMount(bench, { docs, state, flags }, read));
  }
  timed(pin, GREP, copy);
  const plain = timed(pin, GREP, copy);
  const line = (name: string, row: number, aim: string) => {
    const cells = ours.flatMap(({ [row]: ms = 0 }) => [milliseconds(ms), ratio(ms, plain)]);
    return [name, milliseconds(plain), ...cells, aim];
  };
  printTable(
    `${title}: ${readdirSync(copy).length.toLocaleString('en')} nodes of graph/`,
    ['ms', 'plain folder of the same files', ...ways.flatMap(({ name }) => [name, '']), 'aim'],
    [line('grep -r, first', 0, '< 1,500 ms'), line('grep -r, second', 1, '≤ 1.5 ×')],
  );
  rmSync(folder, { recursive: true });
}
