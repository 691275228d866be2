import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { usualMaps } from '../../src/config/schema-map-file.ts';
import { SchemaWatch } from '../../src/daemon/schema-watch.ts';
import { parseSchemaMap } from '../../src/schema/parse-map.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { hangingMount } from '../support/hanging-mount.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { testWhereModesCount } from '../support/where-modes-count.ts';

/** Against what hangs; a machine that is busy may take its time. */
const LIMIT_MS = 30_000;
const MAP = 'documents:\n  - paths: "adr/**"\n    type: ADR\n';

async function subject(t: Test) {
  const base = realpathSync(temporaryFolder(t));
  const docs = join(base, 'docs');
  mkdirSync(docs);
  const map = join(docs, 'kgraphfs.schema.yaml');
  const watch = await SchemaWatch.begin(
    { schemaMap: undefined, usualMaps: usualMaps(base, docs) },
    undefined,
  );
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
    const { map, told, look } = await subject(t);
    t.equal(await look(), true);
    writeFileSync(map, '');
    t.equal(await look(), false);
    writeFileSync(map, MAP);
    t.equal(await look(), false, 'it changed once more');
    t.same(told, []);
    t.equal(await look(), true);
    t.same(told, ['1 rules']);
    rmSync(map);
    t.equal(await look(), false);
    t.equal(await look(), true);
    t.same(told, ['1 rules', 'no rules']);
  },
);

t.test('the files to watch are those that may be the map, and where a link to it leads', async (t) => {
  const { base, docs, map, watch } = await subject(t);
  t.same(await watch.files(), usualMaps(base, docs));
  mkdirSync(join(docs, 'maps'));
  writeFileSync(join(docs, 'maps/team.yaml'), MAP);
  symlinkSync('maps/team.yaml', map);
  const files = await watch.files();
  t.ok(files.includes(map));
  t.ok(files.includes(join(docs, 'maps/team.yaml')));
});

t.test('of a map that a config names it is that file alone, and of the ready one none', async (t) => {
  const { map } = await subject(t);
  const files = async (schemaMap: string) => {
    const watch = await SchemaWatch.begin({ schemaMap, usualMaps: [] }, undefined);
    return watch.files();
  };
  t.same(await files(map), [map], 'also where it is missing');
  t.same(await files('spec-driven'), []);
});

t.test('of a map that is wrong it is told what is, and the rules before stay in use', async (t) => {
  const { map, told, look, watch } = await subject(t);
  const becomes = async (text: string) => {
    writeFileSync(map, text);
    await look();
    await look();
    return told.splice(0);
  };
  t.same(await becomes(MAP), ['1 rules']);
  const [message, ...more] = await becomes('documents: 7\n');
  t.match(message, /documents/);
  t.same(more, [], 'and of no map besides');
  t.match(watch.state(), { file: map, rules: { rules: { length: 1 } }, faults: [{ message }] });
  t.same(await becomes(`${MAP}# once more\n`), ['1 rules']);
  t.match(watch.state(), { faults: { length: 0 } });
});

testWhereModesCount(
  'a map that could not be read is read when it can be, though it did not change',
  async (t) => {
    const { map, told, look, watch } = await subject(t);
    writeFileSync(map, MAP, { mode: 0 });
    await look();
    for (let looks = 1; looks <= 3; looks += 1) t.equal(await look(), true);
    t.match(told.splice(0), [/cannot be read: .*EACCES/], 'it is told once');
    chmodSync(map, 0o600);
    t.equal(await look(), true);
    t.same(told, ['1 rules']);
    t.match(watch.state(), { rules: { rules: { length: 1 } }, faults: [] });
  },
);

t.test('a map that a config names is missed where it is not there, and read when it comes', async (t) => {
  const { map } = await subject(t);
  const watch = await SchemaWatch.begin({ schemaMap: map, usualMaps: [] }, undefined);
  t.match(watch.state(), { file: map, rules: undefined, faults: { length: 1 } });
  const told: unknown[] = [];
  const look = () =>
    watch.look({
      onMap: (schema) => told.push(schema?.rules.length),
      onBroken: () => told.push('broken'),
    });
  t.equal(await look(), true);
  writeFileSync(map, MAP);
  t.equal(await look(), false);
  t.equal(await look(), true);
  t.same(told, [1]);
});

t.test('where no file more can be opened, the map is not gone: the rules stay', async (t) => {
  const { map, watch, told, look } = await subject(t);
  writeFileSync(map, MAP);
  await look();
  await look();
  t.same(told, ['1 rules']);
  const release = takeAllDescriptors(t);
  const looks = [await look(), await look()];
  release();
  t.same(looks, [true, true]);
  t.same(told, ['1 rules']);
  t.equal(watch.state().rules?.rules.length, 1);
  rmSync(map);
  await look();
  await look();
  t.same(told, ['1 rules', 'no rules'], 'what is gone is seen to be, when one can look');
});

t.test('a map that does not answer is not gone: the rules stay, until it answers', needsFuse(), async (t) => {
  const { docs, map, told, look, watch } = await subject(t);
  const { docs: hanging, hang, goOn } = await hangingMount(t);
  writeFileSync(map, MAP);
  await look();
  t.equal(await look(), true);
  t.same(told, ['1 rules']);
  hang();
  renameSync(docs, `${docs}-away`);
  symlinkSync(hanging, docs);
  for (let looks = 1; looks <= 3; looks += 1) t.equal(await look(), true);
  t.same(told, ['1 rules']);
  t.match(watch.state(), { file: map, faults: [] });
  goOn();
  const endMs = performance.now() + LIMIT_MS;
  while (watch.state().file !== undefined && performance.now() < endMs) await look();
  t.same(told, ['1 rules', 'no rules'], 'there is none');
});

t.test(
  'docs that do not answer from the start are read by the rules before, until it is known',
  needsFuse(),
  async (t) => {
    const base = realpathSync(temporaryFolder(t));
    const { docs: hanging, hang, goOn } = await hangingMount(t);
    const docs = join(base, 'docs');
    symlinkSync(hanging, docs);
    const last = parseSchemaMap(MAP, 'map');
    hang();
    const watch = await SchemaWatch.begin({ schemaMap: undefined, usualMaps: usualMaps(base, docs) }, last);
    t.equal(watch.state().rules, last);
    const told: unknown[] = [];
    const look = () =>
      watch.look({ onMap: (rules) => told.push(rules), onBroken: () => told.push('broken') });
    t.equal(await look(), true);
    t.same(told, []);
    goOn();
    const endMs = performance.now() + LIMIT_MS;
    while (told.length === 0 && performance.now() < endMs) await look();
    t.same(told, [undefined], 'there is none');
    t.equal(watch.state().rules, undefined);
  },
);

/** Lowers the limit of this process, and opens as many files as that lets it. @returns closes them */
function takeAllDescriptors(t: Test): () => void {
  const limit = (soft: string) => execFileSync('prlimit', [`--pid=${process.pid}`, `--nofile=${soft}:`]);
  const before = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '';
  t.teardown(() => limit(before));
  limit('500');
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch (error) {
    t.match(error, { code: 'EMFILE' });
  }
  return () => {
    for (const descriptor of taken) closeSync(descriptor);
  };
}
