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
