import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { memoryPlace } from './memory-place.ts';
import { MAIN } from './run-cli.ts';

const memory = (...args: string[]) => ['context', 'memory', ...args];

const LINES = [
  {
    memory_type: 'fact',
    key: 'a',
    content: 'one\n',
    tags: ['x'],
    confidence: 0.5,
    created_at: '2026-01-31T12:00:00.000Z',
  },
  { memory_type: 'episodic', key: 'calls/b', content: 'two', session: 's-1', channel: 'phone' },
  { content: 'Refunds take 5 days' },
  { relation: 'follows', from: 'episodic/calls/b', to: 'fact/a', weight: 0.5 },
];
const jsonl = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

t.test('an import says what it did, and done again it changes nothing', async (t) => {
  const { run, json, file } = memoryPlace(t);
  file('in.jsonl', jsonl(LINES));
  t.match(await run(memory('import', 'in.jsonl')), {
    status: 0,
    out: 'in.jsonl: 3 entries added, 0 replaced, 0 the same, 1 relation set\n',
    err: '',
  });
  const before = await json(...memory('list'));
  t.match(before, [
    { key: 'a', confidence: 0.5, created_at: '2026-01-31T12:00:00.000Z' },
    { key: /^refunds-take-5-days-[0-9a-f]{8}$/, memory_type: 'fact' },
    { key: 'calls/b', session: 's-1', provenance: { channel: 'phone' } },
  ]);
  t.match(
    (await run(memory('import', 'in.jsonl'))).out,
    'in.jsonl: 0 entries added, 0 replaced, 3 the same\n',
  );
  t.same(await json(...memory('list')), before);
  file('in.jsonl', jsonl([{ ...LINES[0], content: 'changed\n' }]));
  t.match(await json(...memory('import', 'in.jsonl')), {
    entries: 1,
    added: 0,
    replaced: 1,
    same: 0,
    problems: { length: 0 },
  });
});

t.test('what is exported is imported as it was, from a file, standard input or a pipe', async (t) => {
  const from = memoryPlace(t);
  await from.run(memory('import', '-'), { input: jsonl(LINES) });
  const exported = (await from.run(memory('export'))).out;
  t.equal(exported, (await from.run(memory('export', '-'))).out, 'the order is stable');
  t.match(await from.run(memory('export', 'out.jsonl')), { status: 0, out: 'out.jsonl: 4 lines written\n' });
  const file = join(from.folder, 'out.jsonl');
  t.equal(readFileSync(file, 'utf8'), exported);
  t.equal(statSync(file).mode & 0o777, 0o600);
  for (const how of ['file', 'input', 'pipe']) {
    const to = memoryPlace(t);
    if (how === 'file') await to.run(memory('import', file));
    if (how === 'input') await to.run(memory('import', '-'), { input: exported });
    if (how === 'pipe') {
      const command = `'${process.execPath}' '${MAIN}' context memory import <(cat '${file}')`;
      const { status } = spawnSync('bash', ['-c', command], { cwd: to.folder });
      t.equal(status, 0);
    }
    t.equal((await to.run(memory('export'))).out, exported, how);
  }
  const facts = (await from.run(memory('export', '--type', 'fact'))).out;
  t.match(
    facts
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).memory_type),
    ['fact', 'fact'],
  );
});

t.test('where lines are wrong nothing is imported, and each is named', async (t) => {
  const { run, json, file } = memoryPlace(t);
  file(
    'in.jsonl',
    '{"key":"a","content":"x"}\nnonsense\n{"key":"b","content":"---\\nconfidence: 7\\n---\\n"}\n{"relation":"follows","from":"fact/a","to":"fact/z"}\n',
  );
  const { status, out, err } = await run(memory('import', 'in.jsonl'));
  t.equal(status, 1);
  t.equal(out, '');
  t.match(err, /^kgraphfs: in\.jsonl:2: this is not JSON/);
  t.match(err, /\nin\.jsonl:3: content, its line 2: confidence has to be a number from 0 to 1\n/);
  t.match(err, /\nin\.jsonl:4: there is no entry fact\/z here or in memory to relate\n/);
  t.match(err, /nothing was imported; --keep-going imports the 1 entry of the other lines\n$/);
  t.same(await json(...memory('list')), []);
  t.equal((await run(memory('import', 'in.jsonl', '--dry-run'))).status, 1);

  const kept = await run(memory('import', 'in.jsonl', '--keep-going'));
  t.equal(kept.status, 1, 'so that a script sees that lines were left out');
  t.match(kept.out, 'in.jsonl: 1 entry added, 0 replaced, 0 the same\n');
  t.match(kept.err, /^in\.jsonl:2: .*\nin\.jsonl:3: .*\nin\.jsonl:4: /);
  t.match(await json(...memory('list')), [{ key: 'a' }]);
});

t.test('of many wrong lines the first ones are shown', async (t) => {
  const { run, file } = memoryPlace(t);
  file('in.jsonl', 'x\n'.repeat(25));
  const { err } = await run(memory('import', 'in.jsonl'));
  t.match(err, /\nin\.jsonl:10: .*\nand 15 more lines like that\n {2}nothing was imported\n$/);
});

t.test('an array is told from lines, with the way to make lines of it', async (t) => {
  const { run, file } = memoryPlace(t);
  file('in.json', '[\n  {"content": "x"}\n]\n');
  t.match((await run(memory('import', 'in.json'))).err, /in\.json:1: .*jq -c '\.\[\]'/);
});

t.test('a dry run says what would come and changes nothing', async (t) => {
  const { run, json, file } = memoryPlace(t);
  await run(memory('add', 'fact/a', 'x'));
  file('in.jsonl', jsonl(LINES));
  t.match(await run(memory('import', 'in.jsonl', '--dry-run')), {
    status: 0,
    out: 'in.jsonl: 3 entries (2 new) and 1 relation would be imported\n',
  });
  t.match(await json(...memory('import', 'in.jsonl', '--dry-run')), {
    entries: 3,
    relations: 1,
    existing: 1,
  });
  t.match(await json(...memory('list')), [{ key: 'a', content: 'x\n' }]);
});

t.test('the last line of an entry counts, and keys that mean nothing are told', async (t) => {
  const { run, json, file } = memoryPlace(t);
  file(
    'in.jsonl',
    '{"key":"a","content":"old","importance":3}\n{"key":"a","content":"new","importance":4}\n',
  );
  const { status, err } = await run(memory('import', 'in.jsonl'));
  t.equal(status, 0);
  t.equal(
    err,
    '1 line replaced by a later line of the same entry\nunknown keys were left out: importance (line 1)\n',
  );
  t.match(await json(...memory('list')), [{ content: 'new', version: 1 }]);
  t.match((await run(memory('import', 'in.jsonl'))).out, '0 entries added, 0 replaced, 1 the same');
});

t.test('the memory of the MCP memory server becomes facts and relations', async (t) => {
  const { run, json, file } = memoryPlace(t);
  file(
    'memory.jsonl',
    jsonl([
      { type: 'entity', name: 'Ana López', entityType: 'person', observations: ['likes tea', 'is on call'] },
      { type: 'entity', name: 'Acme/EU', entityType: 'company', observations: [] },
      { type: 'relation', from: 'Ana López', to: 'Acme/EU', relationType: 'works_at' },
      { type: 'relation', from: 'Acme/EU', to: 'Ana López', relationType: 'follows' },
    ]),
  );
  t.match(await run(memory('import', 'memory.jsonl')), {
    status: 0,
    out: /2 entries added.*2 relations set/,
  });
  t.match(await json(...memory('list')), [
    { key: 'Acme%2FEU', memory_type: 'fact', content: 'Acme/EU\n', tags: ['company'] },
    { key: 'Ana López', content: 'likes tea\nis on call\nAna López works_at Acme/EU\n', tags: ['person'] },
  ]);
  t.match(await json(...memory('show', 'Ana López')), {
    relations: [
      { relation: 'related_to', direction: 'out', entry: 'fact/Acme%2FEU' },
      { relation: 'follows', direction: 'in', entry: 'fact/Acme%2FEU' },
    ],
  });
  t.match((await run(memory('import', 'memory.jsonl'))).out, '0 entries added, 0 replaced, 2 the same\n');
});

t.test('files that cannot be read or written are named', async (t) => {
  const { run, folder } = memoryPlace(t);
  t.match(await run(memory('import', 'none.jsonl')), {
    status: 1,
    err: /^kgraphfs: none\.jsonl: cannot be read/,
  });
  t.match(await run(memory('import', folder)), { status: 1, err: /this is a folder/ });
  t.match(await run(memory('export', 'no/folder')), {
    status: 1,
    err: /^kgraphfs: no\/folder: cannot be written/,
  });
});
