import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type App, openApp } from '../../src/app/app.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { SearchAnswer, SearchOptions } from '../../src/core/search.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import type { Switches } from '../../src/retrieval/engine.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { openSearchStoreAnew } from '../../src/store/search-store.ts';
import { openStore } from '../../src/store/store.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** A project in a folder of its own that is searched in this process. */
export interface Searched {
  readonly app: App;
  ask(question: string, options?: Partial<SearchOptions>): Promise<SearchAnswer>;
  /** Paths of the mount, each once, best first. */
  paths(question: string, options?: Partial<SearchOptions>): Promise<string[]>;
  write(path: string, text: string): void;
  remove(path: string): void;
  /** Reads the docs as they are now. */
  index(): Promise<void>;
}

/** @param pages texts by their paths below the docs root */
export async function searched(
  t: Teardown,
  pages: Readonly<Record<string, string>>,
  searchSwitches: Partial<Switches> = {},
): Promise<Searched> {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  const settings = loadSettings({ docs: prepared(docs), state: join(folder, 'state') }, folder);
  const store = openStore(join(settings.state, 'index.sqlite'));
  const search = openSearchStoreAnew(join(settings.state, 'search.sqlite'));
  const index = async () => {
    const { selection, maxDocumentBytes: maxBytes } = settings;
    await updateIndex({ store, search, docs: selection, excluded: [], maxBytes, clock: systemClock });
  };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(docs, path)), { recursive: true });
    writeFileSync(join(docs, path), text);
  };
  for (const [path, text] of Object.entries(pages)) write(path, text);
  await index();
  const app = openApp({ settings, searchSwitches });
  t.teardown(() => {
    app.close();
    search.close();
    store.close();
  });
  const ask = async (question: string, options: Partial<SearchOptions> = {}) =>
    app.search.search(parseQuery(question), { limit: 10, ...options });
  return {
    app,
    ask,
    paths: async (question, options) => [
      ...new Set((await ask(question, options)).hits.map(({ path }) => path)),
    ],
    write,
    remove: (path) => rmSync(join(docs, path)),
    index,
  };
}

function prepared(docs: string): string {
  mkdirSync(docs, { recursive: true });
  return docs;
}
