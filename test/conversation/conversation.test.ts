import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openAiChat } from '../../src/agent/openai-chat.ts';
import { openApp } from '../../src/app/app.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { type ConversationOptions, openConversation } from '../../src/conversation/project-conversation.ts';
import { runHere } from '../cli/run-here.ts';
import { startChatServer } from '../support/chat-server.ts';
import { temporaryFolder } from '../support/temporary.ts';

const CONTEXT = { caller: { name: 'ana' } };
const KEYS = '# Keys\n\nIdempotency keys are kept for 48 hours.\n';
const HOW_LONG = 'How long are idempotency keys kept?';

async function talk(t: Test, options: Partial<ConversationOptions> = {}) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/keys.md'), KEYS);
  t.equal((await runHere(['build'], { cwd: folder })).status, 0);
  const settings = loadSettings({}, folder);
  const app = openApp({ settings });
  const server = await startChatServer();
  const conversation = await openConversation({
    app,
    model: openAiChat({ model: 'a-model', baseUrl: server.url, apiKey: undefined }),
    settings: { windowTokens: 128_000, price: undefined },
    context: CONTEXT,
    learn: false,
    writesCountAtOnce: false,
    id: 'a-chat',
    ...options,
  });
  t.teardown(async () => {
    conversation.close();
    app.close();
    await server.close();
  });
  const history = (type: string) =>
    app.workspace.store.history.select({ type, limit: 100 }).map(({ line }) => JSON.parse(line));
  return { app, server, conversation, history };
}

t.test('turns are kept, and the context goes with the question alone', async (t) => {
  const { server, conversation } = await talk(t);
  server.script({ text: '48 hours [keys.md:3].' }, { text: 'As I said [keys.md:3].' });
  await conversation.ask(HOW_LONG);
  const { sources } = await conversation.ask('Are you sure?');
  t.same(sources, ['keys.md:3'], 'a place that an earlier question showed may be cited');
  const sent = server.requests[1]?.messages ?? [];
  t.same(
    sent.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  );
  t.equal(sent[1]?.content, HOW_LONG, 'what was found for it is sent no more');
  t.match(sent[3]?.content, /^<data \w+ from="context[\s\S]*\n\nAre you sure\?$/);
  t.same(
    conversation.answers().map(({ answer }) => answer),
    ['48 hours [keys.md:3].', 'As I said [keys.md:3].'],
  );
});

t.test('an answer that is stopped leaves the conversation as it was, and is in the history', async (t) => {
  const { server, conversation, history } = await talk(t);
  server.script({ text: 'First.' });
  await conversation.ask('One?');
  const before = conversation.messages();
  const stopping = new AbortController();
  server.script({ text: 'a long story that nobody wants to hear to its end', slowMs: 50 });
  const asked = conversation.ask('Two?', {
    signal: stopping.signal,
    onText: () => stopping.abort(),
  });
  await t.rejects(asked, { name: 'ModelError', failure: 'stopped' });
  t.same(conversation.messages(), before);
  t.match(history('answer').at(-1), { actor: 'a-model', data: { turn: 2, end: 'stopped' } });
  server.script({ text: 'Third.' });
  t.match(await conversation.ask('Three?'), { answer: 'Third.' });
});

t.test('a tool that is stopped by the user writes nothing more', async (t) => {
  const { app, server, conversation } = await talk(t);
  const write = (key: string) => ({
    name: 'vfs_write',
    args: { path: `/context/memory/fact/${key}`, content: key },
  });
  const stopping = new AbortController();
  server.script({ calls: [write('a'), write('b'), write('c')] });
  const off = app.memory.onChange(() => stopping.abort());
  await t.rejects(conversation.ask('Write!', { signal: stopping.signal }), {
    name: 'ModelError',
    failure: 'stopped',
  });
  off();
  t.same(
    app.memory.list().map(({ key, tags }) => [key, tags]),
    [['a', ['needs_review']]],
  );
});

t.test(
  'older turns go to memory when the window has its share, and come back when they are asked about',
  async (t) => {
    const { app, server, conversation } = await talk(t, {
      settings: { windowTokens: 4000, price: undefined },
      budgetTokens: 1600,
    });
    const cats = Array.from({ length: 8 }, (_, index) => `Cat ${index} is called Minka${index}.`);
    server.script(...cats.map(() => ({ text: `Noted. ${'A nice name for a cat. '.repeat(40)}` })));
    for (const cat of cats) await conversation.ask(cat);
    server.script({ text: 'Cat 0.' });
    const { pagedTurns } = await conversation.ask('Which cat is called Minka0?');
    t.ok(pagedTurns >= 3, `${pagedTurns} turns are in memory`);
    t.ok(app.memory.list({ type: 'episodic' }).some(({ key }) => key.startsWith('conversations/a-chat/')));
    const sent = server.requests.at(-1)?.messages ?? [];
    t.notOk(
      sent.some(({ content }) => content === cats[0]),
      'the turn itself is gone',
    );
    t.match(
      sent.at(-1)?.content,
      /from="earlier turns of this conversation">\n[\s\S]*Cat 0 is called Minka0/,
    );
    t.match(sent.at(-1)?.content, /from="what was moved to memory">/);
  },
);

t.test('a conversation that another process had is gone on with', async (t) => {
  const earlier = { turns: [{ question: 'One?', answer: 'Two.' }], lastTurn: 3 };
  const { server, conversation, history } = await talk(t, { earlier });
  server.script({ text: 'Four.' });
  await conversation.ask('Three?');
  t.match(server.requests[0]?.messages.slice(1, 3), [{ content: 'One?' }, { content: 'Two.' }]);
  t.match(history('answer'), [{ data: { conversation: 'a-chat', turn: 4 } }]);
});

t.test('what it costs is told by the API, or reckoned by the price', async (t) => {
  const price = { input: 3, output: 15 };
  const { server, conversation } = await talk(t, { settings: { windowTokens: 128_000, price } });
  server.script({ text: 'Yes.' }, { text: 'Yes.', usage: { prompt_tokens: 1000, completion_tokens: 100 } });
  t.match((await conversation.ask('One?')).usage, { costUsd: 0.001 });
  t.match((await conversation.ask('Two?')).usage, { costUsd: 0.0045 });
});

t.test('what was spent on an answer that failed is told, and is in the history', async (t) => {
  const { server, conversation, history } = await talk(t);
  server.script({ calls: [{ name: 'read', args: { path: 'keys.md' } }] }, { status: 401 });
  const spent = { inputTokens: 100, outputTokens: 10, costUsd: 0.001 };
  await t.rejects(conversation.ask(HOW_LONG), { name: 'ModelError', failure: 'barred', spent });
  const usage = { input_tokens: 100, output_tokens: 10, cost_usd: 0.001 };
  t.match(history('answer'), [{ data: { end: 'failed', usage } }]);
  server.script({ status: 401 });
  await t.rejects(conversation.ask(HOW_LONG), { name: 'ModelError', failure: 'barred' });
  t.equal(history('answer').find(({ data }) => data.turn === 2)?.data.usage, undefined);
});

t.test('a note in the scratchpad that answers is in the context of the next turn', async (t) => {
  const { server, conversation } = await talk(t);
  const note = 'Idempotency keys are kept for 96 hours in the test system.';
  const write = { name: 'vfs_write', args: { path: '/context/scratchpad/notes.md', content: note } };
  server.script({ calls: [write] }, { text: 'Noted.' });
  await conversation.ask(HOW_LONG);
  t.match(server.requests[1]?.messages[1]?.content, /context\/scratchpad\/notes\.md[\s\S]*96 hours/);
});
