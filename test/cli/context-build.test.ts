import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { kgraphfs } from './run-cli.ts';
import { runHere } from './run-here.ts';

/** One for all: they only read. */
const PROJECT = ['--docs', 'docs/sample', '--state', join(temporaryFolder(t), 'state')];
const context = (...args: string[]) => runHere(['context', ...args, ...PROJECT]);

t.test('a context says its facts, its passages and, as JSON, why', async (t) => {
  // In processes of their own, which have nothing of each other but what is kept.
  const context = (...args: string[]) => kgraphfs(['context', ...args, ...PROJECT]);
  const question = 'How does a subscription renewal create a charge and trigger a webhook?';
  const { status, out, err } = context('build', question, '--budget', '1500');
  t.equal(status, 0, err);
  t.match(out, '- Subscription → Invoice → Charge → charge.succeeded');
  t.match(out, '### docs/charges/create.md:');
  const json = context('build', question, '--budget', '1500', '--json').out;
  const manifest: { text: string; tokens: number } = JSON.parse(json);
  t.equal(manifest.text, out);
  t.match(manifest, {
    question,
    budget_tokens: 1500,
    tokenizer: 'o200k_base',
    named: ['Subscription', /charge/i, 'Webhook'],
    paths: [
      {
        nodes: ['Subscription', 'Invoice', 'Charge', 'charge.succeeded'],
        steps: [{ edge_type: 'generates' }],
      },
    ],
    selected: [{ kind: 'document', trust: 0.8, form: 'whole', end_line: Number }],
  });
  t.ok(manifest.tokens <= 1500);
  const withoutTime = (text: string) => text.replace(/"duration_ms": \d+/, '');
  const again = context('build', question, '--budget', '1500', '--json').out;
  t.equal(withoutTime(again), withoutTime(json), 'the same bytes, but for the time it took');
  const history: { path: string }[] = JSON.parse(context('history', '--json', '--type', 'read').out);
  t.ok(history.some(({ path }) => path === `/context/for/${question}`));
});

t.test('hints narrow a context down, and what is no hint is said', async (t) => {
  const selected = async (...args: string[]): Promise<{ path: string }[]> =>
    JSON.parse((await context('build', 'refund', '--json', ...args)).out).selected;
  const paths = (await selected('--path', '/docs/charges', '--include', 'document')).map(({ path }) => path);
  t.ok(paths.length > 0 && paths.every((path) => path.startsWith('/docs/charges/')), String(paths));
  t.same(await selected('--include', 'memory'), []);
  for (const [args, message] of [
    [['--budget', '0'], /whole number from 1 on/],
    [['--budget', '-5'], /whole number from 1 on/],
    [['--budget', 'NaN'], /whole number from 1 on/],
    [['--budget', '99999999'], /from 1 to 1,000,000/],
    [['--include', 'pictures'], /not one of document, node, memory, history/],
    [['--scope', '/nothing'], /ENOENT: \/nothing: .*--scope takes one of it/],
    [['--path', '/docs', '--path', 'nothing'], /ENOENT: \/nothing: .*--path takes one of it/],
    [['--type', 'nope'], /--type: "nope" is not one of .*APIObject.*fact/],
    [['--type', 'endpoint,evnt'], /"evnt" is not one of .*did you mean Event\?/],
  ] as const) {
    const { status, err } = await context('build', 'refund', ...args);
    t.not(status, 0, String(args));
    t.match(err, message);
  }
  for (const type of ['Endpoint', 'endpoint', 'document'])
    t.equal((await context('build', 'refund', '--type', type)).status, 0, type);
  t.match((await context('build', ' ')).err, /needs a question/);
});

t.test('a question that nothing answers has a context that says so', async (t) => {
  const { status, out } = await context('build', 'xyzzyx qwrtzk');
  t.same([status, out], [1, 'Nothing was found for this question.\n']);
});

t.test('a summary is found by the path in the mount, and by that in the docs', async (t) => {
  const { out } = await context('summary', 'docs/webhooks');
  t.match(out, /^# docs\/webhooks\/\n\nSummary of \d+ documents/);
  for (const path of ['/docs/webhooks/', 'webhooks'])
    t.equal((await context('summary', path)).out, out, path);
  t.match(JSON.parse((await context('summary', 'errors.md', '--json')).out), {
    path: '/docs/errors.md',
    text: /^# Errors/,
  });
  t.match((await context('summary', '/')).out, /^# docs\/\n/);
  t.match(await context('summary', 'nope'), { status: 1, err: /nope: there is no document or folder/ });
});
