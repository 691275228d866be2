import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

const VERBS = [['search'], ['context', 'build'], ['context', 'recall'], ['vfs', 'search']];

async function project(t: Teardown): Promise<string> {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, 'docs/refunds.md'), '# Refunds\n\nA refund takes five days.\n');
  await runHere(['build'], { cwd });
  return cwd;
}

t.test('a question that is on standard input is that of the command line', async (t) => {
  const cwd = await project(t);
  for (const verb of VERBS) {
    const said = await runHere([...verb, 'refund takes days', '--json'], { cwd });
    const given = await runHere([...verb, '-', '--json'], { cwd, input: 'refund takes\ndays\n' });
    const [one, other] = [JSON.parse(said.out), JSON.parse(given.out)];
    t.equal(given.status, said.status, verb.join(' '));
    const { query, question } = other.call.args;
    t.equal(query ?? question, 'refund takes\ndays', verb.join(' '));
    t.same(other.hits ?? other.items ?? other.turns, one.hits ?? one.items ?? one.turns, verb.join(' '));
  }
});

t.test('where nothing is on it, the command says so', async (t) => {
  const cwd = await project(t);
  for (const verb of VERBS)
    t.match(
      await runHere([...verb, '-'], { cwd, input: ' \n' }),
      { status: 2, err: /- means standard input, which is empty/ },
      verb.join(' '),
    );
});
