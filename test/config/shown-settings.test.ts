import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { schemaMapNow } from '../../src/config/schema-map-file.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { shownSettings } from '../../src/config/shown-settings.ts';
import { temporaryFolder } from '../support/temporary.ts';

function shown(t: Test, config: unknown, files: readonly string[] = []) {
  const folder = temporaryFolder(t);
  for (const name of ['docs', 'templates']) mkdirSync(join(folder, name));
  for (const file of files) writeFileSync(join(folder, file), '');
  writeFileSync(join(folder, 'kgraphfs.config.json'), JSON.stringify(config));
  const loaded = loadSettings({}, folder);
  const settings = shownSettings(loaded, schemaMapNow(loaded));
  t.notMatch(JSON.stringify(settings), folder);
  return settings;
}

t.test('all that a config file says of how things are done is shown', async (t) => {
  const said = {
    docs: 'docs',
    schemaMap: 'maps/mine.yaml',
    templates: 'templates',
    search: { k: 20, weights: { keyword: 2, graph: 0, vector: 1, recency: 1 } },
    lint: { rules: { 'orphan-document': 'off' }, siteRoot: '/docs/', ignore: ['archive/**'] },
  };
  t.match(shown(t, said), {
    ...said,
    docs: undefined,
    schemaMap: '../maps/mine.yaml',
    templates: '../templates',
  });
  t.match(shown(t, { docs: 'docs' }), {
    schemaMap: undefined,
    search: { k: 60, weights: { graph: 3 } },
    lint: { rules: {}, ignore: { length: 0 } },
  });
});

t.test(
  'a schema map that is found where one is looked for is shown, and the ready one by its name',
  async (t) => {
    t.match(shown(t, { docs: 'docs' }, ['kgraphfs.schema.yaml']), { schemaMap: '../kgraphfs.schema.yaml' });
    t.match(shown(t, { docs: 'docs', schemaMap: 'spec-driven' }), { schemaMap: 'spec-driven' });
  },
);
