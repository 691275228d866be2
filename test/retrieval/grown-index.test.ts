/** What was indexed step by step answers as what is indexed at once: nothing shows in which order the docs came to be. */
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { randomNumbers } from '../../scripts/corpus.ts';
import { type App, openApp } from '../../src/app/app.ts';
import { loadSettings } from '../../src/config/settings.ts';
import type { MemoryType } from '../../src/core/memory-entry.ts';
import { parsePath } from '../../src/core/paths.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { openSearchStoreAnew } from '../../src/store/search-store.ts';
import { openStore } from '../../src/store/store.ts';
import { wholeOf } from '../../src/vfs/read-file.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const clock = { nowMs: () => Date.UTC(2026, 0, 5, 10) };
const CONTEXT = {};
/** How often the graph has changed, in `graph/stats.json`. */
const REVISION = /"revision": \d+/;
const NAMES = ['Order', 'Invoice', 'Refund', 'Charge', 'Ledger', 'Payout'];
const FOLDERS = ['', 'billing/', 'billing-old/', 'guides/', 'guides/new/'];
const TAGS = ['billing', 'new', 'draft'];
/** In each folder: more passages than are read for one question. */
const PAGES = Array.from({ length: 30 }, (_, index) => `page-${10 + index}`);
const PAGE_NAME_LENGTH = 'page-10.md'.length;
const STEPS = 12;
const QUESTIONS = 30;
const HISTORY = 'type:history kept for a year';

type Pick = <Item>(items: readonly Item[]) => Item;

function picking(seed: number): Pick {
  const random = randomNumbers(seed);
  return (items) => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
}

/** Most of them say the same as others. */
function pageOf(pick: Pick): string {
  const [one, other] = [pick(NAMES), pick(NAMES)];
  const head = pick([true, false]) ? `---\ntags: [${pick(TAGS)}]\n---\n` : '';
  const [verb, file] = [pick(['requires', 'creates', 'belongs to']), pick(FOLDERS)];
  return `${head}# ${one}\n\nA **${one}** ${verb} a **${other}**. See [[${other}]].\n\n## ${pick(['Use', 'Limits'])}\n\nEach ${one.toLowerCase()} is kept ${pick(['for a year', 'for a week'])}, see [it](/${file}${pick(PAGES)}.md).\n`;
}

interface Project {
  readonly folder: string;
  readonly docs: string;
  /** Reads the docs as they are now, into the index of a state folder. */
  index(state: string): Promise<void>;
  open(state: string): App;
}

function project(t: Teardown): Project {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  for (const path of FOLDERS) mkdirSync(join(docs, path), { recursive: true });
  const settingsOf = (state: string) => loadSettings({ docs, state: join(folder, state) }, folder);
  return {
    folder,
    docs,
    async index(state) {
      const { selection, maxDocumentBytes: maxBytes } = settingsOf(state);
      const store = openStore(join(folder, state, 'index.sqlite'));
      const search = openSearchStoreAnew(join(folder, state, 'search.sqlite'));
      await updateIndex({ store, search, docs: selection, excluded: [], maxBytes, clock });
      store.close();
      search.close();
    },
    open: (state) => openApp({ settings: settingsOf(state), clock }),
  };
}

/** Changes some pages, each to another one: a time of its own for each state of a file, which the index tells files from. */
function edit(docs: string, pick: Pick, step: number): void {
  const path = () => join(docs, `${pick(FOLDERS)}${pick(PAGES)}.md`);
  for (let count = pick([1, 5, 30]); count > 0; count -= 1) {
    const [file, kind] = [path(), pick(['write', 'write', 'remove', 'rename'])];
    if (kind === 'remove') rmSync(file, { force: true });
    else if (kind === 'rename' && readdirSync(join(file, '..')).includes(file.slice(-PAGE_NAME_LENGTH)))
      renameSync(file, path());
    else writeFileSync(file, pageOf(pick));
  }
  for (const name of readdirSync(docs, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.md')) utimesSync(join(docs, name), 1_700_000_000 + step, 1_700_000_000 + step);
}

function remember(app: App, pick: Pick): void {
  const type: MemoryType = pick(['fact', 'episodic', 'procedural']);
  const key = `${pick(['billing/', ''])}${pick(NAMES).toLowerCase()}`;
  const place = { type, key };
  const content = Buffer.from(`Each ${pick(NAMES)} is kept for a year`);
  if (app.memory.get(place) === undefined) app.memory.add({ ...place, content }, CONTEXT);
  else if (pick([true, false])) app.memory.replace(place, content, CONTEXT);
  else app.memory.remove(place, CONTEXT);
}

async function read(app: App, path: string): Promise<string> {
  const file = await app.fs.open(parsePath(path), CONTEXT);
  try {
    return String(await wholeOf(file));
  } finally {
    await file.close();
  }
}

/** All files in a folder and those below it, by their paths. */
async function readAll(app: App, path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { name, kind } of await app.fs.list(parsePath(path), CONTEXT)) {
    const below = `${path}/${name}`;
    if (kind === 'directory') for (const [file, text] of await readAll(app, below)) found.set(file, text);
    else
      found.set(
        below,
        kind === 'link' ? String(await app.fs.readLink(parsePath(below), CONTEXT)) : await read(app, below),
      );
  }
  return found;
}

function questionsFor(pick: Pick): string[] {
  return Array.from({ length: QUESTIONS }, () => {
    const [one, other] = [pick(NAMES), pick(NAMES)];
    return pick([
      one,
      `${one} ${other}`,
      `how long is a ${one} kept`,
      `what does a ${one} require, and what creates a ${other}`,
      `what changed lately in ${one}`,
      `tag:${pick(TAGS)} ${one}`,
      `tag:${pick(TAGS)}`,
      `type:memory kept for a year`,
      `related:${one} use`,
      `limits`,
    ]);
  });
}

async function answersOf(app: App, questions: readonly string[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  // First, since what is read from the tree is history.
  for (const question of [HISTORY, ...questions]) {
    const hits = await app.search.search(parseQuery(question), { limit: 40 });
    answers.set(`search ${question}`, JSON.stringify(hits, undefined, 1));
  }
  for (const [path, text] of await readAll(app, '/graph')) answers.set(path, text.replace(REVISION, ''));
  for (const question of questions) {
    answers.set(`/search/${question}`, await read(app, `/search/${question}`));
    answers.set(`/context/for/${question}`, await read(app, `/context/for/${question}`));
  }
  return answers;
}

for (const seed of [1, 2])
  t.test(`an index that grew by random edits answers as a fresh one does, ${seed}`, async (t) => {
    const pick = picking(seed);
    const { folder, docs, index, open } = project(t);
    for (let step = 0; step < STEPS; step += 1) {
      edit(docs, pick, step);
      await index('grown');
      const app = open('grown');
      remember(app, pick);
      await app.search.search(parseQuery(HISTORY), { limit: 1 });
      app.close();
    }
    mkdirSync(join(folder, 'fresh'));
    cpSync(join(folder, 'grown/context.sqlite'), join(folder, 'fresh/context.sqlite'));
    await index('fresh');
    const questions = questionsFor(pick);
    const [grown, fresh] = [open('grown'), open('fresh')];
    const expected = await answersOf(fresh, questions);
    const found = await answersOf(grown, questions);
    t.ok(expected.size > QUESTIONS);
    t.same([...found.keys()], [...expected.keys()]);
    for (const [path, text] of expected) if (found.get(path) !== text) t.equal(found.get(path), text, path);
    grown.close();
    fresh.close();
  });
