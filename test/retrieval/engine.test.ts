import fc from 'fast-check';
import t from 'tap';
import { searched } from './searched.ts';

const PAGES = {
  'billing/refunds.md':
    '---\ntags: [billing]\ntype: guide\n---\n# Refunds\n\nA refund gives money back to the customer.\n\n## Limits\n\nA refund is possible for 90 days. See [disputes](disputes.md).\n',
  'billing/disputes.md': '# Disputes\n\nThe bank of the cardholder takes the amount away.\n',
  'billing/draft.md': '# Refund ideas\n\nThis is a draft of what a refund may become.\n',
  'api/cards.md':
    '# Cards\n\n`PaymentMethod` holds a card.\n\n## Add a card\n\nCall `POST /v1/cards` with a token. The object `payment_method` comes back.\n',
  'guide.md':
    '# Guide\n\nHow to begin.\n\n## Keys\n\nA secret key signs each call.\n\n## Retries\n\nEach call that fails is tried again: the secret key stays the same.\n',
};

t.test('a question finds the section that answers it', async (t) => {
  const { ask } = await searched(t, PAGES);
  const { hits } = await ask('How long is a refund possible?', { scope: '/docs' });
  const [first] = hits;
  t.match(first, {
    path: '/docs/billing/refunds.md',
    kind: 'document',
    title: 'Refunds',
    headings: ['Refunds', 'Limits'],
    stale: false,
  });
  t.match(first?.snippet, /^Refunds › Limits: A refund is possible for 90 days\. See disputes\.$/);
  t.equal(first?.retrievers.keyword, 1);
  t.ok((first?.line ?? 0) >= 9 && (first?.endLine ?? 0) >= (first?.line ?? 0));
});

t.test('a name is found however it is written', async (t) => {
  const { paths } = await searched(t, PAGES);
  for (const name of ['PaymentMethod', 'payment_method', 'payment method', 'payment-methods']) {
    t.equal((await paths(name, { scope: '/docs' }))[0], '/docs/api/cards.md', name);
  }
});

t.test('who asks for a title means that page, whatever number sorts its file', async (t) => {
  const body =
    'Custom domains need a custom name. Set the custom domain of a project, a custom domain of a host.';
  const { paths } = await searched(t, {
    'cloud/1.custom-domains.md': '---\ntitle: Custom Domains\n---\n\nEach project has an address.\n',
    'hosting/02-hosts.md': `# Hosts\n\n## Custom domain\n\n${body}\n\n## Custom domain and host\n\n${body}\n`,
    'topics/index.md': '# Topics\n\nWhat people follow.\n',
    'sdk.md': '# SDK topics\n\nTopics in code: list topics, add topics to topics.\n',
  });
  t.equal((await paths('custom domains', { scope: '/docs' }))[0], '/docs/cloud/1.custom-domains.md');
  t.equal((await paths('topics', { scope: '/docs' }))[0], '/docs/topics/index.md');
});

t.test('a name is found in small letters, and by its plural', async (t) => {
  const { paths } = await searched(t, {
    'a.md': '# Database\n\nThe password of MySQL is in the vault.\n',
    'b.md': '# Password\n\nA password has ten letters.\n',
    'c.md': '# Limits\n\nThe APIs take ten calls a second over IPv6.\n',
  });
  const first = async (question: string) => (await paths(question, { scope: '/docs' }))[0];
  t.equal(await first('mysql password'), '/docs/a.md');
  t.equal(await first('MySQL password'), '/docs/a.md');
  t.equal(await first('api'), '/docs/c.md');
  t.equal(await first('ipv6'), '/docs/c.md');
});

t.test('a name in quotation marks is looked for and left out in any case', async (t) => {
  const { ask, paths } = await searched(t, {
    ...PAGES,
    'api/list.md': '# List of cards\n\nCards in pages.\n\n## Object\n\nEach is a PaymentMethod.\n',
  });
  for (const phrase of ['"PaymentMethod"', '"paymentmethod"']) {
    const { hits } = await ask(phrase, { scope: '/docs' });
    t.same(hits.map(({ path }) => path).toSorted(), ['/docs/api/cards.md', '/docs/api/list.md'], phrase);
    t.ok(
      hits.every(({ retrievers }) => retrievers.keyword !== undefined),
      'and ranked',
    );
  }
  const longer = await searched(t, {
    'a.md': '# A\n\nSee PaymentMethodAdded.\n',
    'b.md': '# B\n\nSee PaymentMethod.\n',
  });
  t.same((await longer.paths('"PaymentMethod"', { scope: '/docs' })).toSorted(), [
    '/docs/a.md',
    '/docs/b.md',
  ]);
  for (const word of ['PaymentMethod', 'paymentmethod']) {
    t.notOk((await paths(`card -${word}`, { scope: '/docs' })).includes('/docs/api/list.md'), word);
  }
});

t.test('forms and spellings of a word are the word', async (t) => {
  const { paths } = await searched(t, {
    'a.md': '# Outbox\n\nMessages that we send leave the colour of the licence unsynchronised.\n',
    'b.md': '# Inbox\n\nMessages that come.\n',
  });
  for (const question of ['was it sent?', 'color', 'license', 'unsynchronized']) {
    t.same(await paths(question, { scope: '/docs' }), ['/docs/a.md'], question);
  }
});

t.test('what denies and the letters of an abbreviation are not looked for', async (t) => {
  const { paths } = await searched(t, {
    'a.md': "# Notes\n\nDon't worry, it doesn't matter, e.g. here.\n",
    'b.md': '# Refunds\n\nA refund arrives late. An email tells of it.\n',
  });
  t.same(await paths("it don't arrive, e.g. a refund", { scope: '/docs' }), ['/docs/b.md']);
  t.same(await paths('why doesn’t the mail come', { scope: '/docs' }), ['/docs/b.md']);
});

t.test('a word is found by its beginning, and where it is misspelt', async (t) => {
  const { paths } = await searched(t, PAGES);
  t.equal((await paths('disput', { scope: '/docs' }))[0], '/docs/billing/disputes.md');
  t.equal((await paths('dispuets', { scope: '/docs' }))[0], '/docs/billing/disputes.md');
  t.equal((await paths('cardholdr', { scope: '/docs' }))[0], '/docs/billing/disputes.md');
});

t.test(
  'so is a misspelt word beside others that are rare, and one that only the thesaurus leads to',
  async (t) => {
    const { paths } = await searched(t, {
      'hooks.md': '# Webhooks\n\nA server is called as soon as something happens.\n',
      'shop.md': '# Purchase\n\nWho pays.\n',
      'a.md': '# Yearly figures\n\nA fresh report is made for each year.\n',
      'b.md': '# Months\n\nA fresh report is also made for each month.\n',
    });
    t.ok((await paths('webhoks for fresh reports', { scope: '/docs' })).includes('/docs/hooks.md'));
    t.ok((await paths('buy a fresh report', { scope: '/docs' })).includes('/docs/shop.md'));
  },
);

t.test('what is asked in two words is found where it is written as one', async (t) => {
  const { paths } = await searched(t, {
    'signin.md': '# Getting in\n\nEach login needs a second factor.\n',
    'set.md': '# Generators\n\nThe `applicationset` makes many of them, of which each is builtin.\n',
    'log.md':
      '# Journal\n\nThe log is kept in a set of files that are built each day. An application writes it.\n',
  });
  t.ok((await paths('how do I log in', { scope: '/docs' })).includes('/docs/signin.md'));
  t.ok((await paths('built-in', { scope: '/docs' })).includes('/docs/set.md'));
  t.ok((await paths('ApplicationSet', { scope: '/docs' })).includes('/docs/set.md'));
});

t.test('an everyday expression finds what documentation calls otherwise', async (t) => {
  const { paths } = await searched(t, {
    'phones.md': '# Phones\n\nA phone at home or in the office is set up with its number.\n',
    'telemetry.md': '# Telemetry\n\nUsage figures are collected each week, unless that is turned off.\n',
  });
  t.equal((await paths('does it phone home', { scope: '/docs' })).includes('/docs/telemetry.md'), true);
  t.notOk((await paths('phone', { scope: '/docs' })).includes('/docs/telemetry.md'));
});

t.test('what is asked in one word is found where it is written as two', async (t) => {
  const { paths } = await searched(t, PAGES);
  t.equal((await paths('how does a paymentmethod work', { scope: '/docs' }))[0], '/docs/api/cards.md');
  t.equal((await paths('rotate the secretkeys', { scope: '/docs' }))[0], '/docs/guide.md');
});

t.test('a word of the thesaurus is found for another', async (t) => {
  const pages = { 'a.md': '# Purchase\n\nWho pays.\n', 'b.md': '# Weather\n\nRain and sun.\n' };
  const withIt = await searched(t, pages);
  t.same(await withIt.paths('buy', { scope: '/docs' }), ['/docs/a.md']);
  const without = await searched(t, pages, { thesaurus: false });
  t.same((await without.ask('buy', { scope: '/docs' })).hits, []);
});

t.test('the page that a word is the title of is found where all pages have the word', async (t) => {
  const others = Array.from({ length: 300 }, (_, n): [string, string] => [
    `note${n}.md`,
    `# Note ${n}\n\nEach space has pages; a space is shared, and this space has place ${n} for more of each space.\n`,
  ]);
  const pages = {
    ...Object.fromEntries(others),
    'zone.md': '# Zone\n\nAn area or place.\n',
    'space.md': '# Space\n\nWhat others call a vault: the top-level folder.\n',
    'space-manager.md':
      '# Space manager\n\nA space is made here, and each space is removed here. A space has users.\n',
  };
  const { paths } = await searched(t, pages);
  for (const question of ['what is a space', 'space']) {
    t.ok((await paths(question, { scope: '/docs' })).slice(0, 2).includes('/docs/space.md'), question);
  }
});

t.test('a log of changes stands behind what explains a thing', async (t) => {
  const line = (page: string) =>
    `Exports of a budget can be encrypted: encrypted exports ask for a password. ${page}\n`;
  const { paths } = await searched(t, {
    'changelog.md': `# Change Log\n\n## 2.1\n\n${line('')}`,
    'releases/2.1.md': `# v2.1\n\n${line('')}`,
    'exports.md': `# Budgets\n\n## Taking data along\n\n${line('It is asked for each time, and kept nowhere at all, not even on the server, so who forgets it begins anew with a copy of an earlier day, or types all of it in by hand once more.')}`,
    '2024-01-31.md': `# 2024-01-31\n\nEncrypted exports are a thing that we talked of.\n`,
  });
  const plain = await paths('how do I encrypt exports', { scope: '/docs' });
  t.equal(plain[0], '/docs/exports.md');
  t.same(new Set(plain.slice(2)), new Set(['/docs/changelog.md', '/docs/releases/2.1.md']));
});

t.test('what a good answer links to is found by the graph, with the way there', async (t) => {
  const { ask } = await searched(t, PAGES);
  const { hits } = await ask('how long is a refund possible', { scope: '/docs' });
  const hit = hits.find(({ path }) => path === '/docs/billing/disputes.md');
  t.match(hit?.hops, [
    { from: /^Refunds/, edgeType: 'references', to: /^Disputes/, evidence: 'billing/refunds.md:11' },
  ]);
  t.type(hit?.retrievers.graph, 'number');
  const alone = await ask('how long is a refund possible', { scope: '/docs', depth: 0 });
  t.notOk(alone.hits.some(({ path }) => path === '/docs/billing/disputes.md'));
});

t.test('filters let through what they say, however little that is', async (t) => {
  const { paths, ask } = await searched(t, PAGES);
  const docs = { scope: '/docs' };
  t.same(await paths('refund tag:billing', docs), ['/docs/billing/refunds.md']);
  t.same(await paths('refund tag:billing'), ['/docs/billing/refunds.md'], 'in all there is, too');
  t.same(await paths('card related:Nothing~1'), []);
  t.same(await paths('card in:/docs/api'), ['/docs/api/cards.md']);
  t.same(await paths('card', { scope: '/docs/nowhere' }), []);
  t.same(await paths('refund -draft', docs), ['/docs/billing/refunds.md', '/docs/billing/disputes.md']);
  t.same(await paths('"each call that fails"'), ['/docs/guide.md']);
  t.same(await paths('"call each that fails"', docs), []);
  t.same(await paths('call', { ...docs, contains: 'SECRET KEY signs' }), ['/docs/guide.md']);
  t.same(await paths('refund', { ...docs, pathPattern: /ideas|draft/g }), ['/docs/billing/draft.md']);
  t.same(await paths('refund before:1990'), []);
  t.ok((await ask('type:document refund')).hits.every(({ kind }) => kind === 'document'));
  t.ok(
    (await ask('type:endpoint card')).hits.every(({ kind, type }) => kind === 'node' && type === 'Endpoint'),
  );
  t.ok((await paths('type:endpoint card')).length > 0);
  t.same(await paths('card type:endpoint in:/docs'), ['/docs/api/cards.md']);
  t.same(await paths('card related:Disputes~1', docs), ['/docs/billing/disputes.md']);
  t.same(await paths('card related:Nothing~1', docs), []);
});

t.test('a second section of a document comes behind other documents', async (t) => {
  const { ask } = await searched(t, PAGES);
  const { hits } = await ask('each call needs a secret key', { scope: '/docs' });
  const places = hits.filter(({ path }) => path === '/docs/guide.md');
  t.ok(places.length >= 2, 'both sections are found');
  t.equal(new Set(places.map(({ line }) => line)).size, places.length, 'each once');
});

t.test('what is gone is no hit, and what has changed since is stale', async (t) => {
  const { ask, paths, write, remove, index } = await searched(t, PAGES);
  const docs = { scope: '/docs' };
  t.equal((await paths('cardholder bank', docs))[0], '/docs/billing/disputes.md');
  write('billing/disputes.md', '# Disputes\n\nThe bank of the cardholder takes all of it.\n');
  const [changed] = (await ask('cardholder bank', docs)).hits;
  t.match(changed, { path: '/docs/billing/disputes.md', stale: true });
  t.match(changed?.snippet, /takes all of it/);
  remove('billing/disputes.md');
  t.notOk((await paths('cardholder bank', docs)).includes('/docs/billing/disputes.md'));
  const unseen = await paths('cardholder bank', { ...docs, snippets: false });
  t.notOk(unseen.includes('/docs/billing/disputes.md'), 'though nobody wants its text');
  await index();
  t.notOk((await paths('cardholder bank', docs)).includes('/docs/billing/disputes.md'));
});

t.test('the latest comes first where that is asked for', async (t) => {
  const { paths } = await searched(t, {
    'old.md': '---\ndate: 2024-01-10\n---\n# Release\n\nNotes on the release of the year.\n',
    'new.md': '---\ndate: 2026-03-02\n---\n# Release\n\nNotes on the release of the year.\n',
    'middle.md': '---\ndate: 2025-06-01\n---\n# Release\n\nNotes on the release of the year.\n',
  });
  t.equal((await paths('latest release notes', { scope: '/docs' }))[0], '/docs/new.md');
  t.equal((await paths('release notes of 2025-06', { scope: '/docs' }))[0], '/docs/middle.md');
  const [old, middle, now] = ['/docs/old.md', '/docs/middle.md', '/docs/new.md'];
  const found = async (filters: string) => (await paths(`release notes ${filters}`)).toSorted();
  t.same(await found('after:2025-06-01'), [middle, now], 'of this day and later');
  t.same(await found('after:2025-06-02'), [now]);
  t.same(await found('before:2025-06-01'), [old], 'of before this day');
  t.same(await found('before:2025-06-02'), [middle, old]);
  t.same(await paths('after:2025-06 in:/docs'), [now, middle], 'without words, the newest first');
  t.same(await paths('before:2026 in:/docs'), [middle, old]);
});

t.test('memories are found beside documents, and turns by what was said before them', async (t) => {
  const { app, ask, paths } = await searched(t, PAGES);
  const turns = [
    'Ann: Did you see the lighthouse near Bergen?',
    'Bob: Yes, last May!',
    'Ann: Nice. And the boat?',
    'Bob: It sank.',
  ];
  turns.forEach((text, index) => {
    const content = Buffer.from(`${text}\n`);
    app.memory.add({ type: 'episodic', key: `trip/turn-${index + 1}`, content }, {});
  });
  app.memory.add(
    { type: 'fact', key: 'refund-window', content: Buffer.from('A refund takes five days to arrive.\n') },
    {},
  );
  const found = await paths('When did Bob see the lighthouse?', { scope: '/context/memory' });
  t.same(
    new Set(found.slice(0, 2)),
    new Set(['/context/memory/episodic/trip/turn-1', '/context/memory/episodic/trip/turn-2']),
  );
  t.ok((await paths('how long does a refund take to arrive')).includes('/context/memory/fact/refund-window'));
  t.match((await ask('refund type:fact')).hits, [
    { kind: 'memory', type: 'fact', path: '/context/memory/fact/refund-window' },
  ]);
  app.memory.remove({ type: 'fact', key: 'refund-window' }, {});
  t.notOk(
    (await paths('how long does a refund take to arrive')).includes('/context/memory/fact/refund-window'),
  );
});

t.test(
  'parts of words are found in the text where nothing else is, and what must stand in a hit is',
  async (t) => {
    const { app, ask, paths } = await searched(t, PAGES);
    const content = Buffer.from('The zzqxarble is broken.\n');
    app.memory.add({ type: 'fact', key: 'machine', content }, {});
    const [hit] = (await ask('rdholde')).hits;
    t.match(hit, { path: '/docs/billing/disputes.md', retrievers: { literal: 1 } });
    t.same(await paths('qxarbl'), ['/context/memory/fact/machine']);
    t.same(await paths('qxarbl', { scope: '/docs' }), []);
    t.same(await paths('-', { scope: '/context' }), []);
    t.same(await paths('refund', { scope: '/docs', contains: 'rdholder TAKES' }), [
      '/docs/billing/disputes.md',
    ]);
    app.memory.add({ type: 'fact', key: 'other', content }, {});
    const ranks = (await ask('qxarbl')).hits.map(({ retrievers }) => retrievers.literal);
    t.same(ranks, [1, 2]);
  },
);

t.test('the same question and revision give the same answer, remembered or not', async (t) => {
  const { app, ask } = await searched(t, PAGES);
  const first = await ask('refund money card');
  const { questions, remembered } = app.search.figures();
  t.same(await ask('refund money card'), first);
  t.same(app.search.figures(), { questions: questions + 1, remembered: remembered + 1 });
  const revision = app.search.revision();
  app.memory.add({ type: 'fact', key: 'other', content: Buffer.from('Nothing of it.\n') }, {});
  t.not(app.search.revision(), revision);
});

t.test('the text of a hit is its lines as they are now', async (t) => {
  const { app, ask } = await searched(t, PAGES);
  const [hit] = (await ask('secret key signs each call', { scope: '/docs' })).hits;
  t.match(hit && app.search.textOf(hit), /A secret key signs each call\./);
  t.equal(app.search.textOf({ path: '/docs/none.md', kind: 'document', line: 1, endLine: 2 }), undefined);
});

t.test(
  'any question is answered, within its limit, in the order of scores, and the same twice',
  async (t) => {
    const { app, ask } = await searched(t, PAGES);
    const word = fc.oneof(
      fc.constantFrom(
        'refund',
        'card',
        'key',
        '"secret key"',
        '-draft',
        'type:document',
        'tag:billing',
        'in:/docs',
        'latest',
        'after:2020',
        'related:Refunds~2',
        'the',
        '"',
        ':',
        '🙂',
        '支払い',
      ),
      fc.string({ maxLength: 12 }),
    );
    const question = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(question, fc.integer({ min: 1, max: 5 }), async (text, limit) => {
        const once = await ask(text, { limit });
        const twice = await ask(`${text} `, { limit });
        const scores = once.hits.map(({ score }) => score);
        return (
          once.hits.length <= limit &&
          scores.every((score, index) => index === 0 || score <= (scores[index - 1] ?? 0)) &&
          once.hits.every(({ snippet }) => snippet.length <= 300) &&
          once.hits.every((hit) => app.search.textOf(hit) !== undefined) &&
          JSON.stringify(once) === JSON.stringify(twice)
        );
      }),
      { numRuns: 150 },
    );
  },
);

t.test('where many passages of a page are wanted, they come before pages that hardly answer', async (t) => {
  const section = (number: number) =>
    `## Part ${number}\n\nA payout of kind ${number} is sent to the bank account as a payout.\n`;
  const filler = 'Nothing of that is said in these few words about something else. '.repeat(8);
  const { ask } = await searched(t, {
    'payouts.md': `# Payouts\n\n${Array.from({ length: 6 }, (_, at) => section(at)).join('\n')}`,
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `other/${at}.md`,
        `# Other ${at}\n\n${filler}The bank has shut the account, and nothing is sent.\n`,
      ]),
    ),
  });
  const many = await ask('how is a payout sent to the bank account', {
    scope: '/docs',
    limit: 20,
    passagesOfSource: 8,
  });
  t.same(
    many.hits.slice(0, 6).map(({ path }) => path),
    Array(6).fill('/docs/payouts.md'),
  );
  t.equal(Math.max(...many.hits.map(({ strength }) => strength ?? 0)), 1);
  t.ok(many.hits.every(({ path, strength = 0 }) => path === '/docs/payouts.md' || strength < 0.5));
  const few = await ask('how is a payout sent to the bank account', { limit: 20 });
  t.equal(few.hits.filter(({ path }) => path === '/docs/payouts.md').length, 3, 'otherwise three at most');
});

t.test('what time ranks has no strength, since words do not tell what it is worth', async (t) => {
  const { ask } = await searched(t, PAGES);
  const { hits } = await ask('what has changed of refunds lately', { scope: '/docs' });
  t.ok(hits.length > 0);
  t.ok(
    hits.every(({ strength, retrievers }) => (retrievers.recency === undefined) === (strength !== undefined)),
  );
});
