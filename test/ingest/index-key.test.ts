import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { indexKeyFrom } from '../../src/ingest/index-key.ts';
import { oneFolder } from '../support/one-folder.ts';
import { temporaryFolder } from '../support/temporary.ts';

const store = { meta: () => 'an index', revision: () => 1 };
const search = { position: () => 'a position' };

t.test('what changes while an index is made has another key the next time', async (t) => {
  const folder = temporaryFolder(t);
  const rulesFile = join(folder, 'learning.json');
  const extractionsFile = join(folder, 'extractions.sqlite');
  const module = { name: '/modules/m', folder: join(folder, 'm'), joinsGraph: true };
  const docs = { ...oneFolder(folder), modules: [module] };
  const how = { docs, excluded: [], maxBytes: 1000, rulesFile, extractionsFile };
  for (const changed of [rulesFile, extractionsFile, `${extractionsFile}-wal`, module.folder]) {
    const before = indexKeyFrom(how);
    writeFileSync(changed, 'something else');
    t.not(before(store, search), indexKeyFrom(how)(store, search), changed);
    rmSync(changed);
    t.equal(before(store, search), indexKeyFrom(how)(store, search));
  }
});

t.test('what the index holds counts as it is when the key is asked for', async (t) => {
  const keyOf = indexKeyFrom({ docs: oneFolder(temporaryFolder(t)), excluded: [], maxBytes: 1000 });
  t.equal(keyOf(store, search), keyOf(store, search));
  t.not(keyOf(store, search), keyOf({ ...store, revision: () => 2 }, search));
  t.not(keyOf(store, search), keyOf(store, { position: () => 'another' }));
});
