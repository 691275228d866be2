import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import t from 'tap';
import { CHARACTER_COUNTER, loadTokenCounter } from '../../src/context/tokens.ts';
import { cpuMs } from '../support/cpu-time.ts';

t.test('a text is counted as the encoding counts it', async (t) => {
  const counter = await loadTokenCounter('cl100k_base');
  t.equal(counter.name, 'cl100k_base');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      t.equal(counter.count(text), countTokens(text, { disallowedSpecial: new Set() }));
    }),
    { numRuns: 50 },
  );
});

t.test('special tokens are plain text', async (t) => {
  const counter = await loadTokenCounter();
  t.equal(counter.name, 'o200k_base');
  t.ok(counter.count('a <|endoftext|> b') > 5);
});

t.test('a run that would take long counts as its bytes, which are never fewer than its tokens', async (t) => {
  const counter = await loadTokenCounter('cl100k_base');
  const blob = 'é'.repeat(100_000);
  const startedMs = cpuMs();
  t.equal(counter.count(blob), 200_000);
  t.ok(cpuMs() - startedMs < 1000, 'and takes no time');
  const run = 'ab'.repeat(1000);
  t.ok(counter.count(`x ${run} y`) >= countTokens(`x ${run} y`));
});

t.test('without a table four characters are a token', async (t) => {
  t.equal(CHARACTER_COUNTER.count('12345'), 2);
  t.equal(CHARACTER_COUNTER.count(''), 0);
});
