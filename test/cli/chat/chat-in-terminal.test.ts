import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ASK_FOR_PASTES, NO_PASTES } from '../../../src/cli/chat/paste.ts';
import { startChatServer } from '../../support/chat-server.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runInTerminal } from '../../support/terminal.ts';
import { MAIN } from '../run-cli.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const UP = '\u001b[A';

/** A chat that somebody types into. */
async function subject(t: Test) {
  const server = await startChatServer();
  t.teardown(() => server.close());
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/keys.md'), '# Keys\n\nKeys are kept for 48 hours.\n');
  const env = { XDG_CONFIG_HOME: join(folder, 'own'), NO_COLOR: '1' };
  const asked = () =>
    server.requests.map(({ messages }) =>
      String(messages.at(-1)?.content)
        .split(/<\/data \w+>\n*/)
        .at(-1),
    );
  return {
    server,
    asked,
    open: (...options: string[]) =>
      runInTerminal(
        t,
        [
          process.execPath,
          MAIN,
          'chat',
          '--base-url',
          server.url,
          '--model',
          'test',
          '--learn',
          'off',
          ...options,
        ],
        { cwd: folder, env },
      ),
  };
}

t.test('Ctrl-C stops an answer and not the chat, and the next question is answered', async (t) => {
  const { server, asked, open } = await subject(t);
  server.script(
    { calls: [{ name: 'read', args: { path: 'keys.md:3' } }], text: 'Let me look.' },
    { text: 'Kept for 48 hours [keys.md:3].' },
    { text: 'and so on '.repeat(1000), slowMs: 20 },
    { kind: 'hang' },
    { status: 401, message: 'wrong key' },
    { text: 'Here I am\u001b[2J.' },
  );
  const chat = open();
  await chat.shows('/help shows what else there is');
  await chat.shows('> ');
  chat.type('How long?\r');
  await chat.shows('Let me look.');
  await chat.shows('read {"path":"keys.md:3"}');
  await chat.shows('Kept for 48 hours [keys.md:3].');
  await chat.shows('1 source (/sources): keys.md:3');
  await chat.shows('> ');
  chat.type('A long one?\r');
  await chat.shows('and so on and so on');
  chat.type(CTRL_C);
  await chat.shows('stopped');
  await chat.shows('> ');
  chat.type('Nothing?\r');
  await chat.shows('Nothing?');
  while (asked().length < 4) await new Promise((resolve) => setImmediate(resolve));
  chat.type(CTRL_C);
  await chat.shows('stopped');
  await chat.shows('> ');
  chat.type('Refused?\r');
  await chat.shows('401 wrong key');
  await chat.shows('> ');
  chat.type('Still there?\r');
  await chat.shows('Here I am\\x1b[2J.');
  await chat.shows('> ');
  chat.type(CTRL_D);
  await chat.shows('2 answers, 300 tokens in, 30 out');
  t.equal(await chat.ended(), 0);
  t.notOk(chat.shown().includes('\u001b[2J'), 'what a model says does not move the cursor');
  t.ok(
    chat.shown().lastIndexOf(NO_PASTES) > chat.shown().lastIndexOf(ASK_FOR_PASTES),
    'the terminal is as it was',
  );
  t.same(
    server.requests.at(-1)?.messages.filter(({ role }) => role === 'user').length,
    2,
    'what was stopped or refused is as if it had not been asked',
  );
});

t.test(
  'a question is edited as in a shell: pasted lines, lines that go on, and what was asked before',
  async (t) => {
    const { server, asked, open } = await subject(t);
    server.script({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' });
    const first = open();
    await first.shows('> ');
    first.type('\u001b[200~What is\nthis?\u001b[201~\r');
    await first.shows('One.');
    await first.shows('> ');
    first.type('And \\\r');
    await first.shows('… ');
    first.type('that?\r/quit\r');
    await first.shows('Two.');
    t.equal(await first.ended(), 0);
    t.same(asked(), ['What is\nthis?', 'And \nthat?']);
    const second = open();
    await second.shows('> ');
    second.type(`${UP}${UP}\r`);
    await second.shows('Three.');
    await second.shows('> ');
    second.type(`half a question${CTRL_C}/to`);
    await second.shows('/to');
    second.type('\t');
    await second.shows('ols');
    second.type('\r');
    await second.shows('read ');
    await second.shows('0 calls in this chat');
    await second.shows('> ');
    second.type(CTRL_C);
    await second.shows('Ctrl-C again or Ctrl-D ends the chat');
    second.type(CTRL_C);
    t.equal(await second.ended(), 0);
    t.same(asked().slice(2), ['What is\nthis?']);
  },
);
