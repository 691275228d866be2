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
      [3, 'Keys belong to an account.'],
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

t.test('a pronoun is resolved where one thing alone can be meant', async (t) => {
  const cases: readonly (readonly [answer: string, claim: string])[] = [
    [
      'A charge is captured within 7 days. Then it triggers `charge.succeeded`.',
      'Then a charge triggers `charge.succeeded`.',
    ],
    [
      'Idempotency keys are kept for 48 hours. Their length is at most 64 characters.',
      'The length of idempotency keys is at most 64 characters.',
    ],
    ['`charge.failed` is sent at once. It names the reason.', '`charge.failed` names the reason.'],
    [
      'The invoice is finalised after one hour. This invoice cannot be changed.',
      'The invoice cannot be changed.',
    ],
    [
      'Endpoints belong to an account. They are switched off after three days.',
      'Endpoints are switched off after three days.',
    ],
    [
      'Endpoints are slow. They fail. They are switched off after three days.',
      'Endpoints are switched off after three days.',
    ],
  ];
  for (const [answer, claim] of cases) t.equal(textsOf(answer).at(-1), claim);
});

t.test('a sentence with a pronoun that could mean several things claims nothing', async (t) => {
  const open: readonly string[] = [
    'A subscription renewal creates an invoice. It triggers `charge.succeeded`.',
    'The invoice is sent to the customer. It triggers `charge.succeeded`.',
    'Invoices create charges. They trigger webhooks.',
    'A renewal is billed in storage. It triggers `charge.succeeded`.',
    'The amount of a charge is fixed. It triggers `charge.succeeded`.',
    'An invoice is finalised. A charge is created. It triggers `charge.succeeded`.',
    'A charge is captured. This triggers `charge.succeeded`.',
    'A charge is captured. That is what triggers `charge.succeeded`.',
    'A charge is captured. Which triggers `charge.succeeded`.',
    'Charges and refunds are free. These trigger `charge.succeeded`.',
    'Charges are free. Both trigger `charge.succeeded`.',
    'Charges are free. It triggers `charge.succeeded`.',
    'The customers pay invoices. It triggers `charge.succeeded`.',
    'What of a charge? It triggers `charge.succeeded`.',
    'A charge is captured. It is possible to trigger `charge.succeeded`.',
  ];
  for (const answer of open) {
    t.same(
      textsOf(answer).filter((text) => /charge\.succeeded|webhooks/.test(text)),
      [],
      answer,
    );
  }
  t.same(textsOf('It triggers `charge.succeeded`.'), [], 'nothing stands before it');
  t.same(
    textsOf('- A renewal is billed monthly.\n- It triggers `charge.succeeded`.').length,
    1,
    'another item',
  );
});
