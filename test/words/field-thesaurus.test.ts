import t from 'tap';
import { withFieldWords } from '../../src/words/field-thesaurus.ts';
import { FIELD_WORDS } from '../../src/words/field-words.ts';
import type { Thesaurus } from '../../src/words/thesaurus.ts';

const general: Thesaurus = {
  related: (word) =>
    new Map(
      word === 'charge'
        ? [
            ['accusation', 0.8],
            ['debit', 0.9],
          ]
        : [],
    ),
  close() {},
};

t.test('words of one line are near each other, in any form', async (t) => {
  const { related } = withFieldWords(general);
  t.ok(related('throttled').has('rate limit'));
  t.ok(related('webhooks').has('callback'));
  t.notOk(related('throttled').has('throttled'));
  t.ok(related('lost').has('forgot'));
  t.ok(related('Microsoft').has('windows'));
});

t.test('what a dictionary says stays, and the nearer of both counts', async (t) => {
  const near = withFieldWords(general).related('charge');
  t.equal(near.get('accusation'), 0.8);
  t.equal(near.get('debit'), 0.9);
  t.equal(near.get('collect'), 0.5);
});

t.test('a word of no line has what the dictionary says', async (t) => {
  t.equal(withFieldWords(general).related('zebra').size, 0);
});

t.test('each line has two members at least, each once, in lower case', async (t) => {
  for (const line of FIELD_WORDS.trim().split('\n')) {
    const members = line.split(', ');
    t.ok(members.length > 1, line);
    t.equal(new Set(members).size, members.length, line);
    t.match(line, /^[a-z0-9 ,-]+$/);
  }
});
