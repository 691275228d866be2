/** Documents that take more memory to read than the program may use. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { GitSandbox } from '../git/sandbox.ts';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
/** Old space, as Node has it on a small machine. */
const HEAP_MEBIBYTES = 96;

t.test('a document that takes too much memory is named, and all others are read', async (t) => {
  const git = new GitSandbox(t);
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

  function run(...args: string[]) {
    return spawnSync(process.execPath, [`--max-old-space-size=${HEAP_MEBIBYTES}`, MAIN, ...args], {
      cwd: git.folder,
      env: git.variables,
      encoding: 'utf8',
    });
  }
});
