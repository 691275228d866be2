import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { type LabelledQuestion, ownQuestions } from '../../scripts/eval/labelled.ts';
import { percentile, qualityOf } from '../../scripts/eval/measures.ts';
import { plainSearch } from '../../scripts/eval/plain.ts';

const QUESTIONS = 'scripts/eval/questions.jsonl';
const MEMORIES = 'scripts/eval/memories.jsonl';

interface MemoryLine {
  readonly memory_type: string;
  readonly key: string;
  readonly content: string;
}

t.test('what the labels of the evaluation say stands where they say', async (t) => {
  const memories = memoryTexts();
  const wrong = ownQuestions(QUESTIONS).flatMap(({ id, answers, also }) => [
    ...answers
      .filter(({ path, holds }) => !textAt(path, memories).includes(holds ?? ''))
      .map(({ path }) => `${id}: ${path} does not hold its answer`),
    ...also
      .filter((path) => !existsSync(`docs/sample${path.slice('/docs'.length)}`))
      .map((path) => `${id}: there is no ${path}`),
  ]);
  t.same(wrong, []);
});

t.test('a question counts by the files that were found, each once', async (t) => {
  const question: LabelledQuestion = {
    id: 'q',
    kind: 'two-hop',
    question: 'How?',
    answers: [{ path: 'a' }, { path: 'b' }],
    also: ['near'],
  };
  const measured = (found: readonly string[]) => qualityOf([question], () => found);
  t.match(measured(['a', 'a', 'a', 'a', 'a', 'b']), { hitAt1: 1, recallAt5: 1, reciprocalRank: 1 });
  t.match(measured(['near', 'x', 'b']), { hitAt1: 0, recallAt5: 0.5, reciprocalRank: 0.5 }, 'passed over');
  t.match(measured(['1', '2', '3', '4', '5', 'a', 'b']), { recallAt5: 0, recallAt10: 1 });
  t.match(measured([]), { hitAt1: 0, recallAt5: 0, recallAt10: 0, reciprocalRank: 0 });
});

t.test('a percentile is a value that was measured', async (t) => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  t.equal(percentile(values, 0.5), 50);
  t.equal(percentile(values, 0.99), 99);
  t.equal(percentile([7], 0.99), 7);
});

t.test('the plain search that all is compared with finds any word of a question', async (t) => {
  const plain = plainSearch([
    { path: '/docs/a.md', text: 'Refunds are sent back.' },
    { path: '/docs/b.md', text: 'Nothing of the kind.' },
  ]);
  t.teardown(() => plain.close());
  t.same(
    plain.search('refunding "money"?', 10).map(({ path }) => path),
    ['/docs/a.md'],
  );
  t.same(plain.search('?!', 10), []);
});

function textAt(path: string, memories: ReadonlyMap<string, string>): string {
  return path.startsWith('/docs/')
    ? readFileSync(`docs/sample${path.slice('/docs'.length)}`, 'utf8')
    : (memories.get(path) ?? '');
}

function memoryTexts(): Map<string, string> {
  const lines = readFileSync(MEMORIES, 'utf8').trim().split('\n');
  return new Map(
    lines.map((line) => {
      const { memory_type: type, key, content }: MemoryLine = JSON.parse(line);
      return [`/context/memory/${type}/${key}`, content];
    }),
  );
}
