import t from 'tap';
import { type EvaluatedClaim, evaluateAnswer } from '../../src/context/claims/evaluate.ts';
import { rememberClaims } from '../../src/context/claims/remember-claims.ts';
import type { ClaimSource } from '../../src/context/claims/source-statements.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { CONTEXT, fact, kept, remembering } from '../memory/fixture.ts';

const SOURCE: ClaimSource = {
  path: '/docs/keys.md',
  line: 10,
  title: 'Keys',
  headings: [],
  text: 'Keys are kept for 48 hours.\n\nA key has at most 64 characters.\n',
};
const ANSWER = 'Keys are kept for 48 hours. A key has at most 128 characters. Keys are stored in Redis.';

function evaluated(answer = ANSWER, sources = [SOURCE]) {
  return evaluateAnswer({ question: 'How long are keys kept?', answer, sources });
}

function everything(memory: Memory) {
  return memory.list().map(({ type, key, version }) => [type, key, version]);
}

t.test('what the sources say is a fact with its lines, the rest waits for review', async (t) => {
  const { memory } = remembering(t);
  const remembered = rememberClaims(await evaluated(), { memory, context: CONTEXT });
  t.same(
    remembered.map(({ outcome }) => outcome),
    ['fact', 'episodic', 'episodic'],
  );
  const [first, second, third] = remembered.map(({ place }) => memory.get(place));
  t.equal(first?.type, 'fact');
  t.same(first?.sourcePaths, ['keys.md:10']);
  t.equal(first?.confidence, 1);
  t.same(second?.tags, ['needs_review', 'contradicted']);
  t.same(second?.sourcePaths, ['keys.md:12']);
  t.same(third?.tags, ['needs_review']);
});

t.test('doing it again writes nothing', async (t) => {
  const { memory } = remembering(t);
  rememberClaims(await evaluated(), { memory, context: CONTEXT });
  const before = everything(memory);
  const again = rememberClaims(await evaluated(), { memory, context: CONTEXT });
  t.same(everything(memory), before);
  t.ok(again.every(({ outcome }) => outcome === 'known'));
});

t.test('a dry run says the same and writes nothing', async (t) => {
  const { memory, events } = remembering(t);
  const dry = rememberClaims(await evaluated(), { memory, context: CONTEXT, dryRun: true });
  t.equal(memory.count(), 0);
  t.equal(events.length, 0);
  const done = rememberClaims(await evaluated(), { memory, context: CONTEXT });
  t.same(
    dry.map(({ outcome, place }) => [outcome, place]),
    done.map(({ outcome, place }) => [outcome, place]),
  );
});

t.test('what contradicts a known fact is related to it, waits, and leaves it alone', async (t) => {
  const { memory } = remembering(t);
  memory.add({ ...fact('retention'), content: Buffer.from('Keys are kept for 24 hours.\n') }, CONTEXT);
  const [first] = rememberClaims(await evaluated(), { memory, context: CONTEXT });
  t.equal(first?.outcome, 'contradiction');
  t.same(first?.contradicts, [fact('retention')]);
  t.equal(kept(memory, fact('retention')), 'Keys are kept for 24 hours.\n');
  t.same(
    memory.links().map(({ from, relation, to }) => [from, relation, to]),
    [[first?.place, 'contradicts', fact('retention')]],
  );
  const entry = first && memory.get(first.place);
  t.same([entry?.type, entry?.tags], ['episodic', ['needs_review', 'contradiction']]);
  rememberClaims(await evaluated(), { memory, context: CONTEXT });
  t.equal(memory.links().length, 1);
});

t.test('a known fact among the sources does not outweigh the docs', async (t) => {
  const { memory } = remembering(t);
  const text = 'Keys are kept for 24 hours.\n';
  memory.add({ ...fact('retention'), content: Buffer.from(text) }, CONTEXT);
  const known = { path: '/context/memory/fact/retention', line: 1, title: 'retention', headings: [], text };
  const [first] = rememberClaims(await evaluated(ANSWER, [known, SOURCE]), { memory, context: CONTEXT });
  t.match(first, { outcome: 'contradiction', claim: { verdict: 'supported', score: 1 } });
  t.same(first?.contradicts, [fact('retention')]);
});

t.test('what a fact of another key says already is not written', async (t) => {
  const { memory } = remembering(t);
  memory.add({ ...fact('retention'), content: Buffer.from('keys are kept for 48 hours') }, CONTEXT);
  const [first] = rememberClaims(await evaluated(), { memory, context: CONTEXT });
  t.same([first?.outcome, first?.place], ['known', fact('retention')]);
});

t.test('what was rejected does not come back', async (t) => {
  const { memory } = remembering(t);
  const [, second] = rememberClaims(await evaluated(), { memory, context: CONTEXT });
  if (second === undefined) throw new Error('there is a second claim');
  memory.remove(second.place, CONTEXT);
  const again = rememberClaims(await evaluated(), { memory, context: CONTEXT });
  t.equal(again[1]?.outcome, 'rejected');
  t.equal(memory.get(second.place), undefined);
});

t.test('what waited is a fact once its sources say it', async (t) => {
  const { memory } = remembering(t);
  const [first] = rememberClaims(await evaluated(ANSWER, []), { memory, context: CONTEXT });
  t.equal(first?.place.type, 'episodic');
  const [now] = rememberClaims(await evaluated(), { memory, context: CONTEXT });
  t.same([now?.outcome, now?.isConfirmed], ['fact', true]);
  t.same(
    memory.find(now?.place.key ?? '').map(({ type }) => type),
    ['fact'],
  );
});

t.test('a model has its say, but not over a number', async (t) => {
  const model = { name: 'scripted', score: async (claims: readonly unknown[]) => claims.map(() => 0.9) };
  const { claims, judge } = await evaluateAnswer({ question: 'q', answer: ANSWER, sources: [SOURCE], model });
  const verdicts = claims.map(({ verdict }: EvaluatedClaim) => verdict);
  t.same([judge, ...verdicts], ['scripted', 'supported', 'contradicted', 'supported']);
});
