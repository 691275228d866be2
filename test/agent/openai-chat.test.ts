import printer from 'node:console';
import t from 'tap';
import { lengthNameOf, openAiChat } from '../../src/agent/openai-chat.ts';
import { type ChatServer, startChatServer } from '../support/chat-server.ts';

const KEY = 'a-key-of-nobody';
const HELLO = [{ role: 'user', content: 'hello' }] as const;

async function served(t: { teardown(end: () => Promise<void>): void }): Promise<ChatServer> {
  const server = await startChatServer();
  t.teardown(() => server.close());
  return server;
}

const modelAt = (server: ChatServer, attempts = 2, timeoutMs = 20_000) =>
  openAiChat({ baseUrl: server.url, apiKey: KEY, model: 'm', timeoutMs, attempts });

/** What it fails with. */
async function failureOf(reply: Promise<unknown>): Promise<unknown> {
  return reply.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

t.test('a streamed answer is heard as it comes, and whole in the end', async (t) => {
  const server = await served(t);
  server.script({ text: 'A subscription creates an invoice.' });
  const heard: string[] = [];
  const turn = await modelAt(server).reply(HELLO, { onText: (part) => heard.push(part) });
  t.equal(turn.text, 'A subscription creates an invoice.');
  t.ok(heard.length > 1);
  t.equal(heard.join(''), turn.text);
  t.same(turn.usage, { inputTokens: 100, outputTokens: 10, costUsd: 0.001 });
  t.equal(server.requests[0]?.authorization, `Bearer ${KEY}`);
});

t.test('tool calls come together from their parts', async (t) => {
  const server = await served(t);
  server.script({
    calls: [
      { name: 'inspect', args: { node: 'Charge' } },
      { name: 'read', args: { path: 'a.md' } },
    ],
  });
  const tools = [{ name: 'inspect', description: 'd', parameters: { type: 'object' } }];
  const { toolRequests } = await modelAt(server).reply(HELLO, { tools });
  t.same(
    toolRequests.map(({ id, function: { name, arguments: text } }) => [id, name, JSON.parse(text)]),
    [
      ['call_0', 'inspect', { node: 'Charge' }],
      ['call_1', 'read', { path: 'a.md' }],
    ],
  );
  t.equal(server.requests[0]?.tools?.[0]?.function.name, 'inspect');
});

t.test('a server that is busy is asked again when it said', async (t) => {
  const server = await served(t);
  server.script({ status: 429, headers: { 'retry-after-ms': '20' } }, { text: 'now' });
  t.equal((await modelAt(server).reply(HELLO)).text, 'now');
  t.equal(server.requests.length, 2);
});

t.test('what is no answer is an error, not an answer', async (t) => {
  const server = await served(t);
  for (const [reply, failure] of [
    [{ kind: 'nothing' }, 'malformed'],
    [{ kind: 'not-json' }, 'malformed'],
    [{ status: 400, message: 'context too long' }, 'refused'],
    [{ status: 404, message: 'no such model' }, 'barred'],
  ] as const) {
    server.script(reply);
    t.match(await failureOf(modelAt(server, 1).reply(HELLO)), { failure }, JSON.stringify(reply));
  }
});

t.test(
  'a server that does not stream is understood, and so is one that says arguments as they are',
  async (t) => {
    const server = await served(t);
    const heard: string[] = [];
    const calls = [
      { id: 'a', type: 'function', function: { name: 'navigate', arguments: { node: 'Charge' } } },
    ];
    const usage = { prompt_tokens: 7, completion_tokens: 3 };
    server.script(
      { whole: { choices: [{ message: { role: 'assistant', content: null, tool_calls: calls } }], usage } },
      { whole: { choices: [{ message: { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] } }] } },
      { whole: { error: { message: 'overloaded', code: 503 } } },
      { whole: { choices: [{ message: { content: 'At last.' } }] } },
    );
    const model = modelAt(server);
    t.match(await model.reply(HELLO), {
      toolRequests: [{ id: 'a', function: { name: 'navigate', arguments: '{"node":"Charge"}' } }],
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    t.match(await model.reply(HELLO, { onText: (part) => heard.push(part) }), { text: 'Yes.' });
    t.same(heard, ['Yes.']);
    t.match(
      await model.reply(HELLO),
      { text: 'At last.' },
      'what is wrong for now may be told within an answer',
    );
  },
);

t.test('an answer that breaks off after somebody heard of it is not asked for again', async (t) => {
  const server = await served(t);
  server.script({ kind: 'break-off' }, { text: 'another' });
  await t.rejects(modelAt(server).reply(HELLO, { onText: () => {} }), { message: /broke off/ });
  t.equal(server.requests.length, 1);
});

t.test('a server that never answers is waited for so long and no longer', async (t) => {
  const server = await served(t);
  server.script({ kind: 'hang' });
  t.match(await failureOf(modelAt(server, 4, 500).reply(HELLO)), {
    failure: 'busy',
    message: /nothing for 500 ms/,
  });
  t.equal(server.requests.length, 1, 'nobody waits for as long again');
});

t.test('who no longer wants an answer stops it', async (t) => {
  const server = await served(t);
  server.script({ text: 'a long answer that takes its time', slowMs: 50 });
  const ending = new AbortController();
  const reply = modelAt(server).reply(HELLO, { signal: ending.signal, onText: () => ending.abort() });
  t.match(await failureOf(reply), { failure: 'stopped' });
});

t.test('a key that the API echoes is in no error', async (t) => {
  const server = await served(t);
  server.script({ kind: 'echo-key' });
  const error: unknown = await failureOf(modelAt(server).reply(HELLO));
  t.match(String(error), /Incorrect API key/);
  t.notMatch(String(error), KEY);
});

t.test('thoughts that come as the beginning of an answer are neither heard nor a part of it', async (t) => {
  const server = await served(t);
  server.script({ text: '<think>\nThey ask for the invoice.\n</think>\n\nAn invoice is due.' });
  const heard: string[] = [];
  const turn = await modelAt(server).reply(HELLO, { onText: (part) => heard.push(part) });
  t.equal(turn.text, 'An invoice is due.');
  t.equal(heard.join(''), turn.text);
});

t.test('an answer that the API ended is known as cut', async (t) => {
  const server = await served(t);
  for (const [finish, isCut] of [
    ['length', true],
    ['content_filter', true],
    ['stop', undefined],
    [null, undefined],
  ] as const) {
    server.script({ whole: { choices: [{ message: { content: 'An inv' }, finish_reason: finish }] } });
    t.equal((await modelAt(server).reply(HELLO)).isCut, isCut, String(finish));
  }
});

t.test('how long an answer may be is said in the word that the API takes', async (t) => {
  const server = await served(t);
  server.script({ text: 'short' });
  await modelAt(server).reply(HELLO, { maxOutputTokens: 7 });
  t.equal(server.requests[0]?.['max_tokens'], 7);
  t.equal(lengthNameOf('https://api.openai.com/v1'), 'max_completion_tokens');
  t.equal(lengthNameOf('https://openrouter.ai/api/v1'), 'max_tokens');
});

t.test('an API that wants the newer word for it is asked in that one from then on', async (t) => {
  const server = await served(t);
  server.otherwise((seen) =>
    'max_tokens' in seen
      ? {
          status: 400,
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        }
      : { text: 'short' },
  );
  const model = modelAt(server, 1);
  const responseFormat = 'json_object';
  t.match(await model.reply(HELLO, { maxOutputTokens: 7, responseFormat }), { text: 'short' });
  t.match(await model.reply(HELLO, { maxOutputTokens: 7, responseFormat }), { text: 'short' });
  t.match(
    server.requests.map((seen) => [
      seen['max_tokens'],
      seen['max_completion_tokens'],
      seen['response_format'],
    ]),
    [
      [7, undefined, { type: 'json_object' }],
      [undefined, 7, { type: 'json_object' }],
      [undefined, 7, { type: 'json_object' }],
    ],
  );
  server.otherwise(() => ({ status: 400, message: 'max_completion_tokens is too large' }));
  t.match(await failureOf(model.reply(HELLO, { maxOutputTokens: 7 })), { failure: 'refused' });
  t.equal(server.requests.length, 4, 'what is wrong otherwise is told');
});

t.test('a part that is no JSON is an error, and nothing of it is printed by anybody else', async (t) => {
  const server = await served(t);
  const printed: unknown[] = [];
  const print = printer.error;
  printer.error = (...parts: unknown[]) => printed.push(...parts);
  t.teardown(() => {
    printer.error = print;
  });
  for (const event of ['', 'event: thread.run\n']) {
    server.script({ raw: `${event}data: {broken ${KEY} \u001b[31mRED\n\n` });
    const error: unknown = await failureOf(modelAt(server).reply(HELLO));
    t.match(error, { failure: 'malformed' });
    t.notMatch(String(error), KEY);
  }
  t.same(printed, []);
});

t.test('a stream is read as the standard has it', async (t) => {
  const server = await served(t);
  const said = (text: string) => JSON.stringify({ choices: [{ delta: { content: text } }] });
  for (const end of ['\n', '\r\n', '\r']) {
    server.script({
      raw: [
        ': hello',
        `data:${said('One')}`,
        '',
        'event: x',
        '',
        `data: ${said(', two')}`,
        '',
        'data: [DONE]',
        '',
        '',
      ].join(end),
    });
    t.equal((await modelAt(server, 1).reply(HELLO)).text, 'One, two', JSON.stringify(end));
  }
  const [before, after] = said('in two lines').split(':{');
  server.script({ raw: `data: ${before}\ndata: :{${after}\n\ndata: [DONE]\n\n` });
  t.equal((await modelAt(server, 1).reply(HELLO)).text, 'in two lines');
});

t.test('a key that a model echoes is in nothing of its answer', async (t) => {
  const server = await served(t);
  const heard: string[] = [];
  server.script(
    // Parts of twelve characters: none of them has all of the key.
    { text: `It is ${KEY}, and a-key-of is none. a-key` },
    { calls: [{ name: 'remember', args: { key: `my-${KEY}`, text: KEY } }] },
  );
  const { text } = await modelAt(server).reply(HELLO, { onText: (part) => heard.push(part) });
  t.equal(text, 'It is [key], and a-key-of is none. a-key');
  t.equal(heard.join(''), text);
  const { toolRequests } = await modelAt(server).reply(HELLO);
  t.same(JSON.parse(toolRequests[0]?.function.arguments ?? ''), { key: 'my-[key]', text: '[key]' });
  server.script({ text: 'You use ollama.' });
  const own = openAiChat({ baseUrl: server.url, apiKey: 'ollama', model: 'm' });
  t.equal((await own.reply(HELLO)).text, 'You use ollama.', 'what is no secret is a word');
});

t.test('an answer without end is given up', async (t) => {
  const server = await served(t);
  const part = JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(1 << 20) } }] });
  for (const raw of [`data: ${part}\n\n`, 'x'.repeat(1 << 16)]) {
    server.script({ raw, isEndless: true });
    t.match(await failureOf(modelAt(server, 1).reply(HELLO)), {
      failure: 'malformed',
      message: /more than 16 MiB/,
    });
  }
  server.script({ whole: { choices: [{ message: { content: 'x'.repeat(17 << 20) } }] } });
  t.match(
    await failureOf(modelAt(server, 1).reply(HELLO)),
    { message: /more than 16 MiB/ },
    'nor is one in one piece read',
  );
});
