import t from 'tap';
import { z } from 'zod';
import { type ScriptedReply, type SeenChat, toolResults } from '../support/chat-server.ts';
import { askPlace } from './ask-place.ts';

const SEED = 'How does a subscription renewal create a charge and trigger a webhook?';
const KEYS = { 'keys.md': '# Keys\n\nIdempotency keys are kept for 48 hours.\n' };
const HOW_LONG = 'How long are idempotency keys kept?';

const neighboursSchema = z.object({
  node: z.string(),
  neighbours: z.array(z.object({ node: z.string(), edge_type: z.string(), evidence: z.array(z.string()) })),
});
const answerSchema = z.looseObject({
  answer: z.string(),
  traversal_log: z.array(z.object({ tool: z.string(), args: z.unknown(), result_summary: z.string() })),
  sources: z.array(z.string()),
});

/** A model that follows the graph from node to node as the tools show it, looks at each line, and then answers with these lines. */
function walkingModel(): ((seen: SeenChat) => ScriptedReply)[] {
  const steps: { from: string; edge: string; to: string; place: string }[] = [];
  const follow =
    (edgeType: string, to: RegExp) =>
    (seen: SeenChat): ScriptedReply => {
      const { node, neighbours } = neighboursSchema.parse(toolResults(seen).at(-1));
      const next = neighbours.find((one) => one.edge_type === edgeType && to.test(one.node));
      if (next === undefined) return { text: `from ${node} there is no ${edgeType}` };
      steps.push({ from: node, edge: edgeType, to: next.node, place: next.evidence[0] ?? '' });
      return { calls: [{ name: 'navigate', args: { node: next.node, direction: 'out' } }] };
    };
  return [
    () => ({ calls: [{ name: 'query_knowledge', args: { query: SEED, top_k: 3 } }] }),
    (seen) => {
      const [{ named = [] } = {}] = toolResults(seen);
      const start =
        z
          .array(z.string())
          .parse(named)
          .find((name) => /subscription/i.test(name)) ?? '';
      return { calls: [{ name: 'navigate', args: { node: start, direction: 'out' } }] };
    },
    follow('generates', /^Invoice$/),
    follow('generates', /^Charge$/),
    follow('triggers', /succeeded/),
    (seen) => {
      const { node, neighbours } = neighboursSchema.parse(toolResults(seen).at(-1));
      const webhook = neighbours.find((one) => one.node === 'Webhook');
      steps.push({ from: node, edge: 'triggers', to: 'Webhook', place: webhook?.evidence[0] ?? '' });
      return { calls: steps.map(({ place }) => ({ name: 'read', args: { path: place, lines: 1 } })) };
    },
    (seen) => {
      const lines = toolResults(seen).map(({ text }) => String(text));
      const said = steps.map(
        ({ place }, index) => `${index + 1}. ${lines[index]?.replace(/^[-*\s]+/, '')} [${place}]`,
      );
      return { text: `A renewal begins a billing period.\n\n${said.join('\n')}` };
    },
  ];
}

t.test('the seed question: a model goes from node to node, and its sources state each step', async (t) => {
  const { server, ask, lineAt, json } = await askPlace(t);
  server.script(...walkingModel());
  const { status, out, err } = await ask([SEED, '--json', '--docs', 'docs']);
  t.equal(status, 0, err);
  const answer = answerSchema.parse(JSON.parse(out));
  t.same(
    answer.traversal_log.map(({ tool }) => tool),
    ['query_knowledge', ...Array(4).fill('navigate'), ...Array(4).fill('read')],
  );
  const stated = [
    /Subscription.*generates.*Invoice/,
    /Invoice.*creates.*Charge/,
    /Charge.*triggers.*charge\.succeeded/,
    /webhook/i,
  ];
  t.equal(answer.sources.length, stated.length);
  for (const [index, pattern] of stated.entries()) t.match(lineAt(answer.sources[index] ?? ''), pattern);
  t.match(answer, {
    end: 'answered',
    model: 'a-model',
    session: 'cli',
    usage: { input_tokens: 700, output_tokens: 70, cost_usd: 0.007 },
    call: { command: 'ask', args: { question: [SEED] } },
    duration_ms: Number,
    revision: Number,
  });
  t.ok(server.requests[0]?.messages[1]?.content, 'the question comes with a context');

  const events = z
    .array(z.looseObject({ event_type: z.string(), actor: z.string(), data: z.looseObject({}) }))
    .parse(await json(['context', 'history', '--docs', 'docs']));
  const told = events.filter(({ event_type: type }) => ['question', 'tool', 'answer'].includes(type));
  t.same(
    told.map(({ event_type: type, actor }) => `${type} ${actor}`),
    ['question kgraphfs', ...Array(9).fill('tool a-model'), 'answer a-model'],
  );
  t.match(told[0]?.data, { turn: 1, question: SEED, conversation: /^ask-/ });
  t.match(told[1]?.data, {
    step: 1,
    tool: 'query_knowledge',
    args: { top_k: 3 },
    result: /named/,
    duration_ms: Number,
  });
  t.match(told.at(-1)?.data, { end: 'answered', sources: answer.sources, usage: { input_tokens: 700 } });
});

t.test('one project, many questions', async (t) => {
  const { server, ask, run, json, file } = await askPlace(t, KEYS);

  await t.test(
    'the answer is text with its sources, and what it claims is held against the docs',
    async (t) => {
      server.script({
        text: 'Idempotency keys are kept for 48 hours [keys.md:3]. A charge costs 9 cats [cats.md:1].',
      });
      const { status, out, err } = await ask([HOW_LONG]);
      t.equal(status, 0, err);
      t.equal(
        out,
        'Idempotency keys are kept for 48 hours [keys.md:3]. A charge costs 9 cats [cats.md:1].\n\nSources:\n- keys.md:3\n',
      );
      t.match(err, /cited, but never shown to the model: cats\.md:1/);
      t.match(
        err,
        /0 tool calls, 100 tokens in, 10 out, \$0\.0010; claims: 1 remembered as fact, 1 for review/,
      );
      t.match(
        await json(['context', 'memory', 'list']),
        [
          { memory_type: 'fact', tags: { length: 0 }, actor: 'kgraphfs', source_paths: ['keys.md:3'] },
          { memory_type: 'episodic', tags: ['needs_review'], actor: 'a-model' },
        ],
        'what nobody confirmed waits, in the name of the model',
      );
    },
  );

  await t.test('--learn off remembers nothing', async (t) => {
    const before = await json(['context', 'memory', 'list']);
    server.script({ text: 'Keys are kept in a box.' });
    const { status, out } = await ask([HOW_LONG, '--learn', 'off', '--json']);
    t.equal(status, 0);
    const { learned, sources } = z
      .looseObject({ learned: z.array(z.unknown()), sources: z.array(z.string()) })
      .parse(JSON.parse(out));
    t.same(learned, []);
    t.ok(sources.includes('keys.md:1'), 'it cites nothing: what was shown is told');
    t.same(await json(['context', 'memory', 'list']), before);
  });

  await t.test('limits of turns and tokens end it, and are told', async (t) => {
    const look = { calls: [{ name: 'vfs_list', args: { path: '/' } }] };
    server.script(look, look, { text: 'As far as I saw.' });
    t.match(await ask([HOW_LONG, '--max-turns', '3', '--learn', 'off']), {
      status: 0,
      err: /it had to answer with what it had found: it reached the limit of turns/,
    });
    server.script(look, { text: 'As far as I saw.' });
    const { out } = await ask([HOW_LONG, '--max-tokens', '50', '--learn', 'off', '--json']);
    t.match(JSON.parse(out), { end: 'tokens', answer: 'As far as I saw.' });
    server.script(look, look, look);
    t.match(await ask([HOW_LONG, '--max-turns', '2', '--learn', 'off']), {
      status: 1,
      err: /gave no answer: it called tools until it reached the limit/,
    });
  });

  await t.test(
    'a tool that is not there, and wrong arguments, are answers that the model can act on',
    async (t) => {
      server.script(
        {
          calls: [
            { name: 'open_door', args: {} },
            { name: 'read', args: { path: 'nothing.md' } },
            { name: 'read', args: { file: 'keys.md' } },
          ],
        },
        (seen) => ({
          text: toolResults(seen)
            .map(({ error }) => z.object({ message: z.string() }).parse(error).message)
            .join('\n'),
        }),
      );
      const { out } = await ask([HOW_LONG, '--learn', 'off']);
      t.match(out, /there is no tool "open_door"; the tools are query_knowledge, navigate/);
      t.match(out, /nothing\.md: /);
      t.match(out, /path: it is missing, and has to be a text/);
    },
  );

  await t.test(
    'what an API refuses is told with its address and the way out, and never with the key',
    async (t) => {
      const key = { OPENAI_API_KEY: 'sk-test-1234567890', KGRAPHFS_BASE_URL: server.url };
      const asked = (args: readonly string[] = []) => run(['ask', HOW_LONG, ...args], key);
      server.script({ kind: 'echo-key' });
      const barred = await asked();
      t.match(barred, {
        status: 1,
        out: '',
        err: /http:\/\/127\.0\.0\.1:\d+\/v1 answered: 401.*kgraphfs env/,
      });
      t.notMatch(barred.err, 'sk-test');
      server.script({ status: 404, message: 'model not found' });
      t.match((await asked(['--model', 'none'])).err, /answered: 404 model not found.*--model/);
      const busy = { status: 429, headers: { 'retry-after': '0' }, message: 'slow down' };
      server.script(busy, busy, busy, busy);
      t.match((await asked()).err, /answered: 429 slow down; try again later, or ask with --no-llm/);
      server.script(busy, { text: 'Here.' });
      t.match((await asked(['--learn', 'off'])).out, /^Here\.\n/);
      server.script({ status: 400, message: 'context too long' });
      t.match((await asked()).err, /answered: 400 context too long; have it sent less/);
      const events = await json(['context', 'history', '--type', 'answer']);
      const last = z.array(z.unknown()).parse(events).at(-1);
      t.match(last, { data: { end: 'failed', error: /400 context too long/ } }, 'it is in the history');
    },
  );

  await t.test('without a model the sources answer, and it is said why', async (t) => {
    const asked = server.requests.length;
    const none = await run(['ask', HOW_LONG]);
    t.match(none, { status: 0, out: /kept for 48 hours/, err: /without a language model: there is no key/ });
    const off = await ask(['--no-llm', HOW_LONG]);
    t.match(off, { status: 0, out: none.out, err: '' });
    t.match(await run(['ask', '--llm', HOW_LONG]), { status: 1, out: '', err: /there is no key/ });
    t.equal(server.requests.length, asked, 'no model was asked');
  });

  await t.test('documents that change while the model looks are shown as they are then', async (t) => {
    server.script(
      () => {
        file('docs/keys.md', KEYS['keys.md'].replace('48', '72'));
        return { calls: [{ name: 'vfs_list', args: {} }] };
      },
      (seen) => ({ text: String(seen.messages[1]?.content).includes('72 hours') ? 'seen' : 'stale' }),
    );
    t.match((await ask([HOW_LONG, '--learn', 'off'])).out, /^seen\n/);
  });

  await t.test('control characters of a model do not reach the terminal', async (t) => {
    server.script({ text: 'red \u001b[31m and\n  - indented' });
    t.match(
      (await ask([HOW_LONG, '--learn', 'off'])).out,
      /^red \\x1b\[31m and\n {2}- indented\n\nIt cites nothing\. What it was shown:\n- /,
    );
  });
});

t.test('what was spent on an answer that there is not is told', async (t) => {
  const { server, ask, run } = await askPlace(t, { 'a.md': '# A\n\nAn A is a letter.\n' });
  const script = () => server.script({ calls: [{ name: 'read', args: { path: 'a.md' } }] }, { status: 401 });
  script();
  t.match(await ask(['What is A?']), {
    status: 1,
    err: /^spent without an answer: 100 tokens in, 10 out, \$0\.0010\nkgraphfs: .* 401 .*\n$/,
  });
  script();
  server.script({ status: 401 });
  const chat = ['chat', '--base-url', server.url, '--model', 'a-model', '--json'];
  const { out, err } = await run(chat, {}, 'What is A?\nAnd B?\n/usage\n');
  const [first, second] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(first, { error: /401/, usage: { input_tokens: 100, output_tokens: 10, cost_usd: 0.001 } });
  t.match(second, { error: /401/, usage: undefined });
  t.match(err, '0 answers, 100 tokens in, 10 out, $0.0010\n');
});
