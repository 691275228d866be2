import t from 'tap';
import { NOTHING, subject } from './ask-subject.ts';

t.test('a limit of tokens is not exceeded, and what is left is told', async (t) => {
  const { server, ask } = await subject(t, 30);
  server.otherwise(() => ({ ...NOTHING, usage: { prompt_tokens: 800, completion_tokens: 200 } }));
  const report = await ask({ limits: { maxTokens: 6000 } });
  t.equal(report.stoppedBy, 'max_tokens');
  t.ok(report.inputTokens + report.outputTokens <= 6000);
  t.ok(report.answered >= 3, `${report.answered} answered`);
  t.equal(report.left, 30 - report.answered);
  t.match(await ask(), { cached: report.answered, answered: report.left });
});

t.test('a limit of cost is not exceeded', async (t) => {
  const { server, ask } = await subject(t, 30);
  server.otherwise(() => ({ ...NOTHING, usage: { prompt_tokens: 1000, completion_tokens: 200 } }));
  const report = await ask({ limits: { maxCostUsd: 0.05, price: { input: 3, output: 15 } } });
  t.equal(report.stoppedBy, 'max_cost');
  t.ok((report.costUsd ?? 1) <= 0.05);
  t.ok(report.answered > 0);
});

t.test(
  'what answers no use took counts, too: what the API says of it, else all that it could be',
  async (t) => {
    const { server, ask } = await subject(t, 30);
    server.otherwise(() => ({ text: '', usage: { prompt_tokens: 800, completion_tokens: 200 } }));
    const told = await ask({ limits: { maxTokens: 6000 } });
    t.match(told, { answered: 0, stoppedBy: 'max_tokens' });
    t.equal((told.inputTokens + told.outputTokens) % 1000, 0);
    t.ok(told.inputTokens >= 800 && told.inputTokens + told.outputTokens <= 6000);
    server.otherwise(() => ({ kind: 'break-off' }));
    const untold = await ask({ limits: { maxTokens: 6000 } });
    t.match(untold, { answered: 0, stoppedBy: 'max_tokens' });
    t.ok(untold.outputTokens > 0 && untold.inputTokens + untold.outputTokens <= 6000);
  },
);

t.test('an API that counts no tokens is taken to have used all that each request may', async (t) => {
  for (const usage of [{}, { prompt_tokens: 0, completion_tokens: 0 }]) {
    const { server, ask } = await subject(t, 30);
    server.otherwise(() => ({ ...NOTHING, usage }));
    const byTokens = await ask({ limits: { maxTokens: 20_000 } });
    t.match(byTokens, { stoppedBy: 'max_tokens', costUsd: undefined });
    t.ok(byTokens.answered > 0 && byTokens.left > 0);
    t.ok(byTokens.outputTokens > 0 && byTokens.inputTokens + byTokens.outputTokens <= 20_000);
    const byCost = await ask({ limits: { maxCostUsd: 0.2, price: { input: 3, output: 15 } } });
    t.equal(byCost.stoppedBy, 'max_cost');
    t.ok(byCost.answered > 0 && byCost.left > 0);
    t.ok((byCost.costUsd ?? 0) > 0 && (byCost.costUsd ?? 1) <= 0.2);
  }
});

t.test('an API that knows no form of an answer is told all the same how long it may be', async (t) => {
  const { server, ask } = await subject(t, 30);
  server.otherwise((seen) => {
    if ('response_format' in seen) return { status: 400, message: 'no such field' };
    const most = typeof seen['max_tokens'] === 'number' ? seen['max_tokens'] : 20_000;
    return { ...NOTHING, usage: { prompt_tokens: 1000, completion_tokens: most } };
  });
  const report = await ask({ limits: { maxTokens: 30_000 } });
  t.equal(report.stoppedBy, 'max_tokens');
  t.ok(report.answered > 0);
  t.ok(report.inputTokens + report.outputTokens <= 30_000);
});

t.test('an API that takes no limit of the length either is asked without', async (t) => {
  const { server, ask } = await subject(t, 2);
  server.otherwise((seen) => ('max_tokens' in seen ? { status: 400, message: 'no such field' } : NOTHING));
  t.match(await ask({ concurrency: 1 }), { answered: 2, failed: 0, requests: 5 });
});

t.test('an answer that a limit cut off is not kept for all of it', async (t) => {
  const { server, kept, ask } = await subject(t, 3);
  const half = { delta: { content: '{"nodes": [], "edges": [{"source": "A' }, finish_reason: 'length' };
  const parts = [{ choices: [half] }, { choices: [], usage: { prompt_tokens: 900, completion_tokens: 700 } }];
  server.otherwise(() => ({ parts }));
  const report = await ask({ limits: { maxTokens: 2000 }, concurrency: 1 });
  t.match(report, { answered: 0, failed: 0, left: 3, stoppedBy: 'max_tokens', outputTokens: 700 });
  t.equal(kept.size, 0);
  server.otherwise(() => NOTHING);
  server.script({ parts });
  t.match(await ask(), { answered: 3, repaired: 1 }, 'what is longer than any answer may be is mended');
});

t.test('a model that gives no answer of use is not asked about all documents', async (t) => {
  const { server, kept, ask } = await subject(t, 200);
  server.otherwise(() => ({ text: 'I would rather not.' }));
  const report = await ask();
  t.match(report, { answered: 0, stoppedBy: 'malformed', stopReason: /not JSON/ });
  t.ok(report.failed >= 5 && report.failed < 10, `${report.failed} failed`);
  t.equal(report.left, 200 - report.failed);
  t.equal(kept.size, 0);
  server.script(NOTHING, NOTHING, NOTHING);
  const later = await ask({ concurrency: 1 });
  t.match(later, { answered: 3, failed: 25, left: 172, stoppedBy: 'malformed' }, 'one that did is not');
  t.equal(kept.size, 3, 'what was answered is kept');
});

t.test('a model that fails at every other document is asked about all', async (t) => {
  const { server, ask } = await subject(t, 60);
  let count = 0;
  server.otherwise(() => {
    count += 1;
    return count % 2 === 0 ? { text: 'No.' } : NOTHING;
  });
  t.match(await ask({ concurrency: 1 }), { answered: 30, failed: 30, left: 0, stoppedBy: undefined });
});
