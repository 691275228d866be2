import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import { loadSettings, type Settings } from '../../src/config/settings.ts';
import { systemClock } from '../../src/core/clock.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { openStore } from '../../src/store/store.ts';
import { type Teardown, temporaryFolder } from './temporary.ts';

export interface IndexedSample {
  readonly settings: Settings;
  /** Absolute, with the documents. */
  readonly docs: string;
  /** Takes in what was changed in the docs, as a daemon does. */
  index(): Promise<void>;
}

let template: Promise<string> | undefined;

/** A copy of the sample docs in a project of its own, indexed; gone when the test ends. The documents are read once for all tests of a process. */
export async function indexedSample(t: Teardown): Promise<IndexedSample> {
  template ??= newTemplate();
  const folder = temporaryFolder(t);
  cpSync(await template, folder, { recursive: true });
  return indexedIn(folder);
}

async function newTemplate(): Promise<string> {
  const folder = temporaryFolder(t);
  cpSync(resolve('docs/sample'), join(folder, 'docs'), { recursive: true });
  await indexedIn(folder);
  return folder;
}

async function indexedIn(folder: string): Promise<IndexedSample> {
  const settings = loadSettings({}, folder);
  const state = stateFolderAt(settings.state);
  prepareStateFolder(state);
  const index = async (): Promise<void> => {
    const store = openStore(state.indexFile);
    await updateIndex({
      store,
      docs: settings.selection,
      excluded: [settings.state],
      maxBytes: settings.maxDocumentBytes,
      clock: systemClock,
    });
    store.close();
  };
  // A copy has other stamps than what it was made from: only those are written.
  await index();
  return { settings, docs: join(folder, 'docs'), index };
}
