import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import type { OpenMemory } from '../../src/memory/open-memory.ts';
import { fact, kept, names, remembering } from './fixture.ts';
import { noteText, sharedText } from './written.ts';

const PROGRAM = fileURLToPath(new URL('./writer-process.js', import.meta.url));

/** Starts a writer. @param killAfter acknowledged writes; it is killed in the midst of the next one */
async function run(
  file: string,
  name: string,
  count: number,
  killAfter = Number.POSITIVE_INFINITY,
): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, file, name, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let acknowledged = 0;
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    acknowledged += text.split('\n').length - 1;
    if (acknowledged >= killAfter) child.kill('SIGKILL');
  });
  const [status, signal]: unknown[] = await once(child, 'close');
  if (signal !== 'SIGKILL' && status !== 0) throw new Error(`the writer ended with ${status} ${signal}`);
  return acknowledged;
}

function integrityOf(file: string): unknown {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.pragma('integrity_check', { simple: true });
  } finally {
    database.close();
  }
}

function linesOf(memory: OpenMemory, name: string): number[] {
  return numbersIn(kept(memory, fact('log')) ?? '', name);
}

function numbersIn(text: string, name: string): number[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name} `))
    .map((line) => Number(line.split(' ')[1]));
}

t.test('a process that is killed loses no write that it acknowledged, and keeps none by half', async (t) => {
  const { memory, files, file } = remembering(t, { limits: { maxEntryBytes: 1_000_000 } });
  for (let round = 0; round < 6; round += 1) {
    const name = `w${round}`;
    const acknowledged = await run(file, name, 100_000, 5 + round * 7);
    t.equal(integrityOf(file), 'ok');
    const lines = linesOf(memory, name);
    t.ok(
      lines.length >= acknowledged && lines.length <= acknowledged + 1,
      `${lines.length} of ${acknowledged} lines`,
    );
    t.same(lines, [...lines.keys()], 'in order');
    for (const key of names(files).filter((key) => key.startsWith(`${name}-`))) {
      const text = kept(memory, fact(key)) ?? '';
      const number = Number(text.split('\n', 1)[0]?.split(' ')[2]);
      t.equal(text, noteText(name, number), `${key} is whole`);
      t.ok(number >= acknowledged - 20, `${key} is not older than what was acknowledged`);
    }
    t.match(kept(memory, fact('shared')), new RegExp(`^${name} shares `));
  }
});

t.test('two processes that write the same entries lose nothing', async (t) => {
  const { memory, file } = remembering(t, { limits: { maxEntryBytes: 1_000_000 } });
  const writers = ['ana', 'ben'];
  const counts = await Promise.all(writers.map((name) => run(file, name, 60)));
  t.same(counts, [60, 60]);
  t.equal(integrityOf(file), 'ok');
  // Where both made it at once, what one of them appended first is in a copy.
  const logs = memory.list().filter(({ key }) => key === 'log' || key.startsWith('log.conflict-'));
  for (const name of writers) {
    const lines = logs.map(({ content }) => numbersIn(Buffer.from(content).toString(), name));
    for (const some of lines)
      t.same(
        some,
        some.toSorted((a, b) => a - b),
        `${name}: in order`,
      );
    t.same(
      lines.flat().sort((a, b) => a - b),
      [...Array(60).keys()],
      `${name}: each line once`,
    );
  }
  const copies = memory.list().filter(({ key }) => key.startsWith('shared'));
  const texts = new Set(
    copies
      .flatMap((entry) => [entry.content, ...memory.versions(entry).map(({ content }) => content)])
      .map((content) => Buffer.from(content).toString()),
  );
  for (const name of writers) {
    for (let number = 0; number < 60; number += 1) {
      if (!texts.has(sharedText(name, number))) t.fail(`what ${name} shared as ${number} is nowhere`);
    }
  }
  t.comment(`${copies.length - 1} conflict copies`);
});
