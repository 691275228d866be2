/** The program as it is installed: what `npm run build` makes of some of its parts is one file each. */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { DAEMON_V8_FLAGS } from '../../src/cli/mount/daemon-v8-flags.ts';
import { GitSandbox } from '../git/sandbox.ts';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
/** So many are read by threads of their own. */
const DOCUMENTS = 320;

function kgraphfs(git: GitSandbox, ...args: string[]): string {
  return execFileSync(process.execPath, [MAIN, ...args], {
    cwd: git.folder,
    env: git.variables,
    encoding: 'utf8',
  });
}

t.test('documents are read in threads, commits are checked and recorded', async (t) => {
  const git = new GitSandbox(t);
  for (let index = 0; index < DOCUMENTS; index += 1) {
    git.write(
      `docs/page-${index}.md`,
      `---\nid: P-${index}\n---\n# Page ${index}\n\nA Charge requires a Customer.\n`,
    );
  }
  git.commit('first');
  t.match(kgraphfs(git, 'build'), `built ${DOCUMENTS} documents`);
  kgraphfs(git, 'hooks', 'install');
  git.write('docs/page-0.md', '# Page 0\n\n[gone](nowhere.md)\n');
  t.match(git.attempt('commit', '-a', '-m', 'second'), {
    status: 1,
    stderr: /^docs\/page-0\.md:3:1: error: .*nowhere\.md/m,
  });
  git.write('docs/page-0.md', '# Page 0\n\n[there](page-1.md)\n');
  t.equal(git.attempt('commit', '-a', '-m', 'third').status, 0);
  t.match(kgraphfs(git, 'graph', 'log'), /\bthird\n/);
});

t.test('a daemon answers from the graph of a commit and what takes long in threads', async (t) => {
  const git = new GitSandbox(t);
  git.write('docs/charge.md', '# Charge\n\nA **Charge** requires a **Customer**.\n');
  git.commit('first');
  const { folder: cwd, variables: env } = git;
  const mounted = spawnSync(process.execPath, [MAIN, 'mount', 'ctx'], { cwd, env, encoding: 'utf8' });
  t.teardown(() => kgraphfs(git, 'unmount', 'ctx'));
  t.match(mounted, {
    status: 0,
    stderr: /^.* is in a git work tree that does not ignore it: .*echo \/ctx\/ >> /,
  });
  const read = (file: string) =>
    execFileSync('cat', [`ctx/graph/${file}`], { cwd: git.folder, encoding: 'utf8' });
  t.match(read('edges/requires.jsonl'), '"Customer"');
  t.match(read('at/HEAD/nodes/Charge'), '"Customer"');
  git.write('docs/refund.md', '# Refund\n\nA **Refund** belongs to a **Charge**.\n');
  t.match(kgraphfs(git, 'build'), /^built 2 documents/m);
  t.match(read('nodes/Refund'), '"belongs_to"');
});

t.test('what cannot be done, since too few files may be open, is said without a stack', async (t) => {
  const git = new GitSandbox(t);
  git.write('docs/charge.md', '# Charge\n');
  const script = 'ulimit -n 64; exec "$0" "$@"';
  const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, MAIN, 'mount', 'ctx'], {
    cwd: git.folder,
    env: git.variables,
    encoding: 'utf8',
  });
  // It may be mounted by then, and lack them to read the docs.
  t.teardown(() => kgraphfs(git, 'stop', '--all'));
  t.equal(status, 3);
  // What is short of them first differs from Node to Node: the daemon, or who starts it.
  t.match(stderr, /^kgraphfs: /);
  t.match(stderr, /may not have as many files open .*ulimit -n/);
  t.notMatch(stderr, /\n {4}at /);
});

t.test('what no file may be large enough for is said with the limit and the way out', async (t) => {
  const git = new GitSandbox(t);
  git.write('docs/charge.md', '# Charge\n');
  const script = 'ulimit -f 64; exec "$0" "$@"';
  const { status, stderr } = spawnSync('bash', ['-c', script, process.execPath, MAIN, 'build'], {
    cwd: git.folder,
    env: git.variables,
    encoding: 'utf8',
  });
  t.equal(status, 1);
  t.match(stderr, /index\.sqlite: disk I\/O error: .* at most \d+ bytes \(EFBIG\).*ulimit -f.*LimitFSIZE/);
});

/** Prints, for each bundle, whether V8 takes the code that is kept of it: false where it was not refused. */
const SHOW_REFUSED = `
  import { readdirSync } from 'node:fs';
  import { compileBundle } from '${new URL('../../../dist/core/bundle.js', import.meta.url)}';
  const bundles = readdirSync('dist').filter((name) => name.endsWith('.cjs'));
  const refused = bundles.map((name) => [name.replace(/-\\w{8}\\.cjs$/, ''), compileBundle('dist/' + name).cachedDataRejected]);
  console.log(JSON.stringify(Object.fromEntries(refused)));`;

t.test('the code of all that is loaded is kept, of a daemon by its flags', async (t) => {
  const refusedWith = (flags: readonly string[]): Record<string, boolean> =>
    JSON.parse(
      execFileSync(process.execPath, [...flags, '--input-type=module', '-e', SHOW_REFUSED], {
        // As the build: code is of the flags that are in NODE_OPTIONS, too.
        env: { PATH: process.env['PATH'] },
        encoding: 'utf8',
      }),
    );
  for (const flags of [[], DAEMON_V8_FLAGS]) {
    const refused = refusedWith(flags);
    t.ok(Object.keys(refused).includes('commands') && Object.keys(refused).includes('ingest-thread'));
    t.same(
      Object.entries(refused).filter(([, isRefused]) => isRefused !== false),
      [],
      flags.join(' '),
    );
  }
});

/** Has what loads the data of languages end the program. */
const WITHOUT_LANGUAGES = `data:text/javascript,${encodeURIComponent(`
  const refuse = (what) => function () { throw new Error(what + ' is asked for'); };
  for (const what of ['Segmenter', 'NumberFormat', 'DateTimeFormat', 'Collator', 'PluralRules']) Intl[what] = refuse(what);
  for (const type of [Number, Date, BigInt]) type.prototype.toLocaleString = refuse('toLocaleString');
  String.prototype.localeCompare = refuse('localeCompare');`)}`;

t.test(
  'short commands do without the data of languages, which would take a tenth of their time',
  async (t) => {
    const git = new GitSandbox(t);
    git.write('docs/charge.md', '# Charge\n\nA **Charge** requires a **Customer**.\n');
    for (const args of [
      ['--version'],
      ['build'],
      ['status', '--json'],
      ['search', 'customer', '--limit', '3'],
      ['vfs', 'read', '/docs/charge.md', '--json'],
    ]) {
      const { status, stderr } = spawnSync(process.execPath, ['--import', WITHOUT_LANGUAGES, MAIN, ...args], {
        cwd: git.folder,
        env: git.variables,
        encoding: 'utf8',
      });
      t.match({ status, stderr }, { status: 0, stderr: '' }, args.join(' '));
    }
  },
);
