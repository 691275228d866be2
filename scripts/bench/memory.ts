import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs the program with arguments, and returns what it printed. */
export type Program = (...args: string[]) => string;

const ENTRIES = 10_000;
const WRITES = 1000;
const MS_PER_S = 1000;

/** A line of the table of memory's figures. */
export interface MemoryFigure {
  readonly what: string;
  readonly measured: string;
  readonly aim: string;
}

/** Measures memory through a mount of its own. @param work an empty folder */
export function memoryFigures(kgraphfs: Program, work: string): MemoryFigure[] {
  const [docs, mounted, lines] = [join(work, 'docs'), join(work, 'ctx'), join(work, 'memories.jsonl')];
  mkdirSync(docs, { recursive: true });
  writeFileSync(join(docs, 'charge.md'), '# Charge\n\nA charge moves money.\n');
  writeFileSync(lines, importLines());
  const at = ['--docs', docs, '--state', join(work, 'state')];
  writeFileSync(join(work, 'nothing.jsonl'), '');
  const startMs = timed(() => kgraphfs('context', 'memory', 'import', join(work, 'nothing.jsonl'), ...at));
  const importMs = timed(() => kgraphfs('context', 'memory', 'import', lines, ...at)) - startMs;
  kgraphfs('mount', mounted, ...at, '--wait');
  try {
    const facts = join(mounted, 'context/memory/fact');
    shell('ls >/dev/null', facts);
    const listMs = timed(() => shell('ls >/dev/null', facts));
    const episodes = join(mounted, 'context/memory/episodic');
    const writeMs = Number(shell(WRITER, episodes, process.execPath, String(WRITES)));
    const hitMs = timed(() => {
      shell('echo "the word is zanzibar" > marker && grep -rl zanzibar . >/dev/null', episodes);
    });
    return [
      figure(`bulk import of ${ENTRIES} entries`, rate(ENTRIES, importMs), '≥ 5,000 a second'),
      figure(`ls of ${ENTRIES} memories, warm`, `${listMs.toFixed(0)} ms`, '< 100 ms'),
      figure(`${WRITES} entries written through the mount`, rate(WRITES, writeMs), '≥ 500 a second'),
      figure(`write, then grep -r of ${WRITES} entries finds it`, `${hitMs.toFixed(0)} ms`, ''),
    ];
  } finally {
    kgraphfs('unmount', mounted);
    rmSync(work, { recursive: true, force: true });
  }
}

/** Writes entries one by one from one process, and prints how many milliseconds that took. */
const WRITER = `"$1" -e '
const fs = require("fs");
const startMs = performance.now();
for (let number = 0; number < Number(process.argv[1]); number += 1) fs.writeFileSync("note-" + number, "Note " + number + "\\n");
console.log(performance.now() - startMs);
' "$2"`;

function importLines(): string {
  const line = (number: number) =>
    JSON.stringify({
      memory_type: 'fact',
      key: `fact-${number}`,
      content: `Fact number ${number}: a charge of ${number} cents is refunded within five days.`,
      tags: ['billing'],
    });
  return Array.from({ length: ENTRIES }, (_, number) => `${line(number)}\n`).join('');
}

function shell(command: string, folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command, 'sh', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} in ${folder} ended with ${status}: ${stderr}`);
  return stdout;
}

function timed(run: () => unknown): number {
  const startMs = performance.now();
  run();
  return performance.now() - startMs;
}

function figure(what: string, measured: string, aim: string): MemoryFigure {
  return { what, measured, aim };
}

function rate(count: number, ms: number): string {
  return `${Math.round((count / ms) * MS_PER_S).toLocaleString('en')} a second`;
}
