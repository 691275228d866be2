import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { usualMaps } from '../../src/config/schema-map-file.ts';
import { SchemaWatch } from '../../src/daemon/schema-watch.ts';
import { temporaryFolder } from '../support/temporary.ts';

const MAP = 'documents:\n  - paths: "adr/**"\n    type: ADR\n';

function subject(t: Test) {
  const base = realpathSync(temporaryFolder(t));
  const docs = join(base, 'docs');
  mkdirSync(docs);
  const map = join(docs, 'kgraphfs.schema.yaml');
  const watch = new SchemaWatch({ schemaMap: undefined, usualMaps: usualMaps(base, docs) }, undefined);
  const told: string[] = [];
  const look = () =>
    watch.look({
      onMap: (schema) => told.push(`${schema?.rules.length ?? 'no'} rules`),
      onBroken: (_, faults) => told.push(faults[0]?.message ?? ''),
    });
  return { base, docs, map, watch, told, look };
}

t.test(
  'a map is read where it stayed the same for two looks, and the first says that another is due',
  async (t) => {
    const { map, told, look } = subject(t);
    t.equal(look(), true);
    writeFileSync(map, '');
    t.equal(look(), false);
    writeFileSync(map, MAP);
    t.equal(look(), false, 'it changed once more');
    t.same(told, []);
    t.equal(look(), true);
    t.same(told, ['1 rules']);
    rmSync(map);
    t.equal(look(), false);
    t.equal(look(), true);
    t.same(told, ['1 rules', 'no rules']);
  },
);

t.test('the files to watch are those that may be the map, and where a link to it leads', async (t) => {
  const { base, docs, map, watch } = subject(t);
  t.same(watch.files(), usualMaps(base, docs));
  mkdirSync(join(docs, 'maps'));
  writeFileSync(join(docs, 'maps/team.yaml'), MAP);
  symlinkSync('maps/team.yaml', map);
  t.ok(watch.files().includes(map));
  t.ok(watch.files().includes(join(docs, 'maps/team.yaml')));
});

t.test('of a map that a config names it is that file alone, and of the ready one none', async (t) => {
  const { map } = subject(t);
  const files = (schemaMap: string) => new SchemaWatch({ schemaMap, usualMaps: [] }, undefined).files();
  t.same(files(map), [map], 'also where it is missing');
  t.same(files('spec-driven'), []);
});
