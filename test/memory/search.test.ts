import t from 'tap';
import type { OpenMemory } from '../../src/memory/open-memory.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { CONTEXT, fact, remembering, set, write } from './fixture.ts';

function found(memory: OpenMemory, text: string, limit = 10): string[] {
  return memory.search({ text, limit }).map(({ type, key }) => `${type}/${key}`);
}

t.test('an entry is found by any words of it, in any case, anywhere in a word', async (t) => {
  const { memory, files } = remembering(t);
  write(files, fact('refunds'), 'Payment info\nRefunds TAKE 5 days (Überweisung)\n');
  write(files, fact('payouts'), 'Payouts take 7 days\n');
  t.same(
    memory.search({ text: 'refunds', limit: 10 }).map(({ score: _, ...hit }) => hit),
    [
      {
        type: 'fact',
        key: 'refunds',
        path: 'memory/fact/refunds',
        line: 2,
        kind: 'memory',
        snippet: 'Refunds TAKE 5 days (Überweisung)',
      },
    ],
  );
  t.same(found(memory, 'take DAYS fund'), ['fact/refunds']);
  t.same(found(memory, 'überweisung'), ['fact/refunds']);
  t.same(found(memory, 'days 7'), ['fact/payouts']);
  t.same(found(memory, '(üb'), ['fact/refunds']);
  t.same(found(memory, 'take 8'), []);
  t.same(found(memory, '%'), []);
  t.same(found(memory, '   '), []);
});

t.test('a hit is well-formed wherever its line is cut', async (t) => {
  const { memory, files } = remembering(t);
  write(files, fact('smiles'), `x${'\u{1F600}'.repeat(150)} end\n`);
  const [hit] = memory.search({ text: 'end', limit: 1 });
  t.equal(hit?.snippet, `x${'\u{1F600}'.repeat(99)}\ufffd`);
});

t.test('the key counts as said', async (t) => {
  const { memory, files } = remembering(t);
  write(files, fact('refunds'), '\nThey take 5 days\n');
  t.match(memory.search({ text: 'refunds', limit: 1 }), [{ line: 0, snippet: 'They take 5 days' }]);
  t.match(memory.search({ text: 'refunds days', limit: 1 }), [{ line: 2 }]);
});

t.test('what is written is found at once, and what is gone no more', async (t) => {
  const { memory, files } = remembering(t);
  write(files, fact('a'), 'alpha');
  t.same(found(memory, 'alpha'), ['fact/a']);
  write(files, fact('a'), 'beta');
  t.same(found(memory, 'alpha'), []);
  t.same(found(memory, 'beta'), ['fact/a']);
  files.rename(fact('a'), fact('gamma'), CONTEXT);
  t.same(found(memory, 'gamma'), ['fact/gamma']);
  files.remove(fact('gamma'), CONTEXT);
  t.same(found(memory, 'beta'), []);
});

t.test('best first: all words in one line, then the more of the text, then the latest', async (t) => {
  const { memory, files } = remembering(t);
  write(files, fact('apart'), 'refunds\nand\nalso\ndays\n');
  write(files, fact('long'), `refunds take days\n${'nothing\n'.repeat(50)}`);
  write(files, fact('short'), 'refunds take days\n');
  write(files, fact('later'), 'refunds in days\n');
  t.same(found(memory, 'refunds days'), ['fact/later', 'fact/short', 'fact/long', 'fact/apart']);
  const scores = memory.search({ text: 'refunds days', limit: 10 }).map(({ score }) => score);
  t.equal(scores[0], 1);
  t.ok(scores.every((score) => score > 0.5 && score <= 1));
  t.same(found(memory, 'refunds days', 2), ['fact/later', 'fact/short']);
});

t.test('superseded entries are found only by those who ask', async (t) => {
  const { memory, files } = remembering(t);
  write(files, fact('old'), 'Refunds take 5 days');
  write(files, fact('new'), '---\nsupersedes: old\n---\nRefunds take 6 days');
  t.same(found(memory, 'refunds'), ['fact/new']);
  t.same(
    memory.search({ text: 'refunds', limit: 5, superseded: true }).map(({ key }) => key),
    ['old', 'new'],
  );
  files.remove(fact('new'), CONTEXT);
  t.same(found(memory, 'refunds'), ['fact/old']);
});

t.test('what is no text is not searched', async (t) => {
  const { memory } = remembering(t);
  memory.add({ ...fact('image'), content: Buffer.from('refunds\0') }, CONTEXT);
  t.same(found(memory, 'refunds'), []);
});

t.test('metadata is not what is searched', async (t) => {
  const { memory, files } = remembering(t);
  write(files, fact('a'), 'alpha');
  set(files, fact('a'), 'tags', 'refunds');
  t.same(found(memory, 'refunds'), []);
});

t.test('what was remembered long before all others is found among them', async (t) => {
  const { memory, files } = remembering(t);
  write(files, fact('first'), 'refunds');
  const many = Array.from({ length: 1200 }, (_, number) => ({
    ...fact(`note-${number}`),
    content: Buffer.from('about\nrefunds\nand charges'),
  }));
  memory.addAll(many, CONTEXT);
  t.same(found(memory, 'refunds', 1), ['fact/first']);
  const keys = found(memory, 'refunds', 5000);
  t.equal(new Set(keys).size, 1201);
  t.equal(keys.length, 1201, 'each once');
});

t.test('ten thousand entries are searched in less than 50 ms', async (t) => {
  const { memory } = remembering(t);
  const words = ['refund', 'charge', 'payout', 'dispute', 'invoice', 'ledger', 'webhook', 'customer'];
  const entries = Array.from({ length: 10_000 }, (_, number) => {
    const line = (part: number): string =>
      `${words[(number + part) % 8]} ${number * part} of ${words[(number * part) % 8]}`;
    const text = Array.from({ length: 10 }, (_, part) => line(part)).join('\n');
    return { ...fact(`note-${number}`), content: Buffer.from(text) };
  });
  memory.addAll(entries, CONTEXT);
  for (const text of ['refund dispute', '99990', 'nothing like this', 'note', 'e']) {
    memory.search({ text, limit: 10 });
    const times = Array.from({ length: 5 }, () => cpuMsOf(() => memory.search({ text, limit: 10 })));
    const best = Math.min(...times);
    t.comment(`${text}: ${best} ms`);
    t.ok(best < 50, `${text}: ${best} ms`);
  }
});
