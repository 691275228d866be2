import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import t, { type Test } from 'tap';
import { checkContext } from '../../src/integrity/check-context.ts';
import { checkState } from '../../src/integrity/check-state.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { CONTEXT_SCHEMA } from '../../src/store/context-store.ts';
import { fileProblems } from '../../src/store/file-check.ts';
import { exists, fact, read, remembering, write } from '../memory/fixture.ts';
import { temporaryFolder } from '../support/temporary.ts';

const PAGE_BYTES = 4096;

/** A state folder with sixty memories and nobody who has them open. */
function subject(t: Test) {
  const state = stateFolderAt(join(temporaryFolder(t), '.kgraphfs'));
  mkdirSync(state.path, { mode: 0o700 });
  const { contextFile } = state;
  const remember = () => remembering(t, { limits: { maxEntryBytes: 10_000 } }, contextFile);
  const { files, memory, store } = remember();
  for (let number = 0; number < 60; number += 1) {
    write(files, fact(`entry-${number}`), `Number ${number} ${'x'.repeat(1200)}`);
  }
  write(files, fact('changed'), 'As it was');
  write(files, fact('changed'), 'As it IS');
  memory.close();
  store.close();
  return {
    state,
    contextFile,
    remember,
    repair: () => checkContext({ state, repair: true, isInUse: () => false, nowMs: 0 }),
    inDatabase(sql: string): void {
      const database = new Sqlite(contextFile);
      database.exec(sql);
      database.close();
    },
    /** Beside the file itself, its log, its index of that and the mark that it was made. */
    leftBeside: () =>
      readdirSync(state.path).filter((name) => !/^context\.sqlite(?:-wal|-shm|-made)?$/.test(name)),
  };
}

/** A page in the middle of the contents, so that all else works as before. */
function damagePage(file: string): Buffer {
  const bytes = readFileSync(file);
  const page = Math.floor(bytes.indexOf('Number 30 ') / PAGE_BYTES);
  writeFileSync(file, bytes.fill(9, page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
  return bytes;
}

t.test('what another process remembers while a damaged file is mended is kept', async (t) => {
  const { contextFile, remember, repair, leftBeside } = subject(t);
  const damaged = damagePage(contextFile);
  const repairing = repair();
  // All was read, and nothing is put in its place yet.
  const other = remember();
  write(other.files, fact('during'), 'said meanwhile');
  const { findings } = await repairing;
  t.match(findings[0], { problem: 'file-damaged', mended: true, message: /rows were taken out/ });
  t.equal(read(other.files, fact('entry-3')).slice(0, 9), 'Number 3 ');
  write(other.files, fact('after'), 'said later');
  const { files } = remember();
  t.equal(read(files, fact('during')), 'said meanwhile');
  t.equal(read(files, fact('after')), 'said later');
  t.equal(read(files, fact('entry-59')).slice(0, 10), 'Number 59 ');
  t.same(fileProblems(contextFile, CONTEXT_SCHEMA), []);
  const [kept = '', ...others] = leftBeside().filter((name) => !/before-repair|-wal$/.test(name));
  t.match(kept, /^context\.sqlite\.damaged-/);
  t.same(others, []);
  t.same(readFileSync(`${contextFile}${kept.slice('context.sqlite'.length)}`), damaged);
});

t.test('a damaged file that is written to all the time is left as it is, and that is said', async (t) => {
  const { contextFile, remember, repair, leftBeside } = subject(t);
  damagePage(contextFile);
  let isOver = false;
  const repairing = repair().finally(() => {
    isOver = true;
  });
  const { files } = remember();
  let written = 0;
  for (; !isOver; written += 1) {
    write(files, fact(`during-${written}`), 'x');
    await nextTurn();
  }
  t.match(await repairing, {
    findings: [{ problem: 'file-damaged', mended: false, remedy: /^other processes write to it/ }],
  });
  t.ok(exists(files, fact(`during-${written - 1}`)));
  t.not(fileProblems(contextFile, CONTEXT_SCHEMA).length, 0);
  t.same(leftBeside(), []);
  t.match((await repair()).findings[0], { mended: true });
  t.ok(exists(remember().files, fact(`during-${written - 1}`)));
});

t.test('a memory whose content is lost comes back with what is left of it, or not at all', async (t) => {
  const { remember, repair, inDatabase } = subject(t);
  const named = (name: string) => `(SELECT id FROM memory_entries WHERE name = '${name}')`;
  const versionOf = (entry: string, content: string) =>
    `INSERT INTO memory_versions SELECT id, 0, sha256, 0, 0, ${content} FROM memory_entries WHERE name = '${entry}';`;
  inDatabase(`
    ${versionOf('entry-1', `(SELECT content FROM memory_contents WHERE id = ${named('entry-1')})`)}
    DELETE FROM memory_contents WHERE id IN (${['entry-1', 'entry-2', 'entry-3', 'changed'].map(named).join()});
    DELETE FROM memory_texts WHERE id IN (${['entry-3', 'changed'].map(named).join()});
    DROP TABLE sessions`);
  const { findings } = await repair();
  const lost = findings.filter(({ problem }) => problem === 'content-missing');
  t.match(lost, [
    { mended: true, message: /in lower case/, items: ['fact/entry-2'] },
    { mended: true, message: /the one before/, items: ['fact/changed'] },
    { mended: true, message: /they are gone/, items: ['fact/entry-3'] },
  ]);
  const { files, memory } = remember();
  t.equal(read(files, fact('entry-1')).slice(0, 9), 'Number 1 ');
  t.equal(read(files, fact('entry-2')), `number 2 ${'x'.repeat(1200)}`);
  t.equal(read(files, fact('changed')), 'As it was');
  t.notOk(exists(files, fact('entry-3')));
  t.equal(memory.list().length, 60);
  t.match(await repair(), { findings: { length: 0 } });
});

t.test(
  'a file that is cut off gives back what it still has, and stays the file that others open',
  async (t) => {
    const { contextFile, remember, repair, leftBeside } = subject(t);
    truncateSync(contextFile, statSync(contextFile).size - 10 * PAGE_BYTES - 100);
    const cutOff = readFileSync(contextFile);
    t.throws(() => remember());
    const { findings, memories } = await repair();
    t.match(findings[0], { problem: 'file-damaged', mended: true });
    t.ok(memories > 0, 'some of it was there');
    t.equal(remember().memory.list().length, memories);
    const kept = leftBeside().find((name) => name.includes('damaged')) ?? '';
    t.same(readFileSync(`${contextFile}${kept.slice('context.sqlite'.length)}`), cutOff);
  },
);

t.test('a file without a beginning that can be read becomes an empty one', async (t) => {
  const { contextFile, remember, repair } = subject(t);
  writeFileSync(contextFile, 'no database at all');
  const repairing = repair();
  const other = remember();
  write(other.files, fact('during'), 'said meanwhile');
  t.match((await repairing).findings[0], {
    mended: true,
    message: /another process repaired it, and it is kept/,
  });
  t.equal(read(remember().files, fact('during')), 'said meanwhile');
});

t.test('what is salvaged by a process that lives is nobody else’s to clear away', async (t) => {
  const { state, contextFile } = subject(t);
  const [alive, dead] = [`${contextFile}.salvaged-${process.pid}`, `${contextFile}.salvaged-4194399-wal`];
  for (const file of [alive, dead]) writeFileSync(file, '');
  t.match(checkState(state, true), [
    { problem: 'left-file', items: ['context.sqlite.salvaged-4194399-wal'] },
  ]);
  t.ok(existsSync(alive));
  t.notOk(existsSync(dead));
});

t.test('a page cut off an index of a table keeps nothing back', async (t) => {
  const { contextFile, repair } = subject(t);
  truncateSync(contextFile, statSync(contextFile).size - PAGE_BYTES);
  const { findings, memories } = await repair();
  t.match(findings[0], { problem: 'file-damaged', mended: true });
  t.equal(memories, 61);
});

for (const broken of ['CREATE INDEX memory_entries_temporary', 'CREATE TABLE sessions']) {
  t.test(`a byte of "${broken}" that is another keeps no memory back`, async (t) => {
    const { contextFile, remember, repair } = subject(t);
    const bytes = readFileSync(contextFile);
    const at = bytes.indexOf(broken);
    t.ok(at > 0);
    bytes.write('Q', at + 2);
    writeFileSync(contextFile, bytes);
    t.throws(() => remember());
    const { findings, memories } = await repair();
    t.match(findings[0], { problem: 'file-damaged', mended: true });
    t.equal(memories, 61);
    t.equal(read(remember().files, fact('entry-7')).slice(0, 9), 'Number 7 ');
  });
}

for (const [what, from] of [
  ['behind its header', 100],
  ['with its header', 0],
] as const) {
  t.test(
    `that nothing could be recovered of a file that is damaged ${what} is no success, and says where it is`,
    async (t) => {
      const { contextFile, repair, leftBeside } = subject(t);
      const bytes = readFileSync(contextFile);
      writeFileSync(contextFile, bytes.fill(9, from));
      const { findings } = await repair();
      const kept = leftBeside().find((name) => name.includes('damaged')) ?? '';
      t.match(findings[0], {
        problem: 'nothing-recovered',
        mended: false,
        message: new RegExp(`NOTHING COULD BE RECOVERED.*${kept.replaceAll('.', String.raw`\.`)}`),
        remedy: /put a backup in its place/,
      });
      t.match(await repair(), { findings: { length: 0 } });
    },
  );
}
