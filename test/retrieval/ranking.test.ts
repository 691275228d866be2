import t from 'tap';
import { keyOf } from '../../src/retrieval/ranking.ts';
import { fakeCorpus } from './fake-corpus.ts';

t.test('keys are in the order of places, however many digits these have', async (t) => {
  const pages = Array.from({ length: 12 }, (_, index) => ({
    kind: 'document' as const,
    path: `/docs/${index}.md`,
  }));
  const { corpus, passages } = fakeCorpus('docs', pages);
  // The other way round than ids, so that it is the place which decides.
  const placed = { ...corpus, places: () => Int32Array.from(passages, ({ id }) => passages.length - id) };
  const keys = passages.slice(0, -1).map((passage) => keyOf({ corpus: placed, passage }));
  t.same(keys.toSorted(), keys.toReversed());
  t.equal(new Set(keys).size, keys.length);
});
