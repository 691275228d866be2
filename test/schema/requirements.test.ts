import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { lintDocs } from '../../src/app/lint-docs.ts';
import type { DocsSelection } from '../../src/core/docs-selection.ts';
import type { SchemaRules } from '../../src/core/schema-rules.ts';
import { graphQueries } from '../../src/graph/queries.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { EMPTY_OUTLINE } from '../../src/ingest/outline/outline.ts';
import { loadSchemaMap } from '../../src/schema/load-map.ts';
import { parseSchemaMap } from '../../src/schema/parse-map.ts';
import { requirementsBy } from '../../src/schema/requirements.ts';
import { openStore } from '../../src/store/store.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

type Files = Readonly<Record<string, string>>;

interface Project {
  readonly schema?: SchemaRules | undefined;
  readonly templates?: string;
  /** Names of several roots, whose files are those below `<name>/`. */
  readonly roots?: readonly string[];
}

/** What lint says of documents, `severity file: rule target`, and the types of their nodes. */
async function project(t: Teardown, files: Files, { schema, templates, roots }: Project = {}) {
  const folder = temporaryFolder(t);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const folders = roots?.map((name) => ({ name, folder: join(folder, name) })) ?? [{ name: '', folder }];
  const selection: DocsSelection = { folders, include: [], exclude: [], schema };
  const store = openStore(join(temporaryFolder(t), 'index.sqlite'));
  t.teardown(() => store.close());
  await updateIndex({ store, docs: selection, excluded: [], maxBytes: 1 << 20, clock: { nowMs: () => 1 } });
  const choices = { rules: {}, siteRoot: undefined, ignore: [] };
  const findings = lintDocs({ store, selection, excluded: [], choices, templates });
  return {
    told: findings.map(({ severity, file, rule, target = '' }) =>
      `${severity} ${file}: ${rule} ${target}`.trim(),
    ),
    typeOf: (path: string) => graphQueries(store).node(path)?.type,
  };
}

const BARE = '---\ntitle: T\ntype: adr\nstatus: done\n---\n\n# T\n\n## Context\n\nC\n';
const WANTED = (severity: string, file: string) =>
  ['Consequences', 'Decision'].map((heading) => `${severity} ${file}: missing-field ${heading}`);
const ready = loadSchemaMap('spec-driven');

t.test(
  'a type in front matter alone makes what the template requires count, wherever the document lies',
  async (t) => {
    const { told, typeOf } = await project(t, { 'notes/x.md': BARE }, { schema: ready });
    t.equal(typeOf('notes/x.md'), 'ADR');
    t.same(told.sort(), WANTED('error', 'notes/x.md'));
  },
);

t.test('where a map gives another key the type, that key decides', async (t) => {
  const map = parseSchemaMap('frontMatter: [{key: Kind of document, types: {decision: ADR}}]', 'm');
  const text = BARE.replace('type: adr', 'kind of document: Decision');
  const { told } = await project(t, { 'x.md': text }, { schema: map });
  t.same(told.sort(), [...WANTED('error', 'x.md'), 'error x.md: missing-field type']);
});

t.test('without a map, documents of a ready template in its folder are warned of', async (t) => {
  const { told } = await project(t, {
    'adr/x.md': BARE,
    'notes/x.md': BARE,
    'index.md': '[n](notes/x.md)\n',
  });
  t.same(told.sort(), WANTED('warning', 'adr/x.md'));
});

t.test('own templates count by folder and by type, keys with spaces and indented ones too', async (t) => {
  const templates = temporaryFolder(t);
  writeFileSync(
    join(templates, 'rfc.md'),
    '---\n  title: "{{title}}"\n  Reviewed by:\n---\n\n# {{title}}\n\n## Why\n',
  );
  const whole = '---\n  title: "T"\n  "Reviewed By": you\n---\n\n# T\n\n## Why\n\nB\n';
  const { told } = await project(
    t,
    {
      'rfc/good.md': whole,
      'rfc/README.md': '# R\n',
      'rfc/bad.md': '# B\n',
      'typed.md': '---\ntype: rfc\ntitle: T\n---\n\n# T\n',
    },
    { templates },
  );
  t.same(told.sort(), [
    'error rfc/bad.md: missing-field Reviewed by',
    'error rfc/bad.md: missing-field Why',
    'error rfc/bad.md: missing-field title',
    'error typed.md: missing-field Reviewed by',
    'error typed.md: missing-field Why',
  ]);
});

t.test('paths of rules mean the same in every docs root, and may name one of them', async (t) => {
  const roots = ['one', 'two'];
  const files = {
    'one/adr/x.md': BARE,
    'two/adr/x.md': BARE,
    'one/log/x.md': '# L\n',
    'two/log/x.md': '# L\n',
  };
  const map = parseSchemaMap(
    'documents: [{paths: "adr/**", type: ADR}, {paths: "two/log/**", type: Log}]',
    'm',
  );
  const { told, typeOf } = await project(t, files, { schema: map, roots });
  t.same(['one/log/x.md', 'two/log/x.md'].map(typeOf), ['Document', 'Log']);
  t.same(
    told.filter((line) => line.includes('missing-field')).sort(),
    roots.flatMap((root) => WANTED('error', `${root}/adr/x.md`)),
  );
});

t.test('a document that front matter or a template gives a place is no orphan', async (t) => {
  const { told } = await project(
    t,
    {
      'index.md': '[a](a/linked.md)\n',
      'a/linked.md': '# L\n',
      'a/alone.md': '# A\n',
      'a/child.md': '---\nparent: linked.md\n---\n\n# C\n',
      'a/later.md': '---\ndepends_on: ["[[linked]]"]\n---\n\n# D\n',
      'adr/x.md': `${BARE}\n## Decision\n\nD\n\n## Consequences\n\nE\n`,
    },
    { schema: ready },
  );
  t.same(told, ['warning a/alone.md: orphan-document']);
});

t.test('an own template counts in its folder alone, whose first page says what the folder is', (t) => {
  const templates = temporaryFolder(t);
  writeFileSync(join(templates, 'RFC.md'), '# T\n\n## Why\n');
  const required = requirementsBy(templates);
  const names = (path: string, type?: string, ofNode?: string) =>
    required(path, { ...EMPTY_OUTLINE, ...(type === undefined ? {} : { type }) }, ofNode).map(
      ({ name }) => name,
    );
  for (const path of ['rfc/x.md', 'notes/rfc/x.md', 'Notes/RFC/x.md']) t.same(names(path), ['Why'], path);
  for (const path of ['rfc/notes/x.md', 'rfc.md', 'x.md', 'rfc/README.md', 'rfc/_index.md', 'rfc/index.html'])
    t.same(names(path), [], path);
  t.same(names('x.md', ' Rfc '), ['Why'], 'or by the type in the front matter');
  t.same(names('x.md', undefined, 'rfc'), ['Why'], 'or by the type of the node');
  t.end();
});
