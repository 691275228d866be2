import { appendFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { askQuickly } from '../../src/cli/quick-ask.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { memoryOutput } from './memory-output.ts';
import { runHere } from './run-here.ts';

const QUESTION = 'How does a subscription renewal create a charge and trigger a webhook?';
/** Files that changed less than 50 ms ago may change once more and look the same. */
const SETTLED_MS = 80;

const folder = temporaryFolder(t);
const docs = join(folder, 'docs');
cpSync('docs/sample', docs, { recursive: true });
const place = ['--docs', docs, '--state', join(folder, 'state')];

async function quickly(...tokens: string[]) {
  const [out, err] = [memoryOutput(), memoryOutput()];
  const status = await askQuickly([...tokens, ...place], {
    out,
    err,
    input: Readable.from([]),
    workingFolder: () => process.cwd(),
    debug: true,
    environment: readEnvironment({ XDG_CONFIG_HOME: '/nowhere' }),
  });
  return { status, out: out.text(), err: err.text() };
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
