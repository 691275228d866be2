/** Documents that take more memory to read than the program may use. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { GitSandbox } from '../git/sandbox.ts';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
/** A project whose docs are read with as much old space as Node has on a small machine. */
function smallMachine(t: Test, heapMebibytes: number) {
  const git = new GitSandbox(t);
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [`--max-old-space-size=${heapMebibytes}`, MAIN, ...args], {
      cwd: git.folder,
      env: git.variables,
      encoding: 'utf8',
    });
  return { git, run };
}

t.test('a document that takes too much memory is named, and all others are read', async (t) => {
  const { git, run } = smallMachine(t, 96);
  git.write('docs/charge.md', '# Charge\n\nSee [the log](log.md).\n');
  git.write('docs/refund.md', '# Refund\n\nA **Refund** requires a **Charge**.\n');
  git.write('docs/log.md', 'abcdef\n'.repeat(600_000));
  const first = run('build');
  t.equal(first.status, 0, first.stderr);
  t.match(first.stdout, 'built 3 documents (3 added');
  t.match(first.stderr, '1 problem in the docs');
  t.match(JSON.parse(run('vfs', 'read', '/.kgraphfs/errors.jsonl').stdout), {
    code: 'unreadable',
    path: '/docs/log.md',
    message:
      /^this document could not be read: it has too many .* MiB of memory .*; split it into several documents$/,
  });
  t.match(run('build').stdout, '0 added, 0 changed', 'it is tried once');
  git.write('docs/log.md', '# Log\n\nabcdef\n');
  t.match(run('build').stdout, '0 added, 1 changed', 'and again once it changed');
  t.equal(run('vfs', 'read', '/.kgraphfs/errors.jsonl').stdout, '');
});

t.test('documents that fit one by one are all read, however many there are', async (t) => {
  const { git, run } = smallMachine(t, 64);
  for (let number = 0; number < 6; number += 1) {
    const sections = Array.from(
      { length: 3500 },
      (_, at) => `## Part ${number} ${at}\n\nIt is about **Thing${at}** and \`code${at}\`.\n`,
    );
    git.write(`docs/long-${number}.md`, sections.join('\n'));
  }
  const { status, stdout, stderr } = run('build');
  t.same({ status, stderr }, { status: 0, stderr: '' });
  t.match(stdout, 'built 6 documents (6 added');
});
