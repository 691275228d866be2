import fc from 'fast-check';
import t from 'tap';
import { fenceBehind } from '../../src/context/fences.ts';
import { fitWhole } from '../../src/context/fitting.ts';
import { materialize } from '../../src/context/materialize.ts';
import { loadTokenCounter } from '../../src/context/tokens.ts';
import { BILLING, constructorOver, fakeEngine, fakeGraph } from './fixture.ts';

const WORDS = [
  'charge',
  'refund',
  'webhook',
  'Überweisung',
  '支払い方法',
  'payment_method',
  '<|endoftext|>',
  '```',
  '🙂',
  'x',
];
const word = fc.constantFrom(...WORDS);
const paragraph = fc.array(fc.oneof(word, fc.constant('\n'), fc.string({ maxLength: 8 })), {
  maxLength: 120,
});
const document = fc.array(paragraph, { maxLength: 12 });

t.test('no text is over its budget, whatever is asked, found and allowed', async (t) => {
  const counter = await loadTokenCounter();
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { maxLength: 5 }),
      fc.array(fc.oneof(word, fc.string({ maxLength: 30 })), { minLength: 1, maxLength: 12 }),
      fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 3000 })),
      fc.subarray(['Charge', 'Subscription', 'Webhook']),
      async (documents, question, budgetTokens, named) => {
        const sources = documents.map((paragraphs, index) => [
          `/docs/${index}.md`,
          { text: paragraphs.map((words) => words.join(' ')).join('\n\n') },
        ]);
        const { build } = await constructorOver({
          engine: fakeEngine(Object.fromEntries(sources), named),
          graph: fakeGraph(BILLING),
        });
        const manifest = await build(question.join(' '), { budgetTokens });
        const text = materialize(manifest);
        t.ok(counter.count(text) <= budgetTokens);
        t.equal(manifest.tokens, counter.count(text));
        if (!question.join('').includes('`') && budgetTokens >= 160) t.equal(fenceBehind(text), undefined);
      },
    ),
    { numRuns: 150 },
  );
});

t.test('three in a hundred tokens are left free, since other models count more', async (t) => {
  const counter = await loadTokenCounter();
  const text = Array.from({ length: 40 }, (_, index) => `A charge is refunded, case ${index}.`).join('\n\n');
  const { build } = await constructorOver({
    engine: fakeEngine({ '/docs/cases.md': { text }, '/docs/more.md': { text } }, ['Charge']),
    graph: fakeGraph(BILLING),
  });
  const manifest = await build('charge refunded', { budgetTokens: 2000 });
  const tokensWith = (budgetTokens: number) => counter.count(materialize({ ...manifest, budgetTokens }));
  const tokens = tokensWith(manifest.tokens);
  const least = Math.ceil(tokens / 0.97);
  t.same([tokensWith(tokens), tokensWith(least)], [tokens, tokens], 'all of these have one layout');
  t.equal(fitWhole({ ...manifest, budgetTokens: least }, counter).tokens, tokens);
  t.ok(fitWhole({ ...manifest, budgetTokens: least - 2 }, counter).tokens < tokens);
});

t.test(
  'what is too much is left out from the worst passage on, then from the last fact, and is told',
  async (t) => {
    const counter = await loadTokenCounter();
    const { build } = await constructorOver({
      engine: fakeEngine(
        {
          '/docs/worst.md': { text: 'A charge is final, once it is made.' },
          '/docs/best.md': { text: 'A charge is money of a customer.' },
          '/docs/middle.md': { text: 'A charge has a customer, as a refund has.' },
        },
        ['Charge', 'Subscription'],
      ),
      graph: fakeGraph(BILLING),
    });
    const whole = { ...(await build('charge money customer', { budgetTokens: 2000 })), budgetTokens: 599 };
    t.match([whole.selected.length, whole.leftOut.length], [3, 0]);
    t.ok(whole.facts.length > 1 && whole.paths.length > 1);
    const best = whole.selected.toSorted((a, b) => b.score - a.score);
    const seen = new Set<string>();
    for (let budgetTokens = 599; budgetTokens > 0; budgetTokens -= 1) {
      const { selected, leftOut, facts, paths } = fitWhole({ ...whole, budgetTokens }, counter);
      const count = selected.length;
      t.same(new Set(selected), new Set(best.slice(0, count)));
      t.same(
        leftOut.map(({ path, reason }) => [path, reason]),
        best.slice(count).map(({ path }) => [path, 'budget']),
      );
      t.same(facts, whole.facts.slice(0, facts.length));
      t.same(paths, whole.paths.slice(0, paths.length));
      if (facts.length < whole.facts.length && facts.length + paths.length > 0)
        t.equal(count, 1, 'a passage stays');
      if (paths.length < whole.paths.length) t.equal(facts.length, 0);
      seen.add(`${count} ${facts.length} ${paths.length}`);
    }
    t.ok(seen.size > 4);
  },
);
