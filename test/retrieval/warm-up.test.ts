import t from 'tap';
import { searched } from './searched.ts';

const PAGES = {
  'refunds.md': '# Refunds\n\nA refund gives money back to the customer.\n',
  'disputes.md': '# Disputes\n\nThe bank of the cardholder takes the amount away.\n',
};

t.test('what makes search quick is no question, and changes no answer', async (t) => {
  const cold = await searched(t, PAGES);
  const warm = await searched(t, PAGES);
  await all(warm.app.search.warmUps());
  t.equal(warm.app.search.figures().questions, 0);
  const question = 'Who takes the amount of a refund?';
  const scores = async ({ ask }: typeof warm) => (await ask(question)).hits.map(({ score }) => score);
  t.strictSame(await warm.paths(question), await cold.paths(question));
  t.strictSame(await scores(warm), await scores(cold));
});

t.test('search is made quick where there is nothing to be found, too', async (t) => {
  const { app } = await searched(t, {});
  await all(app.search.warmUps());
  t.equal(app.search.figures().questions, 0);
});

t.test('hits without what they say are the same hits', async (t) => {
  const { ask } = await searched(t, PAGES);
  const question = 'Who takes the amount of a refund?';
  const { hits } = await ask(question);
  const bare = await ask(question, { snippets: false });
  t.ok(hits.length > 0 && hits.every(({ snippet }) => snippet !== ''));
  t.strictSame(
    bare.hits,
    hits.map(({ snippetLine: _, ...hit }) => ({ ...hit, snippet: '' })),
  );
});

t.test('what must stand in a hit is looked for without snippets, too', async (t) => {
  const { ask } = await searched(t, PAGES);
  const { hits } = await ask('amount refund', {
    snippets: false,
    contains: 'takes the amount',
    scope: '/docs',
  });
  t.strictSame(
    hits.map(({ path }) => path),
    ['/docs/disputes.md'],
  );
});

async function all(steps: Iterator<unknown>): Promise<void> {
  for (let step = steps.next(); step.done !== true; step = steps.next()) await step.value;
}
