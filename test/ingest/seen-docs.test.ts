import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import type { Clock } from '../../src/core/clock.ts';
import { areAsSeen, DocsWalk } from '../../src/ingest/seen-docs.ts';
import { DocsFolders } from '../../src/source/docs-folders.ts';
import { oneFolder } from '../support/one-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const KEY = 'a key';
/** Of which no file has changed lately. */
const LATER: Clock = { nowMs: () => Date.now() + 10_000 };

interface Seen {
  readonly docs: string;
  look(clock?: Clock): void;
  isSame(key?: string): boolean;
}

function docsIn(t: Teardown): Seen {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  const file = join(folder, 'seen.json');
  mkdirSync(join(docs, 'empty'), { recursive: true });
  mkdirSync(join(docs, 'hidden'));
  writeFileSync(join(docs, 'a.md'), '# A\n');
  writeFileSync(join(docs, 'b.md'), '# B\n');
  writeFileSync(join(docs, 'hidden', 'c.md'), '# C\n');
  writeFileSync(join(docs, '.gitignore'), 'hidden/\n');
  return {
    docs,
    look(clock = LATER) {
      const selection = oneFolder(docs);
      const folders = new DocsFolders(selection, { excluded: [] });
      const walk = new DocsWalk(selection, clock);
      for (const found of folders.scan({ onFolder: (path) => walk.folder(path) })) walk.file(found);
      folders.close();
      rmSync(file, { force: true });
      walk.keep(file, KEY);
    },
    isSame: (key = KEY) => areAsSeen(file, key),
  };
}

/** Until what is written gets another time than what was written before: it is the kernel's, and moves in steps. */
async function untilTimesMove(docs: string): Promise<void> {
  const file = join(docs, '..', 'time');
  const written = (): bigint => {
    writeFileSync(file, 'x');
    return lstatSync(file, { bigint: true }).ctimeNs;
  };
  for (const before = written(); written() === before; ) await setImmediate();
}

/** As an editor that writes in place and a program that sets times back leave it. */
function rewrite(file: string): void {
  const { atime, mtime } = lstatSync(file);
  writeFileSync(file, '# X\n');
  utimesSync(file, atime, mtime);
}

t.test('each change of what is shown is seen, and what is hidden is none', async (t) => {
  const { docs, look, isSame } = docsIn(t);
  const at = (...names: string[]) => join(docs, ...names);
  const changes: Readonly<Record<string, () => void>> = {
    'a line more': () => appendFileSync(at('a.md'), 'more\n'),
    'as many bytes, and the time set back': () => rewrite(at('a.md')),
    'a file in an empty folder': () => writeFileSync(at('empty', 'new.md'), '# New\n'),
    'a file gone': () => rmSync(at('empty', 'new.md')),
    'a file renamed': () => renameSync(at('b.md'), at('z.md')),
    'a file put in the place of another': () => renameSync(at('z.md'), at('a.md')),
    'a file that may not be read': () => chmodSync(at('a.md'), 0),
    'an ignore file edited': () => appendFileSync(at('.gitignore'), 'a.md\n'),
    'a folder more': () => mkdirSync(at('further')),
    'an ignore file more': () => writeFileSync(at('further', '.kgraphfsignore'), 'x\n'),
    'all gone': () => rmSync(docs, { recursive: true }),
  };
  for (const [name, change] of Object.entries(changes)) {
    look();
    t.ok(isSame(), `the same before ${name}`);
    appendFileSync(at('hidden', 'c.md'), 'more\n');
    t.ok(isSame(), 'what is hidden is not looked at');
    await untilTimesMove(docs);
    change();
    t.notOk(isSame(), name);
  }
});

t.test('nothing is trusted that is too new, of another key, or no file of ours', async (t) => {
  const { docs, look, isSame } = docsIn(t);
  const file = join(docs, 'a.md');
  appendFileSync(file, 'more\n');
  const writtenMs = lstatSync(file).ctimeMs;
  look({ nowMs: () => writtenMs + 1 });
  t.notOk(isSame(), 'a file may change within the same tick of the clock');
  look();
  t.ok(isSame());
  t.notOk(isSame('another key'));
  for (const text of ['', '{}', 'null', '{"key":"a key","digest":"","paths":5}']) {
    writeFileSync(join(docs, '..', 'seen.json'), text);
    t.notOk(isSame(), text);
  }
});
