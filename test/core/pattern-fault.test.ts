import t from 'tap';
import { patternFault } from '../../src/core/pattern-fault.ts';
import { cpuMsOf } from '../support/cpu-time.ts';

t.test('a pattern that can fit nothing is told, and others are not', async (t) => {
  for (const pattern of ['[', 'a[b', '[]', '[!]', 'x/[a-z', '[[:alpha:]/', '[a\\]'])
    t.match(patternFault(pattern), /its "\[" is never closed.* "\\\\\[" /, pattern);
  for (const pattern of ['{a,b', 'x/*.{md,mdx', '{a,b}{c,d'])
    t.match(patternFault(pattern), /its "\{" is never closed/, pattern);
  t.match(patternFault('a\\'), /nothing follows the "\\"/);
  const fine = [
    '[a-z]',
    '[!]]',
    '[]]',
    '[^]a]',
    '[[:alpha:]]',
    '[a\\]]',
    '\\[',
    'a\\\\',
    'a]',
    'a:{b',
    '*.{md,mdx}',
    '\\{a,b',
  ];
  for (const pattern of fine) t.equal(patternFault(pattern), undefined, pattern);
});

t.test('the answer about a costly pattern does not take long', async (t) => {
  const costly = ['[', '[a', '[:a:]', '{,', '\\', '[['].map((part) =>
    part.repeat(Math.floor(1000 / part.length)),
  );
  t.ok(cpuMsOf(() => costly.map((pattern) => patternFault(pattern))) < 500);
});
