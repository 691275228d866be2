import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import type { Finding } from '../../src/integrity/finding.ts';
import { IndexComparison, type IndexDifference } from '../../src/store/index-comparison.ts';
import { kgraphfs } from '../cli/run-cli.ts';
import { runHere } from '../cli/run-here.ts';
import { failingDisk } from '../support/failing-disk.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

interface Checked {
  readonly status: number | null;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

const template = temporaryFolder(t);
/** Its graph. */
let sound = '';

/** A project of some of the sample docs, built, with memories and a history. */
async function project(t: Teardown): Promise<string> {
  const folder = temporaryFolder(t);
  cpSync(template, folder, { recursive: true });
  chmodSync(join(folder, '.kgraphfs'), 0o700);
  return folder;
}

t.before(async () => {
  const folder = template;
  cpSync('docs/sample/charges', join(folder, 'docs'), { recursive: true });
  cpSync('docs/sample/errors.md', join(folder, 'docs/errors.md'));
  await runHere(['build'], { cwd: folder });
  for (const content of ['Refunds take five days', 'Refunds take six days']) {
    await runHere(['vfs', 'write', '/context/memory/fact/refunds', content], { cwd: folder });
  }
  await runHere(['vfs', 'write', '/context/memory/fact/billing/terms', 'Net 30'], { cwd: folder });
  sound = await graphOf(folder);
});

async function check(cwd: string, ...args: string[]): Promise<Checked> {
  const { status, out, err } = await runHere(['check', '--json', ...args], { cwd });
  return out === ''
    ? { status, ok: false, findings: [{ ...UNKNOWN, message: err }] }
    : { status, ...JSON.parse(out) };
}

const UNKNOWN: Finding = {
  part: 'state',
  problem: 'refused',
  message: '',
  items: [],
  count: 0,
  mended: false,
  remedy: '',
};

function inDatabase(folder: string, name: string, sql: string): void {
  const database = new Sqlite(join(folder, '.kgraphfs', name));
  database.pragma('foreign_keys = OFF');
  database.exec(sql);
  database.close();
}

/** What all nodes and edges say, whatever their numbers are. */
async function graphOf(cwd: string): Promise<string> {
  const { nodes, links } = JSON.parse((await runHere(['export'], { cwd })).out);
  return JSON.stringify({ nodes, links });
}

t.test('a sound project is well', async (t) => {
  const folder = await project(t);
  t.match(await check(folder), { status: 0, ok: true, findings: { length: 0 } });
  t.match((await runHere(['check'], { cwd: folder })).out, /^all is well/);
  t.same(
    readdirSync(join(folder, '.kgraphfs')).filter((name) => name.startsWith('check-')),
    [],
    'nothing is left behind',
  );
});

const INDEX_DAMAGES: Readonly<Record<string, string>> = {
  'an edge to nowhere':
    "INSERT INTO edges VALUES ((SELECT id FROM nodes LIMIT 1), 999999, 'requires', 1, 1, '', '[]', '')",
  'edges that are gone': 'DELETE FROM edges WHERE source_id % 3 = 0',
  'an edge that nobody said':
    "INSERT INTO edges SELECT a.id, b.id, 'triggers', 1, 1, '', '[]', '' FROM nodes a, nodes b WHERE a.label = 'Charge' AND b.label = 'Customer' AND a.type = 'APIObject' AND b.type = 'APIObject'",
  'evidence that makes no sense': "UPDATE edges SET evidence = 'x' WHERE source_id % 5 = 0",
  'nodes that are gone': 'DELETE FROM nodes WHERE id % 4 = 0',
  'a node that no document declares':
    "INSERT INTO keys VALUES (888888, 'concept:ghost'); INSERT INTO nodes SELECT 888888, 'concept:ghost', 'Concept', 'Ghost', 'Ghost', 'Ghost', 'Ghost', 'ghost', '', '{}', 1, 1, '[]', 0, 0, 0, 0",
  'names that are not theirs': "UPDATE nodes SET name = 'X' || id, display = 'X' || id WHERE id % 7 = 0",
  'descriptions that are not theirs': "UPDATE nodes SET description = 'no', weight = 3 WHERE id % 2 = 0",
  'properties that are no JSON': "UPDATE nodes SET properties = '{' WHERE id % 9 = 0",
  'mentions that are gone': 'DELETE FROM mentions WHERE document_id % 3 = 0',
  'mentions that declare no more': 'UPDATE mentions SET declares = 0 WHERE document_id % 2 = 0',
  'statements that were changed': "UPDATE statements SET body = '{}' WHERE document_id % 3 = 1",
  'links that lead elsewhere': 'UPDATE statements SET resolved_id = source_id WHERE document_id % 2 = 1',
  'aliases that are gone': 'DELETE FROM aliases',
  'outlines that are gone': 'DELETE FROM outlines WHERE document_id % 2 = 0',
  'rows of a document that is not there':
    'UPDATE mentions SET document_id = document_id + 10000 WHERE document_id % 5 = 0',
  'keys that are gone': 'DELETE FROM keys WHERE id % 6 = 0',
  'a sum that is not that of the document': "UPDATE documents SET sha256 = 'f' WHERE id % 2 = 0",
  'all at once':
    'DELETE FROM nodes WHERE id % 5 = 0; DELETE FROM edges WHERE target_id % 3 = 0; DELETE FROM mentions WHERE document_id % 4 = 0; DELETE FROM aliases WHERE document_id % 2 = 0',
};

/** This one is looked at without `--repair` first, and again afterwards. */
const TOLD_FIRST = 'all at once';

/** As `check` compares an index with one made from the docs, which here is at hand: that of the template. */
function differencesFromSound(folder: string): readonly IndexDifference[] {
  const indexOf = (project: string) => join(project, '.kgraphfs/index.sqlite');
  const comparison = new IndexComparison(indexOf(folder), indexOf(template));
  try {
    t.equal(comparison.danglingEdges(), 0);
    return comparison.differences();
  } finally {
    comparison.close();
  }
}

for (const [title, sql] of Object.entries(INDEX_DAMAGES)) {
  t.test(`found and mended in the index: ${title}`, async (t) => {
    const folder = await project(t);
    inDatabase(folder, 'index.sqlite', sql);
    if (title === TOLD_FIRST) {
      const found = await check(folder);
      t.match(found, { status: 1, ok: false });
      t.ok(found.findings.length > 0);
      t.ok(found.findings.every(({ mended }) => !mended));
    }
    const repaired = await check(folder, '--repair');
    t.match(repaired, { status: 0, ok: true });
    t.ok(repaired.findings.length > 0);
    t.ok(repaired.findings.every(({ mended }) => mended));
    if (title === TOLD_FIRST) t.match(await check(folder), { status: 0, findings: { length: 0 } });
    t.same(differencesFromSound(folder), []);
    t.equal(await graphOf(folder), sound);
  });
}

t.test(
  'a node that a heading of one document and a sentence of another one make together is well',
  async (t) => {
    const folder = await project(t);
    writeFileSync(
      join(folder, 'docs/night.md'),
      '# At night\n\n## Cold glaze shelf\n\nWhat is dry by then.\n',
    );
    writeFileSync(
      join(folder, 'docs/rows.md'),
      '# Row Planner\n\nThe row planner uses a cold glaze shelf.\n',
    );
    await runHere(['build'], { cwd: folder });
    t.match(await graphOf(folder), /Cold glaze shelf/);
    t.match(await check(folder), { ok: true, findings: { length: 0 } });
    inDatabase(folder, 'index.sqlite', "UPDATE nodes SET label = 'Row Plan' WHERE label = 'Row Planner'");
    const { findings } = await check(folder);
    t.match(findings, [
      { problem: 'node-differs', message: 'nodes that are not what the docs make of them' },
    ]);
    t.notMatch(JSON.stringify(findings), 'declared by no document');
  },
);

t.test(
  'an index without one of its tables, columns or indexes is made again, and no command calls that a bug',
  async (t) => {
    const folder = await project(t);
    for (const damage of [
      'DROP TABLE edges',
      'DROP TABLE meta',
      'ALTER TABLE nodes DROP COLUMN description',
    ]) {
      inDatabase(folder, 'index.sqlite', damage);
      const { status, err } = await runHere(['nodes'], { cwd: folder });
      t.equal(status, 1, damage);
      t.match(err, /index\.sqlite: the index is damaged .*kgraphfs check --repair/);
      t.match(await check(folder), { status: 1, findings: [{ part: 'index', problem: 'file-damaged' }] });
      t.match(await check(folder, '--repair'), { status: 0, findings: [{ mended: true }] });
      t.equal(await graphOf(folder), sound);
    }
  },
);

t.test('memory and history without one of their tables get it again, and keep the others', async (t) => {
  const folder = await project(t);
  inDatabase(folder, 'context.sqlite', 'DROP TABLE sessions');
  const list = () => runHere(['context', 'memory', 'list'], { cwd: folder });
  t.match(await list(), { status: 1, err: /context\.sqlite: .* is damaged .*kgraphfs check --repair/ });
  const found = { part: 'memory', problem: 'file-damaged', items: [/table sessions is missing/] };
  t.match(await check(folder), { status: 1, findings: [found] });
  t.match(await check(folder, '--repair'), { status: 0 });
  t.match((await list()).out, /Refunds take six days/);
});

t.test('an index whose file is damaged is made again', async (t) => {
  const folder = await project(t);
  const file = join(folder, '.kgraphfs/index.sqlite');
  for (const damage of [
    () => writeFileSync(file, 'no database at all'),
    () => writeFileSync(file, readFileSync(file).subarray(0, 9000)),
    () => writeFileSync(file, readFileSync(file).fill(7, 8192, 60_000)),
  ]) {
    damage();
    t.match(await check(folder), { status: 1, findings: [{ part: 'index', problem: 'file-damaged' }] });
    t.match(await check(folder, '--repair'), { status: 0, findings: [{ mended: true }] });
    t.equal(await graphOf(folder), sound);
  }
  rmSync(file);
  t.match(await check(folder), { status: 1, findings: [{ problem: 'index-missing' }] });
  t.match(await check(folder, '--repair'), { status: 0 });
});

t.test('documents that changed since they were read are named, and read', async (t) => {
  const folder = await project(t);
  writeFileSync(join(folder, 'docs/new.md'), '# New\n');
  rmSync(join(folder, 'docs/errors.md'));
  t.match(await check(folder), {
    status: 1,
    findings: [{ part: 'docs', problem: 'document-behind', count: 2, items: ['errors.md', 'new.md'] }],
  });
  t.match(await check(folder, '--repair'), { status: 0 });
  t.match(await check(folder), { status: 0, findings: { length: 0 } });
});

t.test('after an upgrade it is not said that the docs changed', async (t) => {
  const folder = await project(t);
  inDatabase(folder, 'index.sqlite', 'UPDATE documents SET extractor_version = 1');
  writeFileSync(join(folder, 'docs/errors.md'), '# Changed\n');
  const { status, findings } = await check(folder);
  t.equal(status, 1);
  const [changed, ...others] = findings;
  t.match(changed, { problem: 'document-behind', count: 1, items: ['errors.md'] });
  t.match(others, [{ part: 'index', problem: 'document-of-other-version', count: 4 }]);
  t.equal(others.length, 1);
  t.match(await check(folder, '--repair'), { status: 0, findings: [{ mended: true }, { mended: true }] });
  t.match(await check(folder), { status: 0, findings: { length: 0 } });
});

const ENTRY = "(SELECT id FROM memory_entries WHERE name = 'refunds')";
const CONTEXT_DAMAGES: Readonly<Record<string, readonly [sql: string, problem: string]>> = {
  'a content that was changed': [
    `UPDATE memory_contents SET content = CAST('Oh' AS BLOB) WHERE id = ${ENTRY}`,
    'content-differs',
  ],
  'a size that is wrong': ['UPDATE memory_entries SET size_bytes = 1', 'content-differs'],
  'texts that search lacks': ['DELETE FROM memory_texts', 'text-differs'],
  'texts of what is not there': ["INSERT INTO memory_texts VALUES (777, 'x')", 'row-without-entry'],
  'an earlier content that was changed': [
    "UPDATE memory_versions SET content = CAST('Oh' AS BLOB)",
    'version-differs',
  ],
  'contents of nothing': ["INSERT INTO memory_contents VALUES (777, CAST('x' AS BLOB))", 'row-without-entry'],
  'a relation to nothing': [
    `INSERT INTO memory_links VALUES (${ENTRY}, 'supports', 777, 1)`,
    'row-without-entry',
  ],
  'a size of the history that is wrong': [
    'DROP TRIGGER history_file_is_not_changed; UPDATE history_files SET size_bytes = size_bytes + 5, entries = 1',
    'history-size',
  ],
};

/** This one is looked at without `--repair` first. */
const [FIRST_CONTEXT_DAMAGE] = Object.keys(CONTEXT_DAMAGES);

for (const [title, [sql, problem]] of Object.entries(CONTEXT_DAMAGES)) {
  t.test(`found and mended in memory and history: ${title}`, async (t) => {
    const folder = await project(t);
    const before = (await runHere(['context', 'history'], { cwd: folder })).out;
    inDatabase(folder, 'context.sqlite', sql);
    if (title === FIRST_CONTEXT_DAMAGE)
      t.ok((await check(folder)).findings.some((one) => one.problem === problem && !one.mended));
    const repaired = await check(folder, '--repair');
    t.equal(repaired.status, 0);
    t.ok(repaired.findings.some((one) => one.problem === problem && one.mended));
    t.match(await check(folder), { status: 0, findings: { length: 0 } });
    t.ok(
      readdirSync(join(folder, '.kgraphfs')).some((name) => name.startsWith('context.sqlite.before-repair-')),
    );
    t.equal((await runHere(['context', 'history'], { cwd: folder })).out, before);
    t.match(
      (await runHere(['vfs', 'read', '/context/memory/fact/billing/terms'], { cwd: folder })).out,
      'Net 30',
    );
  });
}

t.test('a lost content is told of for as long as it is lost', async (t) => {
  const folder = await project(t);
  inDatabase(folder, 'context.sqlite', `DELETE FROM memory_contents WHERE id = ${ENTRY}`);
  for (let times = 0; times < 2; times += 1) {
    t.match(await check(folder, '--repair'), {
      status: 1,
      findings: [{ problem: 'content-missing', items: ['fact/refunds'], mended: false }],
    });
  }
});

t.test('a damaged file of memory is put aside, and all that can be read of it goes on', async (t) => {
  const folder = await project(t);
  const entries = Array.from({ length: 60 }, (_, index) =>
    JSON.stringify({ key: `entry-${index}`, content: `Number ${index} ${'x'.repeat(1200)}` }),
  );
  writeFileSync(join(folder, 'entries.jsonl'), `${entries.join('\n')}\n`);
  t.match(await runHere(['context', 'memory', 'import', 'entries.jsonl'], { cwd: folder }), { status: 0 });
  const file = join(folder, '.kgraphfs/context.sqlite');
  const bytes = readFileSync(file);
  // A page in the middle of the contents.
  const page = Math.floor(bytes.indexOf('Number 30 ') / 4096);
  writeFileSync(file, bytes.fill(9, page * 4096, (page + 1) * 4096));
  t.match(await check(folder), { status: 1, findings: [{ part: 'memory', problem: 'file-damaged' }] });
  const repaired = await check(folder, '--repair');
  t.match(repaired.findings[0], { problem: 'file-damaged', mended: true, message: /rows were taken out/ });
  const kept = readdirSync(join(folder, '.kgraphfs')).find((name) =>
    name.startsWith('context.sqlite.damaged-'),
  );
  t.same(readFileSync(join(folder, '.kgraphfs', kept ?? '')), bytes, 'the damaged file is there as it was');
  const read = (key: string) => runHere(['vfs', 'read', `/context/memory/fact/${key}`], { cwd: folder });
  t.match(await read('entry-3'), { status: 0, out: /^Number 3 / });
  t.match(await read('entry-59'), { status: 0, out: /^Number 59 / });
  t.equal((await runHere(['vfs', 'write', '/context/memory/fact/after', 'yes'], { cwd: folder })).status, 0);
});

t.test('what killed processes left behind is cleared away, and an open folder closed', async (t) => {
  const folder = await project(t);
  const state = join(folder, '.kgraphfs');
  mkdirSync(join(state, 'daemons'), { recursive: true });
  writeFileSync(
    join(state, 'daemons/1.json'),
    JSON.stringify({ pid: 1, startTicks: 'x', mountpoint: null, docs: '/' }),
  );
  writeFileSync(join(state, 'check-4194399-copy.sqlite'), '');
  chmodSync(state, 0o755);
  const { findings } = await check(folder);
  t.same(findings.map(({ problem }) => problem).sort(), ['left-file', 'open-folder', 'stale-record']);
  t.match(await check(folder, '--repair'), { status: 0 });
  t.match(await check(folder), { status: 0, findings: { length: 0 } });
});

t.test('an index is mended while a daemon runs, and a file is not replaced under it', async (t) => {
  const folder = await project(t);
  t.teardown(() => kgraphfs(['stop', '--force'], { cwd: folder }));
  t.equal(kgraphfs(['start', '--wait'], { cwd: folder }).status, 0);
  inDatabase(
    folder,
    'index.sqlite',
    'DELETE FROM nodes WHERE id % 4 = 0; DELETE FROM edges WHERE target_id % 3 = 0',
  );
  t.match(await check(folder), { status: 1 });
  t.match(await check(folder, '--repair'), { status: 0 });
  t.match(await check(folder), { status: 0, findings: { length: 0 } });
  t.match(kgraphfs(['status', '--json'], { cwd: folder }).out, /"state": "ready"/);
});

t.test('the index is not held against docs that the disk fails to read', async (t) => {
  const folder = await project(t);
  const disk = failingDisk(t);
  disk.failAt(realpathSync(join(folder, 'docs')));
  const args = ['check', '--repair'];
  const { status, err } = await runHere(args, { cwd: folder });
  t.equal(status, 1);
  t.match(err, /docs: another program holds it, or the disk fails to read it, so the index cannot be held/);
  disk.failAt();
  t.match(await check(folder), { ok: true }, 'and nothing was taken out of it');
});

t.test('a file of memory that the disk fails to read is neither damaged nor replaced', async (t) => {
  const folder = await project(t);
  const file = realpathSync(join(folder, '.kgraphfs', 'context.sqlite'));
  // SQLite reports the same damage for a page that cannot be read as for one whose content makes no sense.
  const bytes = readFileSync(file).fill(0xff, 4096);
  writeFileSync(file, bytes);
  const disk = failingDisk(t);
  disk.failAt(file);
  const { status, out } = await runHere(['check', '--repair', '--json'], { cwd: folder });
  t.equal(status, 1);
  t.match(out, /context\.sqlite cannot be looked at, and is left as it is/);
  t.match(out, /the kernel says what is wrong with the disk/);
  disk.failAt();
  t.strictSame(readFileSync(file), bytes);
  const others = readdirSync(join(folder, '.kgraphfs')).filter((name) => name.includes('.damaged-'));
  t.strictSame(others, [], 'no part of a copy is left');
});
