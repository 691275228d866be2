import t from 'tap';
import { weightByTitle } from '../../src/retrieval/change-logs.ts';
import type { Corpus } from '../../src/retrieval/corpus.ts';
import { termsOf } from '../../src/words/tokens.ts';

interface Place {
  readonly name?: Corpus['name'];
  readonly headings?: string;
}

function weigh(question: string, title: string, { name = 'docs', headings = '' }: Place = {}): number {
  const asked = termsOf(question).map((term) => ({ word: term, term, weights: new Map([[term, 1]]) }));
  return weightByTitle(asked)({ name }, { titleTerms: termsOf(title).join(' '), headings });
}

t.test('pages that tell of releases count less', async (t) => {
  const titles = [
    'Changelog',
    'CHANGELOG',
    'Change Log',
    'Release notes',
    'Changelog of the client',
    'v2.4 to 2.5',
  ];
  for (const title of [...titles, 'Release 25.1.0', 'Version 3', '1.20.3', 'Upgrading to v3'])
    t.equal(weigh('how do I delete a user', title), 0.5, title);
});

t.test('others do not', async (t) => {
  const titles = [
    'Change a plan',
    'Log in',
    'Releases',
    'OAuth 2.0',
    '2024-01-31',
    '429',
    '24/7',
    'Notes',
    'v3 API',
    '',
  ];
  for (const title of titles) t.equal(weigh('how do I delete a user', title), 1, title);
  t.equal(weigh('how do I delete a user', 'Changelog', { name: 'memory' }), 1);
});

t.test('nor any where changes are asked for', async (t) => {
  for (const question of [
    'since when can users be deleted',
    'which version has teams',
    'what has changed',
    'new in 2.1',
  ])
    t.equal(weigh(question, 'Changelog'), 1, question);
});

t.test('what stands below the heading of a release counts less, whatever the page is called', async (t) => {
  const headings = [
    'Kiln Edition 5 › 5.0.21 › Fixes',
    'v1.2.0',
    '[1.2.0] - 2031-05-02 › Added',
    'Version 1.2.0 (May 2, 2031)',
    'e5.8.1-rc.2 › Fixes',
    '1.2.0 (2 May 2031)',
    '1.2.0 - Sept. 30',
    '1.2.0 (2031)',
    '[1.2.0] - Unreleased › Added',
  ];
  for (const heading of headings)
    t.equal(weigh('how do I delete a user', 'Kiln Edition 5', { headings: heading }), 0.5, heading);
  t.equal(weigh('which version deletes users', 'Kiln Edition 5', { headings: 'v1.2.0' }), 1);
  for (const heading of [
    '3.2.1 Order of frames',
    '3.2.1 - Order of frames',
    '3.2.1 Step 4',
    '3.2.1: OAuth 2 and later',
    '3.2.1 5 ways to pay',
    '3.2.1 2048-bit keys',
    '3.2.1 Latest values',
    '3.2.1 Decoder 5',
    '10.0.0.1',
    '1.2',
    'Since 1.2.0',
    'Fixes',
  ])
    t.equal(weigh('how do I delete a user', 'Kiln', { headings: heading }), 1, heading);
});
