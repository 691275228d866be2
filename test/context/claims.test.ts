import fc from 'fast-check';
import t from 'tap';
import { canonicalText, claimsOf } from '../../src/context/claims/answer-claims.ts';
import { claimKey } from '../../src/context/claims/claim-key.ts';

function textsOf(answer: string): string[] {
  return claimsOf(answer).map(({ text }) => text);
}

t.test('sentences, items and rows are claims, each with its line', async (t) => {
  const answer = `# Keys

Keys are kept for 48 hours. They belong to an account.

- A key has at most 64 characters.
- \`GET\` ignores the header

| Event | Sent when |
|---|---|
| \`charge.failed\` | a charge was declined |
`;
  t.same(
    claimsOf(answer).map(({ line, text }) => [line, text]),
    [
      [3, 'Keys are kept for 48 hours.'],
      [3, 'Keys are kept for 48 hours. They belong to an account.'],
      [5, 'A key has at most 64 characters.'],
      [6, '`GET` ignores the header'],
      [10, 'Event, Sent when: `charge.failed` | a charge was declined'],
    ],
  );
});

t.test('code, questions, hedges and talk claim nothing', async (t) => {
  const answer = `Sure, happy to help!

Here is what I found:

I don't know how long refunds take. It might be five days. The sources do not say so. Do you need more?

\`\`\`js
keys.keep('48 hours');
\`\`\`

Let me know if you need anything else.
`;
  t.same(textsOf(answer), []);
});

t.test('a context that does not do something is no hedge', async (t) => {
  t.same(textsOf('A child context does not have access to the plugins of its grandchild.').length, 1);
});

t.test('a short item is read with what leads in to it', async (t) => {
  t.same(textsOf('A charge can be:\n\n- pending\n- succeeded\n'), [
    'A charge can be: pending',
    'A charge can be: succeeded',
  ]);
});

t.test('citations are taken off and kept', async (t) => {
  const [claim] = claimsOf(
    'Keys are kept for 48 hours [docs/idempotency.md:25](docs/idempotency.md#L25) (see adr/0001-keys.md:38).',
  );
  t.equal(claim?.text, 'Keys are kept for 48 hours.');
  t.same(claim?.citations, [
    { path: 'idempotency.md', line: 25 },
    { path: 'adr/0001-keys.md', line: 38 },
  ]);
  t.same(textsOf('Keys are kept for 48 hours [1][^2].'), ['Keys are kept for 48 hours.']);
});

t.test('what is claimed twice is claimed once', async (t) => {
  t.same(textsOf('Keys are kept for 48 hours. More is in the ADR. keys are kept  for 48 hours!').length, 2);
});

t.test('the key of a claim is the same whatever its case, white space and end', async (t) => {
  const key = claimKey('Keys are kept for `48` hours.');
  t.match(key, /^answers\/keys-are-kept-for-48-hours-[0-9a-f]{8}$/);
  t.equal(claimKey('  keys are  kept for 48 hours'), key);
  t.not(claimKey('Keys are kept for 24 hours.'), key);
});

t.test('any text gives claims, and each a key that memory takes', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (answer) => {
      for (const { text, line } of claimsOf(answer)) {
        const name = claimKey(text).split('/').at(-1) ?? '';
        if (line < 1 || canonicalText(text) === '' || Buffer.byteLength(name) > 255 || !name.isWellFormed())
          return false;
      }
      return true;
    }),
  );
  t.pass('none failed');
});

t.test('the same few words again and again claim nothing', async (t) => {
  t.same(claimsOf('a slow answer '.repeat(20)), []);
  t.same(claimsOf('Keys, keys, keys, keys, keys, keys, keys, keys and keys.'), []);
  const told =
    'A Charge belongs to a Customer, and a Refund belongs to a Charge, and a Dispute belongs to a Charge.';
  t.same(
    claimsOf(told).map(({ text }) => text),
    [told],
  );
});
