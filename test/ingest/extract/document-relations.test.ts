import fc from 'fast-check';
import t, { type Test } from 'tap';
import { extractDocument } from '../../../src/ingest/extract/extract.ts';
import { BUILT_IN_RELATIONS, type RelationNames } from '../../../src/ingest/extract/relation-names.ts';
import { graphSubject } from '../../graph/subject.ts';

/** Relations of documents, `contains` left out, with the places that say so. */
function relations(t: Test, documents: Readonly<Record<string, string>>, names?: RelationNames): string[] {
  const { put, graph } = graphSubject(t);
  for (const [path, text] of Object.entries(documents)) put(path, extractDocument(path, text, names));
  return Array.from(graph.edges(), ({ source, type, target, evidence }) => {
    return `${source} -${type}-> ${target} (${evidence.join(' ')})`;
  })
    .filter((edge) => edge.startsWith('document:') && !edge.includes('-contains->'))
    .map((edge) => edge.replaceAll('document:', ''))
    .sort();
}

t.test('front matter relates documents by path, link, wikilink, id, title and file name', async (t) => {
  const found = relations(t, {
    'specs/login.md':
      '---\ndepends_on:\n  - ./session.md\n  - specs/store.md\n  - "[[Tokens|the tokens]]"\n  - ADR-7\n  - Key Ring\n  - mailer\nparent: EPIC-1\n---\n# Login\n',
    'specs/session.md': '---\ndepends-on: [[Tokens]]\n---\n# Session\n',
    'specs/store.md': '---\ndependencies: "[Keys](keys.md), [[session]]"\n---\n# Store\n',
    'specs/keys.md': '---\ntitle: Key ring\nchild_of: EPIC-1\n---\n',
    'specs/tokens.md': '# Tokens\n',
    'mailer.md': '# Sends mail\n',
    'adr/seven.md': '---\nid: ADR-7\n---\n# Decision\n',
    'epics/one.md': '---\nid: EPIC-1\nchildren:\n  - Login\n---\n# First\n',
  });
  t.same(found, [
    'epics/one.md -parent_of-> specs/login.md (epics/one.md:4)',
    'specs/keys.md -child_of-> epics/one.md (specs/keys.md:3)',
    'specs/login.md -child_of-> epics/one.md (specs/login.md:9)',
    'specs/login.md -depends_on-> adr/seven.md (specs/login.md:6)',
    'specs/login.md -depends_on-> mailer.md (specs/login.md:8)',
    'specs/login.md -depends_on-> specs/keys.md (specs/login.md:7)',
    'specs/login.md -depends_on-> specs/session.md (specs/login.md:3)',
    'specs/login.md -depends_on-> specs/store.md (specs/login.md:4)',
    'specs/login.md -depends_on-> specs/tokens.md (specs/login.md:5)',
    'specs/session.md -depends_on-> specs/tokens.md (specs/session.md:2)',
    'specs/store.md -depends_on-> specs/keys.md (specs/store.md:2)',
    'specs/store.md -depends_on-> specs/session.md (specs/store.md:2)',
  ]);
});

t.test('a list of mappings in front matter relates what they name', async (t) => {
  const { put, graph } = graphSubject(t);
  const documents = {
    'kiln.md':
      '---\nid: kiln\nname: Kiln Service\nowners:\n  - name: Potters\nreceives:\n  - id: fire-mug\n    version: 1.0.0\n  - id: mug-dried\nsends:\n  - id: mug-fired\n    version: 1.0.0\n  - id: fetch-mug\n  - id: no-page\nreadsFrom: [{ id: shelf-store }]\nrelationships:\n  - id: oven\n    label: stands beside\nbadges:\n  - name: oven\n---\n\nThe kiln fires.\n',
    'events/mug-fired.md': '---\nname: Mug Fired\n---\n\nIt is hot.\n',
    'commands/fire-mug.md': '---\nid: fire-mug\nname: Fire Mug\n---\n\nFires a mug.\n',
    'commands/fetch-mug.md': '---\nid: fetch-mug\nname: Fetch Mug\n---\n\nFetches a mug.\n',
    'store.md': '---\nid: shelf-store\nname: Shelf Store\n---\n\nThe shelf store is a database.\n',
    'oven.md': '# Oven\n\nThe oven is a small kiln.\n',
    'teams/potters.md': '# Potters\n',
  };
  for (const [path, text] of Object.entries(documents)) put(path, extractDocument(path, text));
  const found = Array.from(graph.edges(), ({ source, type, target, evidence: [place] }) => {
    return `${source} -${type}-> ${target} (${place})`;
  }).filter((edge) => edge.includes('kiln') && !edge.includes('-contains->'));
  t.same(found.sort(), [
    'concept:kilnservice -belongs_to-> document:teams/potters.md (kiln.md:5)',
    'concept:kilnservice -depends_on-> concept:firemug (kiln.md:7)',
    'concept:kilnservice -depends_on-> concept:shelfstore (kiln.md:15)',
    'concept:kilnservice -depends_on-> event:mug dried (kiln.md:9)',
    'concept:kilnservice -references-> concept:oven (kiln.md:17)',
    'concept:kilnservice -triggers-> concept:fetchmug (kiln.md:13)',
    'concept:kilnservice -triggers-> event:mug fired (kiln.md:11)',
    'document:kiln.md -depends_on-> document:commands/fire-mug.md (kiln.md:7)',
    'document:kiln.md -depends_on-> document:store.md (kiln.md:15)',
    'document:kiln.md -references-> document:oven.md (kiln.md:17)',
  ]);
});

t.test(
  'keys of catalogs relate pages outside of catalogs by links alone, and owners are teams or people',
  async (t) => {
    const documents = {
      'deploy.md':
        '---\ntitle: Deploying\nowner: security\nowners: [platform, "[[Potters]]", kiln-crew]\nreceives: mail\nsends: [mail]\nrelations: security\n---\n',
      'security.md': '# Security\n\nSecurity is what keeps tokens safe.\n',
      'platform.md': '# Platform\n',
      'mail.md': '# Mail\n\nMail is a letter.\n',
      'potters.md': '# Potters\n',
      'kiln-crew.md': '# What a kiln crew does\n',
      'teams/kiln-crew.md': '# The crew\n',
    };
    t.same(relations(t, documents), [
      'deploy.md -belongs_to-> potters.md (deploy.md:4)',
      'deploy.md -belongs_to-> teams/kiln-crew.md (deploy.md:4)',
    ]);
  },
);

t.test('a path in front matter is relative to the document or to the docs root', async (t) => {
  const documents = {
    'login.md': '# Login\n',
    'README.md': '# All\n',
    'specs/README.md': '# Specs\n',
    'specs/a.md': '---\ndepends_on: [login.md, README.md, ../login.md]\n---\n',
  };
  t.same(relations(t, documents), [
    'specs/a.md -depends_on-> login.md (specs/a.md:2)',
    'specs/a.md -depends_on-> specs/README.md (specs/a.md:2)',
  ]);
});

t.test('a name that no document has is a concept', async (t) => {
  const documents = {
    'a.md': '---\ndepends_on: Ledger, Charge\nrelationships:\n  parent: b\n---\n# A\n',
    'b.md': '# B\n\n## Ledger\n\nA Ledger is a book of accounts.\n',
  };
  t.same(relations(t, documents), [
    'a.md -child_of-> b.md (a.md:4)',
    'a.md -depends_on-> concept:ledger (a.md:2)',
  ]);
});

t.test('documents of a series name each other by number', async (t) => {
  const found = relations(t, {
    'eips/eip-155.md': '---\neip: 155\n---\n# Replay\n',
    'eips/eip-1559.md': '---\nrequires: 2718, 155\n---\n# Fees\n',
    'eips/eip-2718.md': '---\nrequires: [155, 9999]\n---\n# Envelope\n',
    'spec/ics-003-connections/README.md': '---\nrequires: 2\ndepends_on: ICS-4\n---\n# Connections\n',
    'spec/ics-002-clients/README.md': '# Clients\n',
    'spec/ics-004-channels/index.md': '# Channels\n',
    'adr/ADR-14-queues.md': '---\nparent: 2\nrelated: 3\n---\n# Queues\n',
    'adr/adr-0002.md': '# Two\n',
    'adr/adr-3-b.md': '---\nid: 77\nparent: 2\n---\n# Its ids are others\n',
    'other/sha-256.1.md': '---\nrequires: 2\n---\n# Hash\n',
  });
  t.same(found, [
    'adr/ADR-14-queues.md -child_of-> adr/adr-0002.md (adr/ADR-14-queues.md:2)',
    'eips/eip-1559.md -requires-> eips/eip-155.md (eips/eip-1559.md:2)',
    'eips/eip-1559.md -requires-> eips/eip-2718.md (eips/eip-1559.md:2)',
    'eips/eip-2718.md -requires-> eips/eip-155.md (eips/eip-2718.md:2)',
    'spec/ics-003-connections/README.md -depends_on-> spec/ics-004-channels/index.md (spec/ics-003-connections/README.md:3)',
    'spec/ics-003-connections/README.md -requires-> spec/ics-002-clients/README.md (spec/ics-003-connections/README.md:2)',
  ]);
});

t.test('a link stays beside any relation of documents', async (t) => {
  const documents = {
    'eip-1.md': '---\nrequires: 2\n---\n# One\n\nAs in [two](eip-2.md).\n\nAgain [two](./eip-2.md).\n',
    'eip-2.md': '# Two\n',
  };
  t.same(relations(t, documents), [
    'eip-1.md -references-> eip-2.md (eip-1.md:6 eip-1.md:8)',
    'eip-1.md -requires-> eip-2.md (eip-1.md:2)',
  ]);
});

t.test('lists of links below some headings say what a document has to do with others', async (t) => {
  const found = relations(t, {
    'a.md':
      '# A\n\n## Depends on\n\nText with a [link](d.md).\n\n- [B](b.md#x), for the [C](c.md)\n- no link\n\n## Parent\n\n* [[D]]\n\n## Relationships\n\n- **Depends on**: [D](d.md)\n- child of [B](b.md)\n- likes [C](c.md)\n',
    'b.md': '# B\n',
    'c.md': '# C\n',
    'd.md': '# D\n',
  });
  t.same(
    found.filter((edge) => !edge.includes('-references->')),
    [
      'a.md -child_of-> b.md (a.md:17)',
      'a.md -child_of-> d.md (a.md:12)',
      'a.md -depends_on-> b.md (a.md:7)',
      'a.md -depends_on-> c.md (a.md:7)',
      'a.md -depends_on-> d.md (a.md:16)',
    ],
  );
  t.ok(found.includes('a.md -references-> d.md (a.md:5 a.md:12 a.md:16)'), 'a link stays a reference');
});

t.test('items below such a heading may be names alone', async (t) => {
  const found = relations(t, {
    'a.md':
      '# A\n\n## Depends on\n\n- Ledger service\n- `billing-db`: its rows\n- **Search** (soon)\n- Mail - for receipts\n- Nobody knows what the ledger service does\n- **Ledger service** is what we need\n- the cache\n\n## Related\n\n- *Search*\n\n## Notes\n\n- Ledger service\n',
    'ledger.md': '# Ledger service\n',
    'billing-db.md': '# Rows of bills\n',
    'search.md': '# Search\n',
    'mail.md': '# Mail\n',
  });
  t.same(found, [
    'a.md -depends_on-> billing-db.md (a.md:6)',
    'a.md -depends_on-> ledger.md (a.md:5)',
    'a.md -depends_on-> mail.md (a.md:8)',
    'a.md -depends_on-> search.md (a.md:7)',
    'a.md -references-> concept:ledgerservice (a.md:10)',
    'a.md -references-> concept:search (a.md:7)',
    'a.md -references-> search.md (a.md:15)',
  ]);
});

t.test('fields within the text of a note relate it', async (t) => {
  const found = relations(t, {
    'Class.md':
      'type:: [[Kind]]\nparent:: [[Thing]]\nnote:: see [[Kind]]\n\n- depends-on:: [[Kind]], [the root](Thing.md)\n- a parent:: of [[Kind]]s\n',
    'Thing.md': '# Thing\n',
    'Kind.md': '# Kind\n',
  });
  t.same(found, [
    'Class.md -child_of-> Thing.md (Class.md:2)',
    'Class.md -depends_on-> Kind.md (Class.md:5)',
    'Class.md -depends_on-> Thing.md (Class.md:5)',
    'Class.md -references-> Kind.md (Class.md:1 Class.md:3 Class.md:5 Class.md:6)',
    'Class.md -references-> Thing.md (Class.md:2 Class.md:5)',
  ]);
});

t.test('other names of relations can be given', async (t) => {
  const names = { ...BUILT_IN_RELATIONS, fields: new Map([['epic', 'child_of' as const]]) };
  const documents = { 'a.md': '---\nepic: B\nparent: B\n---\n', 'b.md': '# B\n' };
  t.same(relations(t, documents, names), ['a.md -child_of-> b.md (a.md:2)']);
});

t.test('a document is found by the names that its front matter gives it', async (t) => {
  const documents = {
    'a.md': '# A\n\n[[Old name]] and [b](/guides/b)\n',
    'x/b.md': '---\naliases: [Old name]\npermalink: /guides/b\n---\n# B\n',
  };
  t.same(relations(t, documents), ['a.md -references-> x/b.md (a.md:3)']);
});

const TEXT = fc
  .record({
    field: fc.constantFrom(
      'title: One',
      'id: One',
      'title: Two',
      'depends_on: One',
      'parent: b',
      'depends_on: "[[c]]"',
    ),
    body: fc.constantFrom(
      '# One\n',
      '# Two\n',
      '## One\n\nA One is a thing.\n',
      '## Depends on\n\n- [x](b.md)\n',
    ),
  })
  .map(({ field, body }) => `---\n${field}\n---\n${body}`);

t.test('after any edits relations are those of a graph made anew', async (t) => {
  const edits = fc.array(
    fc.record({
      path: fc.constantFrom('a.md', 'b.md', 'x/c.md'),
      text: fc.option(TEXT, { nil: undefined }),
    }),
    { minLength: 1, maxLength: 10 },
  );
  fc.assert(
    fc.property(edits, (edits) => {
      const live = graphSubject(t);
      const texts = new Map<string, string>();
      for (const { path, text } of edits) {
        if (text === undefined) live.remove(path);
        else live.put(path, extractDocument(path, text));
        if (text === undefined) texts.delete(path);
        else texts.set(path, text);
      }
      const anew = graphSubject(t);
      anew.putAll(new Map(Array.from(texts, ([path, text]) => [path, extractDocument(path, text)])));
      t.same(live.content(), anew.content());
    }),
    { numRuns: 40 },
  );
});

t.test('names below a heading depend on what the prose between them says', async (t) => {
  const list = '- Ledger\n- `mailer`: sends the post\n';
  const found = (prose: string) =>
    relations(t, {
      'guide.md': `# Guide\n\n## Dependencies\n\n${prose}${list}`,
      'ledger.md': '# Ledger\n',
      'mailer.md': '# mailer\n',
    });
  const both = [
    'guide.md -depends_on-> ledger.md (guide.md:LINE)',
    'guide.md -depends_on-> mailer.md (guide.md:LINE)',
  ];
  const told = (prose: string) => found(prose).map((line) => line.replace(/:\d+\)/, ':LINE)'));
  t.same(told(''), both);
  t.same(told('This service depends on these:\n\n'), both);
  t.same(told('To send the rows, you can choose between two ways:\n\n'), []);
  t.same(told("We'll need a few packages that the frame does not have.\n\n"), []);
});
