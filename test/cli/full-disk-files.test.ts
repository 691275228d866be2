import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { diskInMemory, needsRootToMount } from '../support/disk-in-memory.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { kgraphfs } from './run-cli.ts';

const BLOCK_BYTES = 4096;

t.test('a file that a command writes to a full disk is as it was', needsRootToMount, async (t) => {
  const folder = temporaryFolder(t);
  const disk = diskInMemory(t, 'size=200k');
  writeFileSync(join(folder, 'charge.md'), '# Charge\n\nA Charge requires a Customer.\n');
  const at = ['--docs', folder, '--state', join(folder, 'state')];
  const run = (...args: string[]) => kgraphfs([...args, ...at], { cwd: folder });
  run('build');
  run('context', 'memory', 'add', 'fact/large', 'five days '.repeat(2000));
  const [graph, memory] = [join(disk, 'graph.json'), join(disk, 'memory.jsonl')];
  writeFileSync(graph, 'old graph');
  writeFileSync(memory, 'old memory');
  fill(disk);
  const names = readdirSync(disk);
  t.match(run('export', '--output', graph), { status: 1, err: /graph\.json: cannot be written: ENOSPC/ });
  t.equal(readFileSync(graph, 'utf8'), 'old graph');
  t.match(run('context', 'memory', 'export', memory), {
    status: 1,
    err: /memory\.jsonl: cannot be written.*ENOSPC/,
  });
  t.equal(readFileSync(memory, 'utf8'), 'old memory');
  t.match(run('context', 'memory', 'export', join(disk, 'new.jsonl')), { status: 1 });
  t.same(readdirSync(disk), names);
});

t.test('a document that finds no room is not there in part', needsRootToMount, async (t) => {
  const docs = diskInMemory(t, 'size=200k');
  const folder = temporaryFolder(t);
  writeFileSync(join(docs, 'charge.md'), '# Charge\n');
  const at = ['--docs', docs, '--state', join(folder, 'state')];
  fill(docs);
  const names = readdirSync(docs);
  const { status, err } = kgraphfs(['new', 'epic', 'large', ...at], { cwd: folder });
  t.match({ status, err }, { status: 1, err: /the document cannot be written: ENOSPC/ });
  t.same(readdirSync(docs), names, 'nor the folder that was made for it');
});

t.test('an ignore file that finds no room for a line has no part of it', needsRootToMount, async (t) => {
  const folder = diskInMemory(t, 'size=200k');
  const ignoreFile = join(folder, '.gitignore');
  mkdirSync(join(folder, 'docs'));
  // The line would begin in the last block of the file, and end in one that there is no room for.
  const before = `${'#'.repeat(BLOCK_BYTES - 5)}\n`;
  writeFileSync(ignoreFile, before);
  fill(folder);
  const names = readdirSync(folder);
  rmSync(join(folder, 'ballast0'));
  const { status, err } = kgraphfs(['init', '--docs', 'docs', '--gitignore'], { cwd: folder });
  t.match({ status, err }, { status: 1, err: /\.gitignore: the state folder cannot be added to it: ENOSPC/ });
  t.equal(readFileSync(ignoreFile, 'utf8'), before);
  t.same(
    readdirSync(folder).sort(),
    names.map((name) => (name === 'ballast0' ? 'kgraphfs.config.json' : name)).sort(),
    'what found room is there',
  );
});

t.test('an entry that finds no room to be edited leaves nothing there', needsRootToMount, async (t) => {
  const folder = temporaryFolder(t);
  const disk = diskInMemory(t, 'size=200k');
  writeFileSync(join(folder, 'charge.md'), '# Charge\n');
  const at = ['--docs', folder, '--state', join(folder, 'state')];
  kgraphfs(['context', 'memory', 'add', 'fact/a', 'five days', ...at], { cwd: folder });
  fill(disk);
  const names = readdirSync(disk);
  const { status, err } = kgraphfs(['context', 'memory', 'edit', 'a', ...at], {
    cwd: folder,
    env: { EDITOR: 'true', TMPDIR: disk },
  });
  t.match(
    { status, err },
    { status: 1, err: /a\.md: cannot be written for the editor: ENOSPC.*; TMPDIR names/ },
  );
  t.same(readdirSync(disk), names);
});

function fill(disk: string): void {
  for (let count = 0; ; count += 1) {
    try {
      writeFileSync(join(disk, `ballast${count}`), Buffer.alloc(BLOCK_BYTES));
    } catch {
      return;
    }
  }
}
