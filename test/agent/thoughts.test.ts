import fc from 'fast-check';
import t from 'tap';
import { Thoughts } from '../../src/agent/thoughts.ts';

/** What is left of an answer that comes in these parts. */
function saidOf(parts: readonly string[]): string {
  const thoughts = new Thoughts();
  return [...parts.map((part) => thoughts.take(part)), thoughts.end()].join('');
}

t.test('thoughts before an answer are no part of it, however the parts are cut', async (t) => {
  const answers = [
    ['<think>\nThe user asks {"nodes"}\n</think>\n\nAn answer.', 'An answer.'],
    ['  <thinking>hm</thinking>An answer.', 'An answer.'],
    ['<think></think>\n{"nodes": []}', '{"nodes": []}'],
    ['<think>never ends', ''],
    ['An answer about <think> and </think>.', 'An answer about <think> and </think>.'],
    ['<thin ice>', '<thin ice>'],
    ['<thi', '<thi'],
    ['', ''],
    ['  \n', '  \n'],
  ] as const;
  for (const [text, said] of answers) {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), text.length];
        t.equal(saidOf(places.slice(1).map((place, index) => text.slice(places[index], place))), said);
      }),
      { numRuns: 30 },
    );
  }
});
