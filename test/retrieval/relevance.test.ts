import t from 'tap';
import { Relevance } from '../../src/retrieval/relevance.ts';
import { fakeCorpus } from './fake-corpus.ts';

const USUAL_LENGTH = 4;
const concepts = [{ word: 'refunds', term: 'refund', weights: new Map([['refund', 1]]) }];
const vocabulary = { count: () => 1_000, frequency: () => 400 };

t.test(
  'what nearly all passages say is looked for in those that were read, and counts as it does otherwise',
  async (t) => {
    const { corpus, passages } = fakeCorpus('docs', [
      {
        kind: 'document',
        path: '/docs/a.md',
        passage: { titleTerms: 'refund polici', bodyBag: 'refund:2 day', bodyLength: 3 },
      },
      {
        kind: 'document',
        path: '/docs/b.md',
        passage: { headingTerms: 'partial refund', bodyBag: 'card', bodyLength: 1 },
      },
      { kind: 'document', path: '/docs/c.md', passage: { bodyBag: 'refundabl card', bodyLength: 2 } },
    ]);
    const lists: string[] = [];
    const holding = (term: string) => {
      lists.push(term);
      return Int32Array.of(1, 2);
    };
    const scoresWhere = (frequency: number) => {
      const relevance = new Relevance(concepts, vocabulary);
      const read = { ...corpus, holding, frequency: () => frequency };
      relevance.lookUp(read, passages);
      return passages.map((passage) => relevance.scoreOf(read, passage, USUAL_LENGTH));
    };
    const rare = scoresWhere(2);
    t.strictSame(lists, ['refund']);
    const common = scoresWhere(400);
    t.strictSame(lists, ['refund'], 'the list of all that have it is not read');
    t.strictSame(common, rare);
    t.ok((common[0] ?? 0) > (common[1] ?? 0) && (common[1] ?? 0) > 0);
    t.equal(common[2], 0);
  },
);
