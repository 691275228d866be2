import t from 'tap';
import { attribute, CONTEXT, codeOf, fact, kept, remembering, set, write } from './fixture.ts';

const REFUNDS = fact('refunds');

function frontMatter(...lines: string[]): string {
  return ['---', ...lines, '---', 'Partial refunds keep the charge.', ''].join('\n');
}

t.test('all there is to say is told by attributes', async (t) => {
  const { files, memory, clock } = remembering(t);
  write(
    files,
    REFUNDS,
    frontMatter('confidence: 0.9', 'tags: [billing, refund]', 'ttl: 2d', 'source: zendesk'),
  );
  write(files, fact('same'), kept(memory, REFUNDS) ?? '');
  write(files, fact('newer'), frontMatter('supersedes: refunds', 'source_paths: [a.md:3, b.md]'));
  t.same(Object.fromEntries(files.attributes(REFUNDS)), {
    'user.kgraphfs.type': 'fact',
    'user.kgraphfs.actor': 'ana',
    'user.kgraphfs.session': 's1',
    'user.kgraphfs.access_count': '0',
    'user.kgraphfs.created_at': '2026-01-05T10:00:00.000Z',
    'user.kgraphfs.updated_at': '2026-01-05T10:00:00.000Z',
    'user.kgraphfs.expires_at': new Date(clock.nowMs() + 2 * 86_400_000).toISOString(),
    'user.kgraphfs.version': '1',
    'user.kgraphfs.duplicate_of': 'fact/same',
    'user.kgraphfs.superseded_by': 'fact/newer',
    'user.kgraphfs.confidence': '0.9',
    'user.kgraphfs.tags': 'billing,refund',
    'user.kgraphfs.ttl': '172800',
    'user.kgraphfs.source': 'zendesk',
  });
  t.equal(attribute(files, fact('newer'), 'source_paths'), 'a.md:3,b.md');
});

t.test('attributes can be set, validated, and taken away', async (t) => {
  const { files, memory, errors, events } = remembering(t);
  write(files, REFUNDS, 'x');
  for (const [name, value, shown = value] of [
    ['confidence', '0.9'],
    ['confidence', '1.0', '1'],
    ['confidence', ' .5 ', '0.5'],
    ['tags', 'billing,refund'],
    ['tags', ' a , b,a,', 'a,b'],
    ['source_paths', 'a.md:3,b.md'],
    ['ttl', '12h', '43200'],
    ['source', 'zendesk'],
    ['tenant_id', 't-7'],
  ] as const) {
    set(files, REFUNDS, name, value);
    t.equal(attribute(files, REFUNDS, name), shown, `${name}=${value}`);
  }
  t.equal(memory.get(REFUNDS)?.provenance.tenant_id, 't-7');
  t.match(events.at(-1), { type: 'write', data: { metadata: { tenant_id: 't-7' } } });
  files.removeAttribute(REFUNDS, 'user.kgraphfs.tenant_id', CONTEXT);
  t.equal(attribute(files, REFUNDS, 'tenant_id'), undefined);
  t.equal(errors.entries().length, 0);
});

t.test(
  'an attribute that says something impossible is refused, with the reason in errors.jsonl',
  async (t) => {
    const { files, errors } = remembering(t);
    write(files, REFUNDS, 'x');
    for (const [name, value] of [
      ['confidence', '7'],
      ['confidence', '-1'],
      ['confidence', 'high'],
      ['confidence', ''],
      ['confidence', 'NaN'],
      ['ttl', 'soon'],
      ['ttl', '0'],
      ['source', ''],
      ['source', 'a\nb'],
    ] as const) {
      t.equal(
        codeOf(() => set(files, REFUNDS, name, value)),
        'EINVAL',
        `${name}=${value}`,
      );
      t.match(errors.entries().at(-1), {
        code: 'EINVAL',
        path: '/context/memory/fact/refunds',
        message: name,
      });
    }
    t.equal(attribute(files, REFUNDS, 'confidence'), undefined);
  },
);

t.test('attributes that follow from other things, and those that nobody knows, cannot be set', async (t) => {
  const { files } = remembering(t);
  write(files, REFUNDS, 'x');
  const setNamed = (name: string) =>
    codeOf(() => files.setAttribute(REFUNDS, name, Buffer.from('1'), 'either', CONTEXT));
  const removeNamed = (name: string) => codeOf(() => files.removeAttribute(REFUNDS, name, CONTEXT));
  for (const name of ['type', 'version', 'access_count', 'created_at', 'reviewer', 'duplicate_of']) {
    t.equal(setNamed(`user.kgraphfs.${name}`), 'EPERM', name);
    t.equal(removeNamed(`user.kgraphfs.${name}`), 'EPERM', name);
  }
  for (const name of [
    'user.kgraphfs.mood',
    'user.kgraphfs.',
    'user.mood',
    'user.kgraphfs.constructor',
    'confidence',
  ]) {
    t.equal(setNamed(name), 'ENOTSUP', name);
    t.equal(removeNamed(name), 'ENOTSUP', name);
  }
  t.equal(removeNamed('user.kgraphfs.confidence'), 'ENODATA');
});

t.test('an attribute may have to be new, or to be there', async (t) => {
  const { files } = remembering(t);
  write(files, REFUNDS, 'x');
  const setAs = (use: 'create' | 'replace') =>
    codeOf(() => files.setAttribute(REFUNDS, 'user.kgraphfs.source', Buffer.from('a'), use, CONTEXT));
  t.equal(setAs('replace'), 'ENODATA');
  t.equal(setAs('create'), 'nothing was thrown');
  t.equal(setAs('create'), 'EEXIST');
  t.equal(setAs('replace'), 'nothing was thrown');
});

t.test('folders have no attributes', async (t) => {
  const { files } = remembering(t);
  files.makeFolder(fact('a'), 0o755);
  t.equal(files.attributes(fact('a')).size, 0);
  t.equal(
    codeOf(() => set(files, fact('a'), 'tags', 'x')),
    'ENOTSUP',
  );
  t.equal(
    codeOf(() => set(files, fact('b'), 'tags', 'x')),
    'ENOENT',
  );
});

t.test('an attribute of a file that nothing was flushed of keeps the file', async (t) => {
  const { files, memory } = remembering(t);
  const options = { append: false, truncate: false, exclusive: true, mode: 0o644 };
  const file = files.create(REFUNDS, options, CONTEXT);
  file.write(Buffer.from('x'), 0, CONTEXT);
  set(files, REFUNDS, 'confidence', '0.9');
  t.match(memory.get(REFUNDS), { confidence: 0.9 });
  t.equal(kept(memory, REFUNDS), 'x');
  file.close();
});

t.test('an attribute that is no text is refused, and what was set stays', async (t) => {
  const { files } = remembering(t);
  write(files, REFUNDS, 'Refunds take 5 days');
  const set = (value: Buffer) => files.setAttribute(REFUNDS, 'user.kgraphfs.tags', value, 'either', CONTEXT);
  await set(Buffer.from('caf\u00e9'));
  t.equal(
    codeOf(() => set(Buffer.from([0x63, 0xff]))),
    'EINVAL',
  );
  t.equal((await files.attributes(REFUNDS)).get('user.kgraphfs.tags'), 'caf\u00e9');
});

t.test('impossible front matter is refused by the write that completes it', async (t) => {
  const { files, memory, errors } = remembering(t);
  write(files, REFUNDS, 'Refunds take 5 days');
  const file = files.openToWrite(REFUNDS, { append: false, truncate: true }, CONTEXT);
  const lines = ['---\n', 'confidence: 7\n'];
  let position = 0;
  for (const line of lines) {
    file.write(Buffer.from(line), position, CONTEXT);
    position += line.length;
  }
  for (const text of ['---\n', 'Refunds take 6 days']) {
    t.equal(
      codeOf(() => file.write(Buffer.from(text), position, CONTEXT)),
      'EINVAL',
    );
  }
  t.equal(
    codeOf(() => file.flush(CONTEXT)),
    'EINVAL',
  );
  file.close();
  t.equal(kept(memory, REFUNDS), 'Refunds take 5 days');
  t.match(errors.entries(), [{ code: 'EINVAL', path: '/context/memory/fact/refunds', line: 2 }]);
  t.equal(errors.entries().length, 1);
});

t.test('impossible front matter is refused, with the line; the content before stays', async (t) => {
  const { files, memory, errors } = remembering(t);
  write(files, REFUNDS, 'Refunds take 5 days');
  t.equal(
    codeOf(() => write(files, REFUNDS, frontMatter('tags: [a]', 'confidence: 7'))),
    'EINVAL',
  );
  t.equal(kept(memory, REFUNDS), 'Refunds take 5 days');
  t.equal(files.stat(REFUNDS).sizeBytes, 19);
  t.match(errors.entries(), [
    {
      code: 'EINVAL',
      path: '/context/memory/fact/refunds',
      line: 3,
      message: /confidence has to be a number/,
    },
  ]);
  t.equal(
    codeOf(() => write(files, fact('new'), frontMatter('confidence: 7'))),
    'EINVAL',
  );
  t.equal(
    codeOf(() => files.stat(fact('new'))),
    'ENOENT',
  );
});

t.test('front matter is never rewritten', async (t) => {
  const { files, memory } = remembering(t);
  const text = frontMatter('confidence:   0.8   # sure', 'mine: {a: 1}');
  write(files, REFUNDS, text);
  set(files, REFUNDS, 'confidence', '0.1');
  t.equal(kept(memory, REFUNDS), text);
});

t.test('of front matter and attributes the later one holds', async (t) => {
  const { files } = remembering(t);
  const confidence = (): string | undefined => attribute(files, REFUNDS, 'confidence');
  write(files, REFUNDS, frontMatter('confidence: 0.8', 'tags: [a]'));
  t.equal(confidence(), '0.8');
  set(files, REFUNDS, 'confidence', '0.3');
  t.equal(confidence(), '0.3', 'the attribute was later');
  write(files, REFUNDS, `${frontMatter('confidence: 0.8', 'tags: [a]')}And more.\n`);
  t.equal(confidence(), '0.3', 'the front matter says nothing new');
  write(files, REFUNDS, frontMatter('confidence: 0.7', 'tags: [a]'));
  t.equal(confidence(), '0.7', 'the front matter says something new');
  write(files, REFUNDS, 'Partial refunds keep the charge.');
  t.equal(confidence(), undefined, 'what the front matter said goes with it');
  t.equal(attribute(files, REFUNDS, 'tags'), undefined);
  set(files, REFUNDS, 'confidence', '0.3');
  write(files, REFUNDS, 'Partial refunds keep the charge, always.');
  t.equal(confidence(), '0.3', 'an attribute stays where front matter never spoke of it');
});

t.test('what is given along with a content wins over its front matter', async (t) => {
  const { memory } = remembering(t);
  const content = Buffer.from(frontMatter('confidence: 0.8', 'source: mail'));
  t.match(memory.add({ ...REFUNDS, content, confidence: 0.2 }, CONTEXT), {
    confidence: 0.2,
    provenance: { source: 'mail' },
  });
});
