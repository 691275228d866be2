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
