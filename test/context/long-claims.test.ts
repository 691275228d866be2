import t from 'tap';
import { claimsOf } from '../../src/context/claims/answer-claims.ts';
import { statementsOfSources } from '../../src/context/claims/source-statements.ts';
import { cpuMsOf, leastCpuMsOf } from '../support/cpu-time.ts';

const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'question marks that end nothing': (length) => `Is it so ${'?'.repeat(length)}a`,
  'question marks apart that end nothing': (length) => `Is it so ${'?-'.repeat(length / 2)}a`,
  'colons that end nothing': (length) => `Say ${':-'.repeat(length / 2)}a is so.`,
  'dots that end nothing': (length) => `Say ${'.'.repeat(length)}a is so.`,
  'a wide gap': (length) => `Say${' '.repeat(length)}that it is so.`,
  'numbers and no end': (length) => `Say ${'12 '.repeat(length / 3)} is so.`,
  'numbers with units and no end': (length) => `Say ${'one hour '.repeat(length / 9)} is so.`,
  'a name with a capital and no end': (length) => `say ${'Kiln '.repeat(length / 5)} is so.`,
  'no, and no end': (length) => `say ${'no '.repeat(length / 3)} is so.`,
  'identifiers and no end': (length) => `say ${'a.b '.repeat(length / 4)} is so.`,
  'code that nobody ends': (length) => `Say \`so. ${'the kiln is hot. '.repeat(length / 17)}`,
  'short items in a row': (length) => `${'See 1. '.repeat(length / 7)}`,
  'sentences on lines of their own': (length) => `${'The kiln is hot.\n'.repeat(length / 17)}`,
  'sentences that begin with a pronoun': (length) =>
    `The kiln is hot. ${'It is kept then. '.repeat(length / 17)}`,
  'citations on one line': (length) => `${'Kilns are hot (docs/a.md:3). '.repeat(length / 29)}`,
};

/** Far more than is needed; what is read again from each place takes 64 times as long, and more. */
const MOST_TIMES = 8 * 4;

t.test('what is long in one line takes time in proportion to its length', async (t) => {
  for (const [what, textOf] of Object.entries(TEXTS)) {
    const read = (length: number) => () => readAsBoth(textOf(length));
    cpuMsOf(read(1_000));
    const limit = Math.max(cpuMsOf(read(5_000)), cpuMsOf(read(5_000)), 5) * MOST_TIMES;
    const long = leastCpuMsOf(read(40_000), { times: 2, limitMs: limit });
    t.ok(long < limit, `${what}: ${long.toFixed(1)} ms of ${limit.toFixed(1)}`);
  }
});

function readAsBoth(text: string): void {
  claimsOf(text);
  statementsOfSources([{ path: '/docs/a.md', line: 1, title: 'A', headings: [], text }]);
}
