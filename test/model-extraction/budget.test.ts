import t from 'tap';
import { Budget } from '../../src/model-extraction/budget.ts';

t.test('nothing is reserved that could take more tokens than are allowed in all', async (t) => {
  const budget = new Budget({ maxTokens: 3000 });
  const first = budget.reserve(1000);
  if (typeof first !== 'object') throw new Error('there is enough');
  t.equal(first.outputTokens, 2000, 'the answer may be as long as the rest');
  t.equal(budget.reserve(1000), 'wait', 'the first may leave some');
  budget.settle(first, { inputTokens: 1000, outputTokens: 100 });
  t.match(budget.reserve(1000), { inputTokens: 1000, outputTokens: 900 });
  t.equal(new Budget({ maxTokens: 1100 }).reserve(1000), 'max_tokens');
});

t.test('cost is what the API says, else what the price makes of the tokens, else unknown', async (t) => {
  const usage = { inputTokens: 1_000_000, outputTokens: 1000 };
  const spend = (budget: Budget, costUsd?: number) => {
    const reserved = budget.reserve(10);
    if (typeof reserved !== 'object') throw new Error('there is enough');
    budget.settle(reserved, costUsd === undefined ? usage : { ...usage, costUsd });
    return budget.costUsd;
  };
  t.equal(spend(new Budget({}), 0.25), 0.25);
  t.equal(spend(new Budget({ price: { input: 3, output: 15 } })), 3.015);
  t.equal(spend(new Budget({})), undefined);
});

t.test('a request is not sent whose answer could cost more than is left', async (t) => {
  const budget = new Budget({ maxCostUsd: 0.01, price: { input: 3, output: 15 } });
  const reserved = budget.reserve(1000);
  if (typeof reserved !== 'object') throw new Error('there is enough');
  t.equal(reserved.outputTokens, 466, '7 thousandths of a dollar by 15 a million');
  budget.settle(reserved, { inputTokens: 1000, outputTokens: 466 });
  t.equal(budget.reserve(1000), 'max_cost');
});
