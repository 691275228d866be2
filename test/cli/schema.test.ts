import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

function project(t: Teardown, config: unknown = { docs: 'docs' }) {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, 'docs/index.md'), '# Index\n');
  writeFileSync(join(cwd, 'kgraphfs.config.json'), JSON.stringify(config));
  return { cwd, docs: join(cwd, 'docs'), run: (...args: string[]) => runHere(args, { cwd }) };
}

for (const schemaMap of [undefined, 'spec-driven']) {
  t.test(
    `a document of each ready template lints clean, ${schemaMap ? 'with' : 'without'} a map`,
    async (t) => {
      const { run } = project(t, { docs: 'docs', ...(schemaMap ? { schemaMap } : {}) });
      for (const template of ['epic', 'story', 'prd', 'architecture', 'adr']) {
        t.match(await run('new', template, `Say "yes": ${template} #1`), { status: 0, err: '' });
      }
      t.match(await run('lint', '--json'), { status: 0, out: /"findings": ?\[\]/ });
    },
  );
}

t.test('an ADR gets the next number, and nothing is ever overwritten', async (t) => {
  const { docs, run } = project(t);
  mkdirSync(join(docs, 'adr'));
  writeFileSync(join(docs, 'adr/0041-old.md'), '# Old\n');
  t.match(await run('new', 'adr', 'Use a queue'), { status: 0, out: /adr\/0042-use-a-queue\.md\n$/ });
  t.match(await run('new', 'adr', 'Use a queue'), { status: 0, out: /adr\/0043-use-a-queue\.md\n$/ });
  t.equal((await run('new', 'story', 'Refund')).status, 0);
  const before = readFileSync(join(docs, 'stories/refund.md'), 'utf8');
  t.match(await run('new', 'story', 'Refund', '--title', 'Other'), {
    status: 1,
    err: /this file exists already/,
  });
  t.equal(readFileSync(join(docs, 'stories/refund.md'), 'utf8'), before);
});

t.test('a dry run and JSON say what would be written, and write nothing', async (t) => {
  const { docs, run } = project(t);
  const { status, out } = await run('new', 'prd', 'Lockers', '--dry-run', '--json', '--set', 'owner=ops: us');
  t.equal(status, 0);
  t.match(JSON.parse(out), {
    path: 'prd/lockers.md',
    template: 'prd',
    title: 'Lockers',
    written: false,
    content: /\nowner: "?ops: us"?\n/,
  });
  t.same(readdirSync(docs), ['index.md']);
});

t.test('own templates come from a folder and win; what they hold is required', async (t) => {
  const { cwd, docs, run } = project(t, { docs: 'docs', templates: 'templates' });
  mkdirSync(join(cwd, 'templates'));
  writeFileSync(
    join(cwd, 'templates/rfc.md'),
    '---\ntitle: "{{title}}"\nauthor: "{{author}}"\n---\n\n# {{title}}\n\n## Why\n\nB\n',
  );
  t.match(await run('new', 'rfc', 'One', '--set', 'author=Ada'), { status: 0 });
  t.match(readFileSync(join(docs, 'rfc/one.md'), 'utf8'), 'author: "Ada"');
  t.match(await run('lint'), { status: 0 });
  writeFileSync(join(docs, 'rfc/one.md'), '---\ntitle: One\n---\n\n# One\n');
  t.match(await run('lint'), {
    status: 1,
    out: /requires the field "author"[\s\S]*requires the heading "Why"/,
  });
  t.match(await run('new', 'none', 'X'), {
    status: 2,
    err: /there is no template "none"; the templates are .*rfc/,
  });
});

t.test('nothing is written through a link out of the docs', async (t) => {
  const { cwd, docs, run } = project(t);
  mkdirSync(join(cwd, 'elsewhere'));
  symlinkSync(join(cwd, 'elsewhere'), join(docs, 'prd'));
  t.match(await run('new', 'prd', 'X'), { status: 1, err: /leads out of the docs root/ });
  t.notOk(existsSync(join(cwd, 'elsewhere/x.md')));
});

t.test('what is wrong with a map is told with file, line and column by check, apply and build', async (t) => {
  const { cwd, run } = project(t);
  const map = join(cwd, 'kgraphfs.schema.json');
  writeFileSync(
    map,
    '{\n  "documents": [\n    {"paths": "a/**", "type": "lower"}\n  ],\n  "hedings": []\n}\n',
  );
  for (const args of [['schema', 'check'], ['schema', 'apply'], ['build']]) {
    const { status, err } = await run(...args);
    t.equal(status, 2, args.join(' '));
    t.match(err, /kgraphfs\.schema\.json:3:\d+: documents\[0\]\.type: a node type is/);
    t.match(err, /kgraphfs\.schema\.json:5:3: unknown key hedings/);
  }
  t.match(await run('schema', 'check', 'none.yaml'), {
    status: 2,
    err: /none\.yaml:1:1: the schema map cannot be read/,
  });
});

t.test('without --json check and apply say it in words', async (t) => {
  const { cwd, docs, run } = project(t);
  writeFileSync(join(docs, 'one.md'), '---\ntype: adr\n---\n\n# One\n');
  t.equal((await run('build')).status, 0);
  writeFileSync(join(cwd, 'kgraphfs.schema.yaml'), 'frontMatter:\n  - key: type\n    types: { adr: ADR }\n');
  t.match(await run('schema', 'check'), {
    status: 0,
    out: /^nodes: 0 gained, \d lost, 1 changed\n[\s\S]*~ One \(Document\) -> One \(ADR\)/,
    err: /the map is right: 1 rule, 1 document to be read/,
  });
  t.match(await run('schema', 'apply'), { status: 0, out: /^applied 1 rule: read 1 of 2 documents in / });
});

t.test('where there is no map, check and apply say so and praise none', async (t) => {
  const { docs, run } = project(t);
  writeFileSync(join(docs, 'one.md'), '# One\n');
  t.equal((await run('build')).status, 0);
  t.match(await run('schema', 'check'), {
    status: 0,
    err: 'there is no schema map, 0 documents to be read\n',
  });
  t.match(await run('schema', 'apply'), {
    status: 0,
    out: /^there is no schema map: read 0 of 2 documents in /,
  });
});
