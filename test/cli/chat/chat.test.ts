import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type ChatServer, type SeenChat, startChatServer } from '../../support/chat-server.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { MAIN } from '../run-cli.ts';
import { runHere } from '../run-here.ts';

const KEYS = '# Idempotency\n\nIdempotency keys are kept for 48 hours.\nA charge needs a customer.\n';

/** A project of one document, a model that says what it is told to, and questions one a line. */
async function subject(t: Test, user: unknown = {}) {
  const server = await startChatServer();
  t.teardown(() => server.close());
  const folder = temporaryFolder(t);
  const own = join(folder, 'own/kgraphfs');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  writeFileSync(join(own, 'config.json'), JSON.stringify(user), { mode: 0o600 });
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/keys.md'), KEYS);
  const run = (args: readonly string[], ...lines: readonly string[]) =>
    runHere(args, {
      cwd: folder,
      input: lines.map((line) => `${line}\n`).join(''),
      env: { XDG_CONFIG_HOME: join(folder, 'own') },
    });
  const flags = ['--base-url', server.url, '--model', 'test'];
  return {
    server,
    folder,
    run,
    chat: (options: readonly string[], ...lines: readonly string[]) =>
      run(['chat', ...flags, ...options], ...lines),
  };
}

/** What was said, without instructions and contexts. */
function said({ requests }: ChatServer): string[] {
  return (requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role !== 'system')
    .map(
      ({ content }) =>
        String(content)
          .split(/<\/data \w+>\n*/)
          .at(-1) ?? '',
    );
}

t.test('questions of a pipe are answered one a line, each knows of those before', async (t) => {
  const { server, chat } = await subject(t);
  server.script({ text: 'For 48 hours [keys.md:3].' }, { text: 'A customer.' });
  const { status, out, err } = await chat([], 'How long are keys kept?', '', 'What does a charge need?');
  t.equal(status, 0);
  t.match(out, /^For 48 hours \[keys\.md:3\]\.\n\nSources:\n- keys\.md:3\n\nA customer\.\n/);
  t.match(err, /0 tool calls, 100 tokens in, 10 out, \$0\.0010/);
  t.same(said(server), ['How long are keys kept?', 'For 48 hours [keys.md:3].', 'What does a charge need?']);
});

t.test(
  'what the model can do, where it stands, what it was given and what was learnt can be asked',
  async (t) => {
    const { server, chat } = await subject(t);
    server.script(
      { calls: [{ name: 'read', args: { path: 'keys.md' } }] },
      { calls: [{ name: 'vfs_write', args: { path: '/context/memory/fact/k', content: 'Kept 48 hours' } }] },
      { text: 'Idempotency keys are kept for 48 hours [keys.md:3]. Cats sleep all day.' },
    );
    const { status, out } = await chat(
      [],
      '/sources',
      'How long are idempotency keys kept?',
      '/tools',
      '/sources',
      '/context',
      '/memory',
      '/usage',
    );
    t.equal(status, 0);
    t.match(out, /^nothing was answered yet\n/);
    t.match(out, /\nread +Lines of a document.* \(called once\)\n/);
    t.match(out, /\n2 calls in this chat\nkeys\.md:3\n {4}Idempotency keys are kept for 48 hours\.\n/);
    t.match(out, /\n\d+ of \d+ tokens \(o200k_base\), for "How long are idempotency keys kept\?"\n/);
    t.match(out, /\n {2}\/docs\/keys\.md:\d+-\d+ {2}\d+ tokens\n/);
    t.match(
      out,
      /learnt in this chat:\n {2}fact {2}fact\/answers\/.*kept for 48 hours\.\n {2}episodic .*Cats sleep/,
    );
    t.match(out, /written by the model:\n {2}vfs_write: fact\/k/);
    t.match(
      out,
      /2 entries waiting for a person in context\/review:\n(?: {2}episodic\/.*\n {2}fact\/k| {2}fact\/k\n {2}episodic)/,
    );
    t.match(out, /\n1 answer, 300 tokens in, 30 out, \$0\.0030\n$/);
  },
);

t.test('an error of the API ends an answer and not the chat; the exit status tells', async (t) => {
  const { server, chat } = await subject(t);
  server.script({ status: 401, message: 'wrong\u001b[2J key' }, { status: 403 }, { text: 'Three.' });
  const { status, out, err } = await chat([], 'One?', 'Two?', '/nothing', 'Three?');
  t.equal(status, 1);
  t.match(out, /^Three\.\n/);
  t.match(
    err,
    /kgraphfs: .*401 wrong\\x1b\[2J key; look at key, --model and --base-url.*\n(?:.*\n)*kgraphfs: there is no \/nothing/,
  );
  t.same(said(server), ['Three?'], 'what was not answered is as if it had not been asked');
});

t.test('--json prints a line for each answer, with what produced it', async (t) => {
  const { server, chat } = await subject(t);
  server.script({ calls: [{ name: 'read', args: { path: 'keys.md' } }] }, { text: 'Yes.' }, { status: 403 });
  const { status, out } = await chat(['--json', '--learn', 'off'], 'One?', '/tools', 'Two?');
  t.equal(status, 1);
  const [one, two, ...others] = out.trimEnd().split('\n');
  t.same(others, []);
  t.match(JSON.parse(one ?? ''), {
    question: 'One?',
    answer: 'Yes.',
    traversal_log: [{ tool: 'read', args: { path: 'keys.md' }, result_summary: String }],
    model: 'test',
    conversation: /^chat-/,
    learned: { length: 0 },
    call: { command: 'chat', args: { question: 'One?', learn: 'off' } },
    duration_ms: Number,
    revision: Number,
  });
  t.match(JSON.parse(two ?? ''), { question: 'Two?', error: /403/ });
});

t.test('nothing that a model says moves the cursor', async (t) => {
  const { server, chat } = await subject(t);
  server.script({ text: 'red \u001b[31mtext\u001b[2J\r\n\n- a\n    code' });
  t.match(await chat([], 'Escape?'), { out: /^red \\x1b\[31mtext\\x1b\[2J\n\n- a\n {4}code\n/ });
});

t.test('a past conversation is gone on with, a new one knows nothing of it', async (t) => {
  const { server, chat, run } = await subject(t);
  server.script({ text: 'For 48 hours.' }, { status: 401 }, { text: 'Yes, hours.' });
  await chat([], 'How long?', 'Lost?');
  t.equal((await chat(['--resume', 'last'], 'Sure?')).status, 0);
  t.same(said(server), ['How long?', 'For 48 hours.', 'Sure?']);
  const history = JSON.parse((await run(['context', 'history', '--type', 'question', '--json'])).out);
  t.match(history, [{ data: { turn: 1 } }, { data: { turn: 2 } }, { data: { turn: 3 } }]);
  const { conversation } = history[0].data;
  t.equal(history[2].data.conversation, conversation);
  const { out } = await run(['context', 'history', '--replay', conversation]);
  t.match(out, /: 3 questions, 0 tool calls, 2 answers/);
  t.match(
    out,
    /asks test .*\n {10}How long\?\n(?:.*\n)*.*test answers\n {10}For 48 hours\.\n(?:.*\n)*.*ends \(failed\)\n/,
  );
  server.script({ text: 'A.' }, { text: 'B.' });
  t.match(await chat(['--resume', conversation], 'More?', '/new', 'What?'), {
    out: /a new conversation: chat-/,
  });
  t.same(said(server), ['What?']);
  t.match(await chat(['--resume', `${conversation}x`]), {
    status: 1,
    err: new RegExp(`did you mean ${conversation}`),
  });
});

t.test('what is edited between two questions is known to the second', async (t) => {
  const { server, chat, folder } = await subject(t);
  const contextIn = ({ messages }: SeenChat) => messages.map(({ content }) => String(content)).join('\n');
  server.script(
    (seen) => {
      t.match(contextIn(seen), /kept for 48 hours/);
      writeFileSync(join(folder, 'docs/keys.md'), KEYS.replace('48', '72'));
      return { text: 'For 48 hours.' };
    },
    (seen) => {
      t.match(contextIn(seen), /kept for 72 hours/);
      return { text: 'For 72 hours.' };
    },
  );
  t.equal(
    (await chat(['--learn', 'off'], 'How long are keys kept?', 'How long are keys kept now?')).status,
    0,
  );
});

t.test('older turns of a long chat go to memory, and are found again', async (t) => {
  const { server, chat } = await subject(t, { llm: { windowTokens: 12_000 } });
  const questions = Array.from({ length: 10 }, (_, index) => `Tell me of cat number ${index}.`);
  const tale = (index: number) =>
    `Cat ${index} is called Minka${index}. ${'It sleeps on the sofa all day. '.repeat(100)}`;
  server.script(...questions.map((_, index) => ({ text: tale(index) })), { text: 'Minka0.' });
  const { status, out } = await chat(
    ['--learn', 'off'],
    ...questions,
    'What is the name of cat 0?',
    '/context',
  );
  t.equal(status, 0);
  t.match(out, /\n\d+ turns of this conversation moved to memory\n$/);
  const last = server.requests.at(-1);
  const kept = last?.messages.filter(({ role }) => role === 'assistant') ?? [];
  t.ok(kept.length < questions.length, 'not all turns are sent');
  t.match(
    last?.messages.map(({ content }) => content).join('\n'),
    /Minka0/,
    'what is asked about comes back',
  );
});

t.test('without a model the way out is told', async (t) => {
  const { run } = await subject(t);
  t.match(await run(['chat'], 'Anybody?'), {
    status: 1,
    out: '',
    err: /chat needs a language model: there is no key: .*--base-url; "kgraphfs ask --no-llm"/,
  });
});

t.test(
  'by a pipe an interrupt stops the answer, too, and ends the chat where there is none to stop',
  async (t) => {
    const { server, folder } = await subject(t);
    server.script({ kind: 'hang' }, { text: 'Two.' });
    const args = [MAIN, 'chat', '--base-url', server.url, '--model', 'test', '--learn', 'off'];
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, XDG_CONFIG_HOME: join(folder, 'own') },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 120_000,
    });
    child.stdin.write('One?\n');
    while (server.requests.length < 1) await delay(10);
    child.kill('SIGINT');
    await once(child.stderr, 'data');
    child.stdin.write('Two?\n');
    const [answer] = await once(child.stdout.setEncoding('utf8'), 'data');
    t.match(answer, /^Two\.\n/);
    child.kill('SIGINT');
    t.same(await once(child, 'close'), [130, null]);
  },
);
