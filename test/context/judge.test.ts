import t from 'tap';
import { evaluateAnswer } from '../../src/context/claims/evaluate.ts';
import { FACT_SCORE, judgeOf } from '../../src/context/claims/judge.ts';
import { statementsOf } from '../../src/context/claims/markdown-statements.ts';
import type { ClaimSource } from '../../src/context/claims/source-statements.ts';
import { openThesaurus } from '../../src/words/thesaurus.ts';
import { documentsOf } from './claim-sources.ts';
import { LABELLED_CLAIMS } from './labelled-claims.ts';

const thesaurus = openThesaurus();
t.teardown(() => thesaurus.close());

function judged(text: string, claim: string) {
  const source: ClaimSource = { path: '/docs/a.md', line: 1, title: 'A', headings: [], text };
  return judgeOf([source], thesaurus).judge({ text: claim, citations: [] });
}

t.test('of the labelled claims no wrong one is a fact, and nearly all true ones are', async (t) => {
  const judge = judgeOf(documentsOf('docs/sample'), thesaurus);
  const scored = LABELLED_CLAIMS.map(({ text, label }) => ({
    text,
    label,
    score: judge.judge({ text, citations: [] }).score,
  }));
  const facts = scored.filter(({ score }) => score >= FACT_SCORE);
  t.same(
    facts.filter(({ label }) => label !== 'true'),
    [],
    'no wrong claim is a fact',
  );
  const trueOnes = scored.filter(({ label }) => label === 'true').length;
  t.ok(facts.length / trueOnes >= 0.95, `${facts.length} of ${trueOnes} true claims are facts`);
});

t.test('each sentence of the docs is a fact, and with another number or a denial it is none', async (t) => {
  const sources = documentsOf('docs/sample');
  const judge = judgeOf(sources, thesaurus);
  const isFact = (text: string) => judge.judge({ text, citations: [] }).score >= FACT_SCORE;
  const said = sources
    .flatMap(({ text }) => statementsOf(text))
    .filter(({ form, text }) => form !== 'code' && /^[A-Z].{30,200}\.$/.test(text))
    .map(({ text }) => text);
  t.ok(said.length > 150);
  t.same(
    said.filter((text) => !isFact(text)),
    [],
  );
  const otherNumbers = said.flatMap((text) => {
    const [number, ...more] = text.match(/(?<![\w.`/-])\d+(?![\w.]*[`\w])/g) ?? [];
    return number === undefined || more.length > 0
      ? []
      : [text.replace(number, String(Number(number) * 2 + 1))];
  });
  const denied = said
    .filter((text) => !/\b(?:not|never|no|cannot|without|none|nothing|nobody|unless)\b/i.test(text))
    .map((text) => text.replace(/\b(?:is|are|can|will|must|may)\b(?! only)/, '$& not'))
    .filter((text) => / not /.test(text));
  t.ok(otherNumbers.length > 10 && denied.length > 60);
  t.same([...otherNumbers, ...denied].filter(isFact), []);
});

t.test('another number, a denial, an opposite and another order contradict', async (t) => {
  const source = 'Keys are kept for 48 hours. An event triggers a webhook. Lists are sorted newest first.';
  const cases: [string, string][] = [
    ['Keys are kept for 24 hours.', 'number'],
    ['Keys are not kept for 48 hours.', 'denial'],
    ['Lists are sorted oldest first.', 'opposite'],
    ['A webhook triggers an event.', 'order'],
  ];
  for (const [claim, conflict] of cases) {
    const { verdict, conflict: found } = judged(source, claim);
    t.same([verdict, found], ['contradicted', conflict], claim);
  }
});

t.test('the passive voice turns the order round', async (t) => {
  const source = 'An event triggers a webhook.';
  t.equal(judged(source, 'A webhook is triggered by an event.').verdict, 'supported');
  t.equal(judged(source, 'An event is triggered by a webhook.').verdict, 'contradicted');
});

t.test('the same amount in another unit agrees', async (t) => {
  t.equal(judged('Logs are kept for 48 hours.', 'Logs are kept for two days.').verdict, 'supported');
  t.equal(judged('The limit is 1 MiB.', 'The limit is 1024 KiB.').verdict, 'supported');
});

t.test('evidence has the line in the source', async (t) => {
  const { evidence } = judged(
    '# A\n\nOne thing.\n\nKeys are kept\nfor 48 hours.\n',
    'Keys are kept for 48 hours.',
  );
  t.same(evidence, [{ path: '/docs/a.md', line: 5, text: 'Keys are kept for 48 hours.' }]);
});

t.test('a claim of several parts stands on several places', async (t) => {
  const source = 'A key is any text of at most 64 characters.\n\nKeys are kept for 48 hours.\n';
  const { verdict, evidence } = judged(
    source,
    'A key has at most 64 characters; keys are kept for 48 hours.',
  );
  t.equal(verdict, 'supported');
  t.same(
    evidence.map(({ line }) => line),
    [1, 3],
  );
});

t.test('a question that is answered with no denies', async (t) => {
  const source = '**Can I refund a pending charge?** No. Wait for it to succeed.';
  t.equal(judged(source, 'You cannot refund a pending charge.').verdict, 'supported');
  t.equal(judged(source, 'You can refund a pending charge.').verdict, 'contradicted');
});

t.test(
  'what is said of a pronoun is held against sources as said of what it stands for, or not at all',
  async (t) => {
    const source =
      'A subscription creates an invoice.\n\nA charge triggers `charge.succeeded`.\n\nA charge is kept for 48 hours.\n';
    const wrong = 'A subscription creates an invoice, and it triggers `charge.succeeded`.';
    t.same(judged(source, wrong), { verdict: 'unsupported', score: 0, evidence: [] });
    t.equal(judged(source, 'It triggers `charge.succeeded`.').verdict, 'unsupported');
    t.equal(judged(`${source}\n${wrong}\n`, wrong).verdict, 'supported', 'the sources say it in these words');
    t.equal(
      judged(source, 'A charge is kept for 48 hours, and it triggers `charge.succeeded`.').verdict,
      'supported',
    );
    t.not(
      judged(source, 'A subscription is kept for 48 hours, and it triggers `charge.succeeded`.').verdict,
      'supported',
    );
  },
);

t.test('a model does not settle of what a pronoun speaks', async (t) => {
  const answer =
    'A subscription creates an invoice, and it triggers `charge.succeeded`.\n\nKeys are kept with great care.\n';
  const sources = [{ path: '/docs/a.md', line: 1, title: 'A', headings: [], text: 'Charges are free.' }];
  const model = { name: 'sure', score: async (claims: readonly object[]) => claims.map(() => 1) };
  const { claims } = await evaluateAnswer({ question: 'Why?', answer, sources, model });
  t.same(
    claims.map(({ verdict }) => verdict),
    ['unsupported', 'supported'],
  );
});
