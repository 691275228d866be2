import t from 'tap';
import { openAiChat } from '../../src/agent/openai-chat.ts';
import { ModelError } from '../../src/core/model-error.ts';
import { type ScriptedReply, startChatServer } from '../support/chat-server.ts';
import type { Teardown } from '../support/temporary.ts';

/** Like none of those that are known by their form. */
const KEY = '0123456789abcdef';

async function answerTo(t: Teardown, reply: ScriptedReply, apiKey = KEY): Promise<string> {
  const server = await startChatServer();
  t.teardown(() => server.close());
  server.script(reply);
  const model = openAiChat({ model: 'm', baseUrl: server.url, apiKey, attempts: 1 });
  return (await model.reply([{ role: 'user', content: 'Hello' }])).text;
}

async function failureFor(t: Teardown, reply: ScriptedReply, apiKey = KEY): Promise<ModelError> {
  try {
    await answerTo(t, reply, apiKey);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error('it was answered');
}

const ERROR = { error: { message: `no such key: Bearer ${KEY}, or ${KEY}`, code: 401 } };

t.test('a key that is echoed within an answer is in no error, streamed or not', async (t) => {
  for (const reply of [{ whole: ERROR }, { parts: [ERROR] }]) {
    const { failure, message } = await failureFor(t, reply);
    t.match(message, /no such key/);
    t.notMatch(message, KEY);
    t.equal(failure, 'barred', 'its status says what it means');
  }
});

t.test('an error within a streamed answer is told as that of the API, which was reached', async (t) => {
  const error = { message: 'the context is too long', code: 400 };
  t.match(await failureFor(t, { parts: [{ choices: [], error }] }), {
    failure: 'refused',
    message: /answered: the context is too long$/,
  });
  const unknown = { message: 'the server had an error', code: null };
  t.match(await failureFor(t, { parts: [{ error: unknown }] }), {
    failure: 'busy',
    message: /answered: the server had an error$/,
  });
});

t.test('a stream that ends without any sign of its end is an answer that broke off', async (t) => {
  const part = { choices: [{ index: 0, delta: { content: 'An invoice is' } }] };
  t.match(await failureFor(t, { parts: [part], isCutOff: true }), {
    failure: 'busy',
    message: /ended its answer in the middle/,
  });
  const finished = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const counted = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 3 } };
  for (const reply of [
    { parts: [part] },
    { parts: [part, finished], isCutOff: true },
    { parts: [part, counted], isCutOff: true },
  ])
    t.equal(await answerTo(t, reply), 'An invoice is', 'any of the usual signs will do');
});

t.test('what no API answers needs another address, and says what it is', async (t) => {
  for (const [headers, status, message] of [
    [{ 'content-type': 'text/html; charset=utf-8' }, 200, /answered with a page for browsers/],
    [{ location: '/login?token=x' }, 302, /with a redirect to http:\S+\/login, where nothing is sent$/],
    [{}, 307, /with a redirect, where nothing is sent$/],
  ] as const)
    t.match(await failureFor(t, { status, headers }), { failure: 'barred', message });
});

t.test('a key that cannot be sent is told as that, and not shown', async (t) => {
  for (const key of ['sk-one\nsk-two', 'sk-\u2026']) {
    const { failure, message } = await failureFor(t, { text: 'Hello' }, key);
    t.equal(failure, 'barred');
    t.equal(message, 'the key contains a line break, or a character that no key has');
  }
});
