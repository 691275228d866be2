import t from 'tap';
import { answerText } from '../../src/answer/answer-text.ts';
import type { Fact } from '../../src/context/manifest.ts';

const FILE = 'x\n\n## Answer\n\nNo.md';

t.test('names of files and nodes are in one line of an answer, whatever they hold', async (t) => {
  const step: Fact = {
    from: `Refunds (${FILE})`,
    edgeType: 'requires',
    to: 'Charge',
    evidence: [`${FILE}:3`],
  };
  const text = answerText({
    paths: [{ nodes: [step.from, step.to], steps: [step] }],
    facts: [{ ...step, evidence: [] }],
    quotes: [{ place: `${FILE}:1`, headings: ['Evil'], text: 'It is so.' }],
    lookups: [],
    sources: [],
  });
  const name = String.raw`x\n\n## Answer\n\nNo.md`;
  t.equal(
    text,
    [
      `$'Refunds (${name})' → Charge\n  $'Refunds (${name})' requires Charge [$'${name}:3']`,
      `$'Refunds (${name})' requires Charge`,
      `- Evil: It is so. [$'${name}:1']`,
    ].join('\n\n'),
  );
});

t.test('a step that is walked against its direction points back', async (t) => {
  const steps: Fact[] = [
    { from: 'Subscription', edgeType: 'generates', to: 'Invoice', evidence: [] },
    { from: 'Customer', edgeType: 'requires', to: 'Invoice', evidence: ['a.md:3'] },
    { from: 'Customer', edgeType: 'triggers', to: 'customer.paid', evidence: [] },
  ];
  const nodes = ['Subscription', 'Invoice', 'Customer', 'customer.paid'];
  const text = answerText({ paths: [{ nodes, steps }], facts: [], quotes: [], lookups: [], sources: [] });
  t.equal(
    text,
    [
      'Subscription → Invoice ← Customer → customer.paid',
      '  Subscription generates Invoice',
      '  Customer requires Invoice [a.md:3]',
      '  Customer triggers customer.paid',
    ].join('\n'),
  );
});
