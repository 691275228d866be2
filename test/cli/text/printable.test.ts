import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import t from 'tap';
import { seconds } from '../../../src/cli/text/printable.ts';
import { counted } from '../../../src/text/counted.ts';
import { printable, printableName } from '../../../src/text/printable.ts';

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

t.test('a name with control characters is shown as a shell takes it', async (t) => {
  t.equal(printableName('docs/new\nline.md'), "$'docs/new\\nline.md'");
  t.equal(printableName("it's a\\b\t.md"), "$'it\\'s a\\\\b\\t.md'");
  t.equal(printableName('\u001b[31m\u009b\u202e'), "$'\\x1b[31m\\u009b\\u202e'");
  const names = fc.string({ unit: 'binary', minLength: 1 }).filter((name) => !/\0|\p{Cs}/u.test(name));
  fc.assert(fc.property(names, (name) => !/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(printableName(name))));
});

t.test('what a shell makes of a shown name is the name', async (t) => {
  const names = ['new\nline', "a\\n'\n'", '\u001bab\u007f1', '\u0085é\u202e料金'];
  const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${names.map(printableName).join(' ')}`], {
    env: { LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  });
  t.same(stdout.split('\0').slice(0, -1), names);
});

t.test('any other name stays as it is', async (t) => {
  for (const name of ['a  b.md', 'App\\Models', "it's", ' POST /v1/charges', '料金 🙂'])
    t.equal(printableName(name), name);
});

t.test('counts and times are written for people', async (t) => {
  t.equal(counted(1, 'document'), '1 document');
  t.equal(counted(0, 'document'), '0 documents');
  t.equal(seconds(418), '0.42 s');
});
