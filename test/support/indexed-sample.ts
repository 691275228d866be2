import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

/** A copy of the sample docs in a project of its own, indexed; gone when the test ends. */
export async function indexedSample(t: Teardown): Promise<IndexedSample> {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  cpSync(resolve('docs/sample'), docs, { recursive: true });
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
  await index();
  return { settings, docs, index };
}
