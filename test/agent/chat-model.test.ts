import t from 'tap';
import { addUsage, NO_USAGE } from '../../src/agent/chat-model.ts';

t.test('the cost of two replies is known if that of each is, or if one took nothing', async (t) => {
  const priced = { inputTokens: 10, outputTokens: 2, costUsd: 0.25 };
  const unpriced = { inputTokens: 5, outputTokens: 1 };
  t.same(addUsage(priced, priced), { inputTokens: 20, outputTokens: 4, costUsd: 0.5 });
  t.same(addUsage(NO_USAGE, priced), priced);
  t.same(addUsage(priced, NO_USAGE), priced);
  for (const [a, b] of [
    [priced, unpriced],
    [unpriced, priced],
  ] as const)
    t.same(addUsage(a, b), { inputTokens: 15, outputTokens: 3 });
});
