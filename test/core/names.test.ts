import fc from 'fast-check';
import t from 'tap';
import { decodeName, encodeName } from '../../src/core/names.ts';

t.test('a name reads back as the label it was written for, unless it was cut', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (label) => {
      const name = encodeName(label);
      return /~[0-9a-f]{8}$/.test(name) || decodeName(name) === label;
    }),
    { numRuns: 1000 },
  );
  t.equal(decodeName(encodeName('100%2F')), '100%2F');
});

t.test('a name that no label was written for is returned as it is', async (t) => {
  for (const name of ['%FF', 'a%C3', '%C3%A9%FF', '%E2%98 %85', '50%', '%2f'])
    t.equal(decodeName(name), name);
});

t.test('a name can always be a file name', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (label) => {
      const name = encodeName(label);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
      return Buffer.byteLength(name) <= 255 && name !== '' && !/[/\u0000-\u001f\u007f]|^\./.test(name);
    }),
    { numRuns: 1000 },
  );
});

t.test('what the contract shows', async (t) => {
  t.equal(encodeName('POST /v1/charges'), 'POST %2Fv1%2Fcharges');
  t.equal(encodeName('.hidden'), '%2Ehidden');
  t.equal(encodeName('Café ☕'), 'Café ☕');
  t.not(encodeName(`${'é'.repeat(300)}a`), encodeName(`${'é'.repeat(300)}b`), 'long labels do not meet');
});
