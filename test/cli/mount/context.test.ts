import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs } from '../run-cli.ts';
import { mountPlace, until } from './mount-place.ts';

const LIMIT_MS = 60_000;
const QUESTION = 'How does a quokka refund a charge?';

onEachDriver('a question is a file, and so is a summary', needsFuse(), async (t, driver) => {
  const { folder, mountpoint, state } = mountPlace(t);
  const docs = join(folder, 'docs');
  cpSync('docs/sample', docs, { recursive: true });
  const options = ['--docs', docs, '--state', state];
  const { status, err } = kgraphfs(['mount', mountpoint, '--wait', '--driver', driver, ...options]);
  t.equal(status, 0, err);
  const shell = (command: string) => {
    const { stdout, stderr } = spawnSync('bash', ['-c', `cd '${mountpoint}/context' && ${command}`], {
      encoding: 'utf8',
      timeout: LIMIT_MS,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    return { out: stdout, err: stderr };
  };
  const ask = () => shell(`cat "for/${QUESTION}"`).out;

  const context = ask();
  t.match(context, `# Context: ${QUESTION}`);
  t.match(context, '### docs/charges/');
  t.equal(ask(), context, 'the same bytes');
  t.equal(shell(`stat -c '%s %A' "for/${QUESTION}"`).out, `${Buffer.byteLength(context)} -rw-------\n`);
  t.equal(kgraphfs(['context', 'build', QUESTION, ...options]).out, context, 'as the command says');
  t.same(
    shell('ls for summary summary/docs summary/docs/charges').out.match(/\.md/g),
    null,
    'nothing is listed',
  );
  for (const name of ['.git', 'HEAD', ' ']) t.match(shell(`cat "for/${name}"`).err, /No such file/, name);
  t.match(shell(`cat "for/${QUESTION}/x"`).err, /Not a directory/);
  t.match(shell(`echo x > "for/${QUESTION}"`).err, /Read-only/);

  writeFileSync(join(docs, 'quokka.md'), '# Quokka\n\nA quokka refunds a charge by hand.\n');
  await until('the new document', () => /A quokka refunds a charge by hand/.test(ask()));
  shell('echo "the quokka refunds a charge on Mondays" > memory/fact/quokka');
  await until('the memory', () => /on Mondays/.test(ask()));
  const history: { path: string }[] = JSON.parse(
    kgraphfs(['context', 'history', '--json', '--type', 'read', ...options]).out,
  );
  t.ok(history.some(({ path }) => path === `/context/for/${QUESTION}`));

  const summary = shell('cat summary/docs/quokka.md').out;
  t.match(summary, /^# Quokka\n\nSummary of docs\/quokka\.md, 3 lines\.\n/);
  t.equal(kgraphfs(['context', 'summary', 'docs/quokka.md', ...options]).out, summary);
  t.match(shell('cat summary/docs/charges.md').out, /^# docs\/charges\/\n\nSummary of \d+ documents/);
  t.match(shell('cat summary/docs.md').out, /^# docs\/\n/);
  t.match(shell('cat summary/docs/none.md').err, /No such file/);
});
