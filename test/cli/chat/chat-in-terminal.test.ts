import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
    open: (t: Test) =>
      runInTerminal(
        t,
        [process.execPath, MAIN, 'chat', '--base-url', server.url, '--model', 'test', '--learn', 'off'],
        { cwd: folder, env },
      ),
  };
}

const place = await subject(t);

t.test('Ctrl-C stops an answer and not the chat, and the next question is answered', async (t) => {
  const { server, asked, open } = place;
  server.script(
    { text: 'One.' },
    { text: 'Two.' },
    { calls: [{ name: 'read', args: { path: 'keys.md:3' } }], text: 'Let me look.' },
    { text: 'Kept for 48 hours [keys.md:3].' },
    { text: 'and so on '.repeat(1000), slowMs: 20 },
    { kind: 'hang' },
    { status: 401, message: 'wrong key' },
    { text: 'Here I am\u001b[2J.' },
  );
  const chat = open(t);
  await chat.shows('/help shows what else there is');
  await chat.shows('> ');
  chat.type('\u001b[200~What is\nthis?\u001b[201~\r');
  await chat.shows('One.');
  await chat.shows('> ');
  chat.type('And \\\r');
  await chat.shows('… ');
  chat.type('that?\rHow long?\r');
  await chat.shows('Two.');
  await chat.shows('Let me look.');
  await chat.shows('read {"path":"keys.md:3"}');
  await chat.shows('Kept for 48 hours [keys.md:3].');
  await chat.shows('1 source (/sources): keys.md:3');
  await chat.shows('> ');
  chat.type('A long one?\r');
  await chat.shows('and so on and so on');
  chat.type(CTRL_C);
  await chat.shows('stopped');
  await chat.shows('spent without an answer: ');
  await chat.shows('> ');
  chat.type('Nothing?\r');
  await chat.shows('Nothing?');
  while (asked().length < 6) await delay(10);
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
  // What the API has not counted, of the answers that were stopped, is reckoned.
  await chat.shows('4 answers, ');
  await chat.shows(' tokens in, 50 out');
  t.equal(await chat.ended(), 0);
  t.notOk(chat.shown().includes('\u001b[2J'), 'what a model says does not move the cursor');
  t.ok(
    chat.shown().lastIndexOf(NO_PASTES) > chat.shown().lastIndexOf(ASK_FOR_PASTES),
    'the terminal is as it was',
  );
  t.same(asked().slice(0, 3), ['What is\nthis?', 'And \nthat?', 'How long?'], 'pasted, gone on, typed ahead');
  t.same(
    server.requests.at(-1)?.messages.filter(({ role }) => role === 'user').length,
    4,
    'what was stopped or refused is as if it had not been asked',
  );
});

t.test('what was asked before comes back with the arrow keys, also in another chat', async (t) => {
  const { server, asked, open } = place;
  server.script({ text: 'Three.' });
  const before = asked().length;
  const chat = open(t);
  await chat.shows('> ');
  chat.type(`${UP.repeat(7)}\r`);
  await chat.shows('Three.');
  t.same(asked().slice(before), ['What is\nthis?']);
  await chat.shows('> ');
  chat.type(`half a question${CTRL_C}/to`);
  await chat.shows('/to');
  chat.type('\t');
  await chat.shows('ols');
  chat.type('\r');
  await chat.shows('0 calls in this chat');
  await chat.shows('> ');
  chat.type(CTRL_C);
  await chat.shows('Ctrl-C again or Ctrl-D ends the chat');
  chat.type(CTRL_C);
  t.equal(await chat.ended(), 0);
});
