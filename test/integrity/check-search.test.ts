import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import { systemClock } from '../../src/core/clock.ts';
import { checkSearch } from '../../src/integrity/check-search.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { openSearchStore } from '../../src/store/search-store.ts';
import { runHere } from '../cli/run-here.ts';
import { oneFolder } from '../support/one-folder.ts';
import { openBelow } from '../support/open-below.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const template = temporaryFolder(t);

t.before(async () => {
  cpSync('docs/sample/charges', join(template, 'docs'), { recursive: true });
  await runHere(['build'], { cwd: template });
});

function project(t: Teardown): { folder: string; file: string } {
  const folder = temporaryFolder(t);
  cpSync(template, folder, { recursive: true });
  chmodSync(join(folder, '.kgraphfs'), 0o700);
  return { folder, file: join(folder, '.kgraphfs/search.sqlite') };
}

function contents(file: string) {
  const store = openSearchStore(file, { readOnly: true });
  try {
    return store.sources.all().map(({ id, ...source }) => ({
      ...source,
      stamp: '',
      dateMs: 0,
      modifiedMs: 0,
      passages: store.passages.ofSource(id).map(({ id: _, sourceId: __, ...passage }) => passage),
      isFound: store.passages.withoutTerms().length === 0,
    }));
  } finally {
    store.close();
  }
}

const DAMAGES: Readonly<Record<string, string>> = {
  'other terms': "UPDATE passages SET body_bag = 'nothing' WHERE id = 1",
  'a lost passage': 'DELETE FROM passages WHERE id = (SELECT max(id) FROM passages WHERE source_id = 1)',
  'a lost passage of a node':
    "DELETE FROM passages WHERE source_id = (SELECT max(id) FROM sources WHERE kind = 'node')",
  'a passage that is not found': 'DELETE FROM passage_terms WHERE rowid = 2',
  'another title': "UPDATE sources SET title = 'Nothing' WHERE id = 1",
};

for (const [name, sql] of Object.entries(DAMAGES)) {
  t.test(`${name} in what search knows is told, and mended`, async (t) => {
    const { folder, file } = project(t);
    const whole = contents(file);
    const database = new Sqlite(file);
    database.exec(sql);
    database.close();
    t.notSame(contents(file), whole);
    const { findings } = JSON.parse((await runHere(['check', '--json'], { cwd: folder })).out);
    t.match(findings, [{ part: 'search', problem: 'passage-differs', count: 1, mended: false }]);
    const repaired = await runHere(['check', '--repair', '--json'], { cwd: folder });
    t.match(JSON.parse(repaired.out).findings, [{ part: 'search', mended: true }]);
    const sorted = (all: ReturnType<typeof contents>) => all.sort((a, b) => (a.path < b.path ? -1 : 1));
    t.same(sorted(contents(file)), sorted(whole));
    t.match(JSON.parse((await runHere(['check', '--json'], { cwd: folder })).out), { ok: true });
  });
}

t.test('a damaged file is told, and made again by repair and by a build', async (t) => {
  const { folder, file } = project(t);
  const whole = contents(file);
  const damage = () => {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x55, 8192, bytes.length - 4096));
  };
  damage();
  const { findings } = JSON.parse((await runHere(['check', '--json'], { cwd: folder })).out);
  t.match(findings, [{ part: 'search', problem: 'file-damaged' }]);
  await runHere(['check', '--repair'], { cwd: folder });
  t.same(contents(file), whole);
  writeFileSync(file, 'no database at all');
  t.equal((await runHere(['build'], { cwd: folder })).status, 0);
  t.same(contents(file), whole);
  damage();
  writeFileSync(join(folder, 'docs/new.md'), '# New\n');
  t.equal((await runHere(['build'], { cwd: folder })).status, 0);
  t.equal(contents(file).length, whole.length + 1);
});

t.test('wipe removes what search knows, of memory too where that goes', async (t) => {
  const { folder, file } = project(t);
  await runHere(['memory', 'add', 'fact', 'refunds', 'five days'], { cwd: folder });
  await runHere(['search', 'refunds'], { cwd: folder });
  const ofMemory = join(folder, '.kgraphfs/memory-search.sqlite');
  t.ok(existsSync(ofMemory));
  await runHere(['wipe', '--memory', '--yes'], { cwd: folder });
  t.notOk(existsSync(ofMemory));
  t.ok(existsSync(file));
  await runHere(['wipe', '--yes'], { cwd: folder });
  t.notOk(existsSync(file));
});

t.test('a file that was only begun is made, as one that is not there', async (t) => {
  const { folder, file } = project(t);
  const whole = contents(file);
  writeFileSync(file, '');
  t.match(await runHere(['check'], { cwd: folder }), { status: 0, out: /^all is well/ });
  t.match(await runHere(['check', '--repair'], { cwd: folder }), { status: 0 });
  t.same(contents(file), whole);
});

t.test('where there is nothing to compare with, the file does not stay open', async (t) => {
  const { folder } = project(t);
  const options = {
    state: stateFolderAt(join(folder, '.kgraphfs')),
    docs: oneFolder(join(folder, 'docs')),
    repair: false,
    isInUse: () => false,
    excluded: [],
    maxBytes: 1 << 20,
    clock: systemClock,
  };
  await t.rejects(checkSearch(options, join(folder, 'none.sqlite')));
  t.same(openBelow(folder), []);
});
