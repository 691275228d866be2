import t from 'tap';
import type { Corpus } from '../../src/retrieval/corpus.ts';
import { respellingIn } from '../../src/retrieval/respelling.ts';
import { stemOf } from '../../src/words/tokens.ts';

/** @param words of the docs, and how many passages have them */
function standsFor(
  word: string,
  words: Readonly<Record<string, number>>,
  dictionary: readonly string[] = [],
) {
  const frequencies = new Map(Object.entries(words).map(([one, frequency]) => [stemOf(one), frequency]));
  const corpus: Pick<Corpus, 'frequency' | 'termsWith'> = {
    frequency: (term) => frequencies.get(term) ?? 0,
    termsWith: (beginning) =>
      [...frequencies].flatMap(([term, frequency]) =>
        term.startsWith(beginning) ? [{ term, frequency }] : [],
      ),
  };
  return [...respellingIn([corpus], (one) => dictionary.includes(one))(word, stemOf(word)).keys()];
}

t.test('a word with one mistake stands for the one that was meant, though their stems differ', async (t) => {
  const docs = { literal: 3, application: 5, methods: 2, ternary: 1, library: 4, glaze: 1 };
  for (const [wrong, right] of [
    ['liteeral', 'literal'],
    ['applicaton', 'application'],
    ['methdos', 'methods'],
    ['teranry', 'ternary'],
    ['librayr', 'library'],
    ['kibrary', 'library'],
    ['ilteral', 'literal'],
    ['pplications', 'application'],
    ['xglaze', 'glaze'],
  ] as const)
    t.same(standsFor(wrong, docs), [stemOf(right)], wrong);
});

t.test('of several, the most frequent is meant, but a short word stands for none of them', async (t) => {
  t.same(standsFor('servr', { server: 9, serve: 1 }), ['server']);
  t.same(standsFor('servr', { server: 1, serve: 9 }), ['serv']);
  t.same(standsFor('mapd', { maps: 1, mapy: 1, made: 9 }), []);
  t.same(standsFor('bakw', { bake: 1 }), [stemOf('bake')]);
});

t.test('the first letter of a short word is right', async (t) => {
  t.same(standsFor('redis', { fedis: 2 }), []);
  t.same(standsFor('fastly', { lastly: 2 }, ['fastly']), [], 'and all of a word of the dictionary');
});

t.test('two mistakes are found if the first letters are right', async (t) => {
  t.same(standsFor('kubernets', { kubernetes: 1 }), ['kubernet']);
  t.same(standsFor('kuberntis', { kubernetes: 1 }), ['kubernet']);
});
