import fc from 'fast-check';
import t from 'tap';
import { nearest } from '../../src/text/near.ts';
import { NearNames } from '../../src/text/near-names.ts';

/** Few letters, so that many names are near one another. */
const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', '-'), minLength: 1, maxLength: 16 });

/** Enough questions that there is an index. */
const MANY = 40;

t.test('of many names the same is nearest as when all are looked through', async (t) => {
  await fc.assert(
    fc.property(
      fc.uniqueArray(name, { maxLength: 30 }),
      fc.array(name, { minLength: MANY, maxLength: MANY }),
      (names, asked) => {
        const near = new NearNames(names);
        t.same(
          asked.map((one) => near.nearestTo(one, asked[0])),
          asked.map((one) =>
            nearest(
              one,
              names.filter((other) => other !== asked[0]),
            ),
          ),
        );
      },
    ),
    { numRuns: 300 },
  );
});

t.test('few of many names are held against one', async (t) => {
  const count = 2_000;
  const titled = Array.from(
    { length: count },
    (_, at) => `${word(at * 7)}-${word(at * 31)}-${word(at * 97)}-${at}`,
  );
  const numbered = Array.from({ length: count }, (_, at) => `page-${at}`);
  for (const names of [titled, numbered]) {
    const near = new NearNames(names);
    let looks = 0;
    for (const one of names) looks += [...near.candidates(1, one.replace(/.$/, 'x'))].length;
    t.ok(looks < (count * count) / 6, `${looks} looks for ${count} of ${count} names`);
  }
});

function word(at: number): string {
  return (
    ['charge', 'refund', 'ledger', 'bucket', 'tenant', 'policy', 'stream', 'quota', 'token'][at % 9] ?? ''
  );
}

t.test('letters that changed places are no less than one change each', async (t) => {
  t.equal(nearest('baking', ['bakign']), 'bakign');
  t.equal(nearest('overview', ['voerveiw']), 'voerveiw');
  // Shifted by one, which is two changes and not four that count half.
  t.equal(nearest('xaxa', ['axax']), undefined);
  t.equal(nearest('xaxa', ['axax', 'xaxb']), 'xaxb');
});
