import fc from 'fast-check';
import t from 'tap';
import { counted, seconds } from '../../../src/cli/text/printable.ts';
import { printable } from '../../../src/core/printable.ts';

t.test('a text from the docs cannot steer the terminal', async (t) => {
  t.equal(printable('red \u001b[31m\u0007 text'), 'red \\x1b[31m\\x07 text');
  t.equal(printable('one\n two\tthree'), 'one two three');
  t.equal(printable('\u202egnp.exe'), '\\u202egnp.exe');
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(printable(text)),
    ),
  );
});

t.test('ordinary text of any script stays as it is', async (t) => {
  t.equal(printable('POST /v1/charges → Gebühr 料金 🙂'), 'POST /v1/charges → Gebühr 料金 🙂');
});

t.test('counts and times are written for people', async (t) => {
  t.equal(counted(1, 'document'), '1 document');
  t.equal(counted(0, 'document'), '0 documents');
  t.equal(seconds(418), '0.42 s');
});
