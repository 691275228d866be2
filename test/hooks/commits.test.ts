import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { HOOK } from '../cli/run-cli.ts';
import { openCommits } from '../commit-graph/fixture.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { GitSandbox } from '../git/sandbox.ts';
import { hangingMount } from '../support/hanging-mount.ts';
import { install } from './fixture.ts';

/** Two hooks are run, of which each looks for eight seconds; a machine that is busy may take its time. */
const COMMITTED_WITHIN_S = 30;

/** A repository with hooks, and two documents of which one links to a heading of the other. */
async function subject(t: Test): Promise<GitSandbox> {
  const git = new GitSandbox(t);
  git.write('charges.md', '# Charge\n\n## Fees\n\nA Charge belongs to a Customer.\n');
  git.write('refunds.md', '# Refund\n\nSee [fees](charges.md#fees) and ![a picture](fees.png).\n');
  git.write('fees.png', '\0');
  git.commit('first');
  await install(git);
  // That of the program as it is built, which begins in half the time.
  git.git('config', 'kgraphfs.hook', HOOK);
  return git;
}

function recorded(git: GitSandbox): string[] {
  const { store, graph } = openCommits(git, 'commits.sqlite');
  try {
    return graph.log().map(({ subject }) => subject);
  } finally {
    store.close();
  }
}

t.test('a commit that breaks a link is refused, and says where', async (t) => {
  const git = await subject(t);
  git.write('new.md', '# New\n\n[gone](nowhere.md)\n');
  git.git('add', '-A');
  const refused = git.attempt('commit', '-m', 'second');
  t.equal(refused.status, 1);
  t.match(refused.stderr, /^new\.md:3:1: error: .*nowhere\.md/m);
  t.equal(git.attempt('commit', '-q', '--no-verify', '-m', 'second').status, 0);
  git.variables['KGRAPHFS_SKIP_HOOKS'] = '1';
  git.write('new.md', '# New\n\n[gone](nowhere.md) still\n');
  t.equal(git.attempt('commit', '-q', '-a', '-m', 'third').status, 0);
});

t.test('what counts is what is staged, not what lies in the folder', async (t) => {
  const git = await subject(t);
  git.write('new.md', '# New\n\n[gone](nowhere.md)\n');
  git.git('add', 'new.md');
  git.write('new.md', '# New\n\n[there](charges.md)\n');
  git.write('nowhere.md', '# Not staged\n');
  t.equal(git.attempt('commit', '-m', 'second').status, 1, 'mended in the folder alone');
  git.git('add', '-A');
  git.write('new.md', '# New\n\n[gone](elsewhere.md)\n');
  t.equal(git.attempt('commit', '-m', 'second').status, 0, 'broken in the folder alone');
});

t.test('links in files that are not staged count where a staged change breaks them', async (t) => {
  const git = await subject(t);
  git.write('charges.md', '# Charge\n\n## Costs\n');
  t.match(git.attempt('commit', '-a', '-m', 'heading'), { status: 1, stderr: /^refunds\.md:3:\d+: .*fees/m });
  git.git('checkout', '-q', 'charges.md');
  git.git('mv', 'charges.md', 'payments.md');
  t.match(git.attempt('commit', '-m', 'rename'), { status: 1, stderr: /^refunds\.md:3:\d+: .*charges\.md/m });
  git.git('reset', '-q', '--hard');
  git.git('rm', '-q', 'fees.png');
  t.match(git.attempt('commit', '-m', 'delete'), { status: 1, stderr: /^refunds\.md:3:\d+: .*fees\.png/m });
  git.git('reset', '-q', '--hard');
  git.write('charges.md', '# Charge\n\n## Fees\n\n## Costs\n');
  t.equal(git.attempt('commit', '-a', '-m', 'no harm').status, 0);
});

t.test('what was broken before, elsewhere, refuses nothing', async (t) => {
  const git = await subject(t);
  git.write('old.md', '# Old\n\n[gone](nowhere.md) and [charges](charges.md)\n');
  git.git('add', '-A');
  git.git('commit', '-q', '--no-verify', '-m', 'second');
  git.write('charges.md', '# Charge\n\n## Fees\n\nMore.\n');
  t.equal(git.attempt('commit', '-a', '-m', 'third').status, 0);
});

t.test('what a commit says nothing of may be there: submodules, and docs roots elsewhere', async (t) => {
  const other = new GitSandbox(t);
  other.write('shared.md', '# Shared\n');
  other.write('plan.png', '\0');
  other.commit('shared');
  const git = await subject(t);
  git.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other.folder, 'sub');
  git.write('new.md', '# New\n\n[shared](sub/shared.md) and ![a plan](sub/plan.png)\n');
  git.git('add', '-A');
  t.match(git.attempt('commit', '-q', '-m', 'a submodule'), { status: 0, stderr: '' });
  git.git('rm', '-q', '-f', 'sub');
  t.match(git.attempt('commit', '-q', '-m', 'none'), {
    status: 1,
    stderr: /^new\.md:3:1: .*sub\/shared\.md/m,
  });

  git.git('reset', '-q', '--hard', 'HEAD~1');
  const roots = [
    { name: 'docs', path: '.' },
    { name: 'other', path: other.folder },
  ];
  git.write('kgraphfs.config.json', JSON.stringify({ docs: roots }));
  git.write('more.md', '# More\n\n[shared](../other/shared.md)\n');
  git.git('add', '-A');
  t.match(git.attempt('commit', '-q', '-m', 'two roots'), { status: 0, stderr: '' });
  git.write('more.md', '# More\n\n[shared](../others/shared.md)\n');
  t.match(git.attempt('commit', '-a', '-m', 'no root'), { status: 1, stderr: /^more\.md:3:1: /m });
});

t.test('each commit is recorded; in a repository that moved as well', async (t) => {
  const git = await subject(t);
  const { store, graph } = openCommits(git, 'commits.sqlite');
  graph.bringTo(git.git('rev-parse', 'HEAD'));
  store.close();
  git.write('payouts.md', '# Payout\n');
  git.commit('second');
  git.git('checkout', '-q', '-b', 'other', 'HEAD~1');
  git.move();
  t.teardown(() => rmSync(git.folder, { recursive: true, force: true }));
  git.write('balances.md', '# Balance\n');
  git.commit('third');
  t.same(recorded(git), ['third', 'second', 'first']);
  const opened = openCommits(git, 'commits.sqlite');
  const past = opened.graph.at(opened.graph.commitOf('main'));
  t.ok(past.node('Payout'));
  t.notOk(past.node('Balance'));
  opened.store.close();
});

t.test('nothing that goes wrong keeps a commit from being made', async (t) => {
  const git = await subject(t);
  git.git('config', 'kgraphfs.hook', '/nowhere/hook-main.js');
  git.write('payouts.md', '# Payout\n');
  git.git('add', '-A');
  const without = git.attempt('commit', '-q', '-m', 'second');
  t.equal(without.status, 0);
  t.match(without.stderr, /^kgraphfs: not found[^\n]*\n$/, 'one line says that it is not found');
  await install(git);
  git.write('.kgraphfs/commits.sqlite', 'this is no database');
  git.write('balances.md', '# Balance\n');
  git.git('add', '-A');
  t.equal(git.attempt('commit', '-q', '-m', 'third').status, 0);
  const log = join(git.folder, '.kgraphfs/hooks.log');
  t.ok(existsSync(log) && /pre-commit.*damaged/.test(readFileSync(log, 'utf8')), 'what went wrong is logged');
});

t.test('a commit does not wait for good for docs that do not answer', needsFuse(), async (t) => {
  const git = await subject(t);
  const hanging = await hangingMount(t);
  git.write('here/a.md', '# A\n');
  symlinkSync(hanging.docs, join(git.folder, 'link'));
  git.write('kgraphfs.config.json', JSON.stringify({ docs: ['here', 'link'] }));
  git.git('add', '-A');
  hanging.hang();
  const limited = spawnSync(
    'timeout',
    ['-s', 'KILL', String(COMMITTED_WITHIN_S), 'git', 'commit', '-m', 'second'],
    {
      cwd: git.folder,
      env: git.variables,
      encoding: 'utf8',
    },
  );
  hanging.goOn();
  t.match(limited, { status: 0, stderr: /the docs were not checked: .*link: .*does not answer/ });
});
