import t from 'tap';
import { parseImportLine } from '../../src/exchange/parse-line.ts';

function entryOf(value: unknown) {
  const line = parseImportLine(JSON.stringify(value));
  if (line.kind !== 'entry') throw new Error(`${JSON.stringify(value)} is no entry: ${JSON.stringify(line)}`);
  const { content, ...rest } = line.entry;
  return { ...rest, text: Buffer.from(content).toString() };
}

function problemOf(line: string | undefined): string {
  const parsed = parseImportLine(line);
  return parsed.kind === 'problem' ? parsed.why : `accepted: ${JSON.stringify(parsed)}`;
}

const refused = (value: unknown) => problemOf(JSON.stringify(value));

t.test('an entry has what its line says, and nothing that it does not say', async (t) => {
  t.same(
    entryOf({
      memory_type: 'episodic',
      key: 'calls/monday',
      content: 'Ana called',
      confidence: 0.9,
      tags: ['billing', 'call'],
      source_paths: ['charges/create.md:31'],
      ttl: 3600,
      created_at: '2026-01-31T12:00:00+01:00',
      session: 's-1',
      actor: 'ana',
      channel: 'phone',
      tenant_id: 42,
    }),
    {
      type: 'episodic',
      key: 'calls/monday',
      text: 'Ana called',
      confidence: 0.9,
      tags: ['billing', 'call'],
      sourcePaths: ['charges/create.md:31'],
      ttlSeconds: 3600,
      createdMs: Date.UTC(2026, 0, 31, 11),
      session: 's-1',
      actor: 'ana',
      provenance: { channel: 'phone', tenant_id: '42' },
    },
  );
  t.same(entryOf({ key: 'a', content: '' }), { type: 'fact', key: 'a', text: '' });
  t.same(entryOf({ key: 'a', content: '', confidence: null, tags: null }), {
    type: 'fact',
    key: 'a',
    text: '',
  });
});

t.test('values are read as memory reads them elsewhere', async (t) => {
  t.match(entryOf({ key: 'a', content: '', tags: 'x, y', ttl: '30d', source_paths: 'a.md' }), {
    tags: ['x', 'y'],
    ttlSeconds: 30 * 86_400,
    sourcePaths: ['a.md'],
  });
  t.match(entryOf({ key: 'a', content: '', provenance: { kind: 'note', role: 'user' }, role: 'agent' }), {
    provenance: { kind: 'note', role: 'agent' },
  });
});

t.test('a time without a zone is UTC', async (t) => {
  const createdMs = Date.UTC(2026, 0, 31, 12);
  for (const created_at of ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000000', '2026-01-31 12:00']) {
    t.match(entryOf({ key: 'a', content: '', created_at }), { createdMs });
  }
  t.match(entryOf({ key: 'a', content: '', created_at: '2026-01-31' }), { createdMs: Date.UTC(2026, 0, 31) });
});

t.test('content that is no text comes in base64', async (t) => {
  const line = parseImportLine(JSON.stringify({ key: 'a', content: '/wD+', encoding: 'base64' }));
  t.same(line.kind === 'entry' && [...line.entry.content], [0xff, 0x00, 0xfe]);
  t.equal(refused({ key: 'a', content: 'not base64!', encoding: 'base64' }), 'content is not base64');
});

t.test('a key that is missing is made of the content, always the same one', async (t) => {
  const { key } = entryOf({ content: '# Refunds für Karten take 5 days\nmore' });
  t.match(key, /^refunds-fur-karten-take-5-days-[0-9a-f]{8}$/);
  t.equal(entryOf({ content: '# Refunds für Karten take 5 days\nmore', tags: ['x'] }).key, key);
  t.not(entryOf({ content: '# Refunds für Karten take 5 days\nother' }).key, key);
  t.not(entryOf({ content: '# Refunds für Karten take 5 days\nmore', session: 's' }).key, key);
  t.match(entryOf({ content: '---\ntags: [a]\n---\nBody' }).key, /^body-/);
  t.match(entryOf({ content: '!!!\n\n' }).key, /^entry-/);
  t.match(entryOf({ content: '返金は五日 かかります' }).key, /^返金は五日-かかります-/);
  t.ok(Buffer.byteLength(entryOf({ content: '返'.repeat(5000) }).key) <= 255);
});

t.test('keys that mean nothing are named; those that follow from others are not', async (t) => {
  const line = parseImportLine('{"content":"x","version":3,"updated_at":"2026-01-01","importance":9,"id":1}');
  t.match(line, { kind: 'entry', unknownKeys: ['importance', 'id'] });
});

t.test('relations are lines of their own', async (t) => {
  t.same(parseImportLine('{"relation":"follows","from":"fact/a/b","to":"episodic/c","weight":0.5}'), {
    kind: 'relation',
    link: {
      from: { type: 'fact', key: 'a/b' },
      relation: 'follows',
      to: { type: 'episodic', key: 'c' },
      weight: 0.5,
    },
  });
  t.match(parseImportLine('{"relation":"follows","from":"fact/a","to":"fact/b"}'), { link: { weight: 1 } });
});

t.test('what is wrong with a line is said with the key and what should be there', async (t) => {
  t.match(problemOf('{"content":'), /^this is not JSON: /);
  t.match(problemOf('['), /jq -c '\.\[\]'/);
  t.match(problemOf('{'), /jq -c \./);
  t.match(problemOf('"text"'), /not an object/);
  t.match(problemOf('[1]'), /not an object/);
  t.match(problemOf(undefined), /too long .* or not UTF-8/);
  t.equal(refused({ key: 'a' }), 'content has to be a text');
  t.equal(
    refused({ content: '', memory_type: 'gossip' }),
    'memory_type has to be fact, episodic or procedural',
  );
  t.equal(refused({ content: '', confidence: 7 }), 'confidence has to be a number from 0 to 1');
  t.equal(
    refused({ content: '', created_at: 'yesterday' }),
    'created_at has to be a time such as 2026-01-31T12:00:00Z',
  );
  t.equal(
    refused({ content: '', created_at: '2026-13-31' }),
    'created_at has to be a time such as 2026-01-31T12:00:00Z',
  );
  t.match(refused({ content: '\ud800' }), /^content is not Unicode text/);
  t.match(
    refused({ content: '', key: '', ttl: -1 }),
    /^ttl has to be over 0 and at most 100 years; key has to be a text/,
  );
  t.equal(
    refused({ relation: 'follows', from: 'a', to: 'fact/b' }),
    'from has to name an entry, such as fact/refunds',
  );
  t.match(
    refused({ relation: 'likes', from: 'fact/a', to: 'fact/b' }),
    /^relation has to be related_to, follows/,
  );
});

t.test('an entity of the MCP memory server is a fact: name, observations, type', async (t) => {
  t.same(
    entryOf({
      type: 'entity',
      name: 'Ana López',
      entityType: 'person',
      observations: ['likes tea', 'is 40'],
    }),
    {
      type: 'fact',
      key: 'Ana López',
      text: 'likes tea\nis 40\n',
      tags: ['person'],
    },
  );
  t.match(entryOf({ type: 'entity', name: 'a/b', entityType: '', observations: [] }), {
    key: 'a%2Fb',
    text: 'a/b\n',
    tags: { length: 0 },
  });
  t.match(refused({ type: 'entity', name: 'a', entityType: 'x' }), /^observations /);
});

t.test(
  'a relation of the MCP memory server is ours of that name, or related_to with its words kept',
  async (t) => {
    const relation = (relationType: string) =>
      parseImportLine(JSON.stringify({ type: 'relation', from: 'Ana', to: 'Acme', relationType }));
    t.same(relation('supersedes'), {
      kind: 'relation',
      link: {
        from: { type: 'fact', key: 'Ana' },
        relation: 'supersedes',
        to: { type: 'fact', key: 'Acme' },
        weight: 1,
      },
    });
    t.match(relation('works_at'), { link: { relation: 'related_to' }, statement: 'Ana works_at Acme' });
    t.match(refused({ type: 'relation', from: 'Ana', relationType: 'x' }), /^to /);
  },
);
