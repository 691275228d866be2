import { join } from 'node:path';
import { type Bench, kgraphfs, timed } from './places.ts';
import { printTable } from './table.ts';

const ROUNDS = 3;
const MS_PER_S = 1000;

/** Measures how long it takes to index everything, and to mount an indexed folder. Leaves the index in the state folder. */
export function indexing({ work, drivers }: Bench, docs: string, files: number): void {
  const at = ['--docs', docs, '--state', join(work, 'state')];
  const { duration_ms: firstMs }: { duration_ms: number } = JSON.parse(
    kgraphfs([], 'build', ...at, '--json'),
  );
  const fastest = (run: () => void): string => {
    const times = Array.from({ length: ROUNDS }, () => {
      const startMs = performance.now();
      run();
      return performance.now() - startMs;
    });
    return `${(Math.min(...times) / MS_PER_S).toFixed(2)} s`;
  };
  const point = join(work, 'ctx');
  const mounts = drivers.map((driver) => {
    const took = fastest(() => {
      kgraphfs([], 'mount', point, ...at, '--driver', driver);
      timed([], 'ls docs graph', point);
      kgraphfs([], 'unmount', point);
    });
    return [`mounted with ${driver}, listed and unmounted, three commands`, took, ''];
  });
  printTable(
    'Indexing',
    ['what', 'measured', 'aim'],
    [
      [
        `first build of ${files.toLocaleString('en')} documents`,
        `${(firstMs / MS_PER_S).toFixed(2)} s, ${Math.round((files / firstMs) * MS_PER_S).toLocaleString('en')} a second`,
        '≥ 1,000 a second',
      ],
      [
        `build with nothing changed, whole command, fastest of ${ROUNDS}`,
        fastest(() => kgraphfs([], 'build', ...at)),
        '< 1 s',
      ],
      ...mounts,
    ],
  );
}
