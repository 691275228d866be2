import { appendFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { givenQuestion, withRepeatableInput } from '../../src/cli/given-question.ts';
import type { Io, Output } from '../../src/cli/io.ts';
import { askQuickly } from '../../src/cli/quick-ask.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { memoryOutput } from './memory-output.ts';
import { runHere } from './run-here.ts';

const QUESTION = 'How does a subscription renewal create a charge and trigger a webhook?';
/** Files that changed less than 50 ms ago may change once more and look the same. */
const SETTLED_MS = 80;
/** What takes longer is shown on a terminal. */
const A_MOMENT_MS = 510;

const folder = temporaryFolder(t);
const docs = join(folder, 'docs');
cpSync('docs/sample', docs, { recursive: true });
const place = ['--docs', docs, '--state', join(folder, 'state')];

async function quickly(...tokens: string[]) {
  return quicklyGiven('', ...tokens);
}

async function quicklyGiven(input: string, ...tokens: string[]) {
  const [out, err] = [memoryOutput(), memoryOutput()];
  const status = await askQuickly([...tokens, ...place], ioOf(input, out, err));
  return { status, out: out.text(), err: err.text() };
}

function ioOf(input: string, out: Output, err: Output): Io {
  return {
    out,
    err,
    input: Readable.from([Buffer.from(input)]),
    workingFolder: () => process.cwd(),
    debug: true,
    environment: readEnvironment({ XDG_CONFIG_HOME: '/nowhere' }),
  };
}

const NOT_QUICK = { status: undefined, out: '', err: '' };

t.before(async () => {
  await setTimeout(SETTLED_MS);
  t.equal((await runHere(['build', ...place])).status, 0);
});

t.test('an index that is up to date answers at once, and just as the command does', async (t) => {
  const quick = await quickly('--no-llm', QUESTION);
  t.equal(quick.status, 0);
  t.same(quick, await runHere(['ask', '--no-llm', QUESTION, ...place]));
  const quickJson = JSON.parse((await quickly('--no-llm', '--json', QUESTION)).out);
  const {
    call,
    duration_ms: _ms,
    ...slow
  } = JSON.parse((await runHere(['ask', '--no-llm', '--json', QUESTION, ...place])).out);
  t.match(quickJson, slow);
  t.match(quickJson.call, { command: call.command, args: { question: call.args.question, llm: false } });
});

t.test('it is in the history that something was asked', async (t) => {
  const { out } = await runHere(['context', 'history', '--type', 'search', '--json', ...place]);
  t.ok(JSON.parse(out).length >= 4);
});

t.test('what takes more than the index is left to the command, with nothing written', async (t) => {
  t.same(await quickly(QUESTION), NOT_QUICK, 'a model may be asked');
  t.same(await quickly('--no-llm'), NOT_QUICK, 'no question');
  t.same(await quickly('--no-llm', '--modle', 'x', QUESTION), NOT_QUICK, 'an option it does not know');
  t.same(await quickly('--no-llm', QUESTION, '--state', '/nowhere'), NOT_QUICK, 'an option given twice');
  t.same(await quickly('--no-llm', 'What is the capital of France?'), NOT_QUICK, 'nothing found');
});

t.test('the question may be on standard input, and is the same there', async (t) => {
  const quick = await quickly('--no-llm', QUESTION);
  t.equal(quick.status, 0);
  t.same(await quicklyGiven(`${QUESTION}\n`, '--no-llm'), quick);
  t.same(await quicklyGiven(QUESTION, '--no-llm', '-'), quick);
  t.same(await runHere(['ask', '--no-llm', ...place], { input: `${QUESTION}\n` }), quick);
  t.same(await runHere(['ask', '-', '--no-llm', ...place], { input: QUESTION }), quick);
  const { call } = JSON.parse((await quicklyGiven(QUESTION, '--no-llm', '--json')).out);
  t.same(call.args.question, [QUESTION]);
});

t.test('what was read of standard input is there for the command, too', async (t) => {
  const io = withRepeatableInput({
    out: memoryOutput(),
    err: memoryOutput(),
    input: Readable.from([Buffer.from('What is '), Buffer.from('that?')]),
    workingFolder: () => process.cwd(),
    debug: true,
    environment: readEnvironment({ XDG_CONFIG_HOME: '/nowhere' }),
  });
  t.equal(await givenQuestion([], io), 'What is that?');
  t.equal(await givenQuestion(['-'], io), 'What is that?');
});

t.test(
  'standard input without a question, too long a one and bytes that are no text are refused',
  async (t) => {
    const ask = ['ask', '--no-llm', ...place];
    t.match(await runHere(ask), { status: 2, err: /ask needs a question/ });
    t.match(await runHere(ask, { input: ' \n' }), { status: 2, err: /ask needs a question/ });
    t.match(await runHere(ask, { input: 'why '.repeat(300_000) }), {
      status: 2,
      err: /at most 1048576 bytes/,
    });
    t.match(await runHere(ask, { input: Buffer.from([0xff, 0xfe, 0x41]) }), {
      status: 2,
      err: /not UTF-8 text/,
    });
  },
);

t.test('a long question is answered', async (t) => {
  const long = `${'We have looked at the logs of the last night. '.repeat(200)}${QUESTION}`;
  t.match(await runHere(['ask', '--no-llm', ...place], { input: long }), {
    status: 0,
    out: /subscription/i,
  });
});

t.test('an edit is never missed, not even one in place', async (t) => {
  const question = 'Where do quokkas sleep?';
  t.same(await quickly('--no-llm', question), NOT_QUICK);
  appendFileSync(join(docs, 'errors.md'), '\n## Quokkas\n\nQuokkas sleep in a shoebox.\n');
  t.same(await quickly('--no-llm', question), NOT_QUICK, 'the docs changed');
  await setTimeout(SETTLED_MS);
  t.match(await runHere(['ask', '--no-llm', question, ...place]), { status: 0, out: /shoebox/ });
  t.match(await quickly('--no-llm', question), { status: 0, out: /shoebox/ });
  mkdirSync(join(docs, 'new'));
  writeFileSync(join(docs, 'new', 'page.md'), '# Wombats\n\nWombats sleep in a burrow.\n');
  t.same(await quickly('--no-llm', question), NOT_QUICK, 'there is a document more');
});

t.test('either way shows on a terminal how much of memory is still taken in', async (t) => {
  const folder = temporaryFolder(t);
  const state = join(folder, 'state');
  const own = ['--docs', join(folder, 'docs'), '--state', state];
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/page.md'), '# Wombats\n\nWombats sleep in a burrow.\n');
  const entries = Array.from({ length: 250 }, (_, index) => ({ key: `entry-${index}`, content: 'x' }));
  const input = entries.map((entry) => JSON.stringify(entry)).join('\n');
  await setTimeout(SETTLED_MS);
  t.equal((await runHere(['build', ...own])).status, 0);
  t.equal((await runHere(['context', 'memory', 'import', '-', ...own], { input })).status, 0);
  // Nothing is shown of what takes a moment.
  const { now } = performance;
  let passedMs = 0;
  t.teardown(() => {
    performance.now = now;
  });
  performance.now = () => {
    passedMs += A_MOMENT_MS;
    return now.call(performance) + passedMs;
  };
  const question = 'Where do wombats sleep?';
  for (const ask of [
    (io: Io) => askQuickly(['--no-llm', question, ...own], io),
    (io: Io) => runCommandLine(['ask', '--no-llm', question, ...own], io),
  ]) {
    for (const name of readdirSync(state)) {
      if (name.startsWith('memory-search.sqlite')) rmSync(join(state, name));
    }
    const [out, err] = [memoryOutput(), memoryOutput(100)];
    t.equal(await ask(ioOf('', out, err)), 0);
    t.match(out.text(), /burrow/);
    t.match(err.text(), /indexing memory █+░+ \d+ of \d+/);
    t.ok(err.text().endsWith('\r\u001b[K'), 'and is gone before the answer');
  }
});
