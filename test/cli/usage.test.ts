import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { COMMANDS } from '../../src/cli/registry.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { kgraphfs, MAIN, sample } from './run-cli.ts';
import { runHere } from './run-here.ts';

t.test('help names every command, and each command shows its options and an example', async (t) => {
  const { status, out } = await runHere(['--help']);
  t.equal(status, 0);
  for (const { verb } of COMMANDS) t.match(out, `\n  ${verb} `);
  t.equal((await runHere([])).out, out);
  for (const { verb, example } of COMMANDS) {
    const help = await runHere([...verb.split(' '), '--help']);
    t.equal(help.status, 0);
    t.same(await runHere(['help', ...verb.split(' ')]), help, `help ${verb}`);
    t.match(help.out, `Usage: kgraphfs ${verb}`);
    t.match(help.out, `Example:\n  ${example}\n`);
    t.match(help.out, '--docs DIR');
  }
  t.match((await runHere(['vfs', '--help'])).out, /^Usage: kgraphfs vfs <command>/);
  t.same(await runHere(['help', 'vfs']), await runHere(['vfs', '--help']));
  t.same(await runHere(['help']), await runHere(['--help']));
  t.match(await runHere(['help', 'frob']), { status: 2, err: /unknown command frob/ });
  t.match((await runHere(['context', 'memory', '--help'])).out, /^Usage: kgraphfs context memory <command>/);
});

t.test('the version is that of the package', async (t) => {
  t.match(await runHere(['-v']), { status: 0, out: /^\d+\.\d+\.\d+\n$/ });
  t.match(kgraphfs(['--version']), { status: 0, out: /^\d+\.\d+\.\d+\n$/ });
  t.match(await runHere(['version']), { status: 0, out: /^\d+\.\d+\.\d+\n$/ });
});

t.test('a current folder that is gone is said so, and what needs none works there', async (t) => {
  const gone = mkdtempSync(join(temporaryFolder(t), 'gone-'));
  const there = (...args: string[]) =>
    spawnSync('sh', ['-c', 'rmdir "$PWD" && exec "$0" "$@"', process.execPath, MAIN, ...args], {
      cwd: gone,
      encoding: 'utf8',
    });
  const { status, stderr } = there('status', '--docs', '/');
  t.equal(status, 1);
  t.match(stderr, /kgraphfs: the current folder cannot be used \(ENOENT.*\); cd somewhere else\n$/);
  mkdirSync(gone);
  t.match(there('--version'), { status: 0, stdout: /^\d+\.\d+\.\d+\n$/ });
});

t.test('a folder whose name is not UTF-8 is neither made nor worked in under another name', async (t) => {
  const folder = temporaryFolder(t);
  const inShell = (script: string) =>
    spawnSync('sh', ['-c', `bad=$(printf 'bad\\377'); ${script}`, process.execPath, MAIN], {
      cwd: folder,
      encoding: 'utf8',
    });
  t.match(inShell('"$0" "$1" build --docs . --state "$bad"'), {
    status: 2,
    stderr: /^kgraphfs: --state of build, bad\uFFFD, is not UTF-8 text/,
  });
  t.match(inShell('"$0" "$1" mount "$bad" --docs .'), {
    status: 2,
    stderr: /^kgraphfs: <dir> of mount, bad\uFFFD, is not UTF-8 text/,
  });
  t.same(readdirSync(folder), []);
  t.match(inShell('"$0" "$1" search "$bad"'), { stderr: /nothing found for "bad\uFFFD"/ }, 'a text is taken');
  t.match(inShell('mkdir "$bad" && cd "$bad" && "$0" "$1" build'), {
    status: 1,
    stderr:
      /^kgraphfs: the current folder is not UTF-8 text, as paths have to be here: .*bad\uFFFD; rename it/,
  });
});

t.test('a folder that has U+FFFD in its name is a folder like others', async (t) => {
  const cwd = join(temporaryFolder(t), 'M\uFFFDller');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'a.md'), '# Alpha\n');
  t.match(kgraphfs(['build'], { cwd }), { status: 0 });
  t.match(kgraphfs(['stats', '--docs', cwd]), { status: 0, out: /Document +1/i });
});

t.test('a wrong command line ends with status 2, on one line and a hint', async (t) => {
  const wrong: [string[], RegExp][] = [
    [['frob'], /^kgraphfs: unknown command frob\n {2}kgraphfs --help shows how\n$/],
    [
      ['/srv/handbook', '/mnt', '-o', 'rw'],
      /mount\(8\) called this: as root, ln -s .*mount\.fuse\.kgraphfs\n/,
    ],
    [['serach', 'x'], /^kgraphfs: unknown command serach; did you mean search\?\n/],
    [
      ['memory', 'import', 'm.jsonl'],
      /^kgraphfs: unknown command memory; did you mean context memory import\?\n/,
    ],
    [['memory', 'frob'], /^kgraphfs: unknown command memory; did you mean context memory\?\n/],
    [
      ['/tmp/x', 'mount'],
      /^kgraphfs: unknown command \/tmp\/x; the command comes first: kgraphfs mount \/tmp\/x\n/,
    ],
    [['history'], /^kgraphfs: unknown command history; did you mean context history\?\n/],
    [['uninstall'], /; did you mean mcp uninstall, hooks uninstall or agents uninstall\?\n/],
    [['list'], /^kgraphfs: unknown command list; did you mean (context )?[a-z]+ list, /],
    [
      ['mount', '/tmp/x', '--frobnicate'],
      /^kgraphfs: unknown option --frobnicate of mount\n {2}kgraphfs mount --help shows how\n$/,
    ],
    [
      ['mount', '/tmp/x', '--driver', 'floppy'],
      /^kgraphfs: --driver takes linux or fuse-native, not "floppy"\n/,
    ],
    [['mount'], /^kgraphfs: mount needs <dir>\n/],
    [['mount', ''], /^kgraphfs: <dir> of mount is empty: it has to be a path\n/],
    [['unmount', '', '--force'], /^kgraphfs: <dir> of unmount is empty/],
    [['status', ''], /^kgraphfs: <dir> of status is empty/],
    [['context', 'summary', ''], /^kgraphfs: <path> of context summary is empty/],
    [['lint', 'docs', ''], /^kgraphfs: <paths> of lint is empty/],
    [['context', 'memory', 'import', ''], /^kgraphfs: <file> of context memory import is empty/],
    [
      ['session', 'resume', ''],
      /^kgraphfs: <id> of session resume is empty\n {2}kgraphfs session resume --help/,
    ],
    [['graph', 'diff', ''], /^kgraphfs: <range> of graph diff is empty\n/],
    [[''], /^kgraphfs: unknown command ""\n/],
    [['build', '--docs='], /^kgraphfs: --docs needs a value\n/],
    [['vfs'], /^kgraphfs: vfs needs one of mounts, list, read, write, search, exec\n/],
    [['vfs', 'raed', '/'], /^kgraphfs: unknown command vfs raed; did you mean read\?\n/],
    [['ask'], /^kgraphfs: ask needs a question\n/],
    [['mcp', 'install'], /^kgraphfs: --client is needed: claude-code, /],
    [['context'], /^kgraphfs: context needs one of .*memory list, memory add/],
    [['hooks'], /^kgraphfs: hooks needs one of install/],
    [['--frobnicate'], /^kgraphfs: "kgraphfs --frobnicate" names no command\n/],
    [['build', '--llm'], /^kgraphfs: build --llm needs a language model: there is no key/],
    [['search'], /^kgraphfs: search needs a <query>, or --batch\n/],
    [['search', 'x', '--batch', 'f'], /^kgraphfs: search takes a <query> or --batch, not both\n/],
    [['search', 'how', 'is', 'it'], /^kgraphfs: unexpected argument "is"; .* in quotes: "how is it"\n/],
    [['search', 'x', '--limit', '9'.repeat(20)], /whole number from 1 to 999,999,999, not "9+"\n/],
    [['build', 'docs/sample'], /^kgraphfs: unexpected argument "docs\/sample"; .*: --docs docs\/sample\n/],
    [['mount', '/tmp/ctx', 'docs'], /^kgraphfs: unexpected argument "docs"; .*: --docs docs\n/],
    [['build', 'x'.repeat(300)], /^kgraphfs: unexpected argument "x+"\n/],
    [['build', '--nosuch'], /^kgraphfs: unknown option --nosuch of build\n/],
    [['chat', '--no-llm'], /^kgraphfs: unknown option --no-llm of chat\n/],
    [
      ['context', 'memory', 'add', 'fact/', 'x'],
      /^kgraphfs: "fact\/" is not a name for an entry.*such as fact\/refunds\n/,
    ],
    [
      ['stats', '--config', 'no-such-file.json'],
      /^kgraphfs: .*no-such-file\.json: the config file cannot be read/,
    ],
  ];
  for (const [args, message] of wrong) {
    const { status, out, err } = await runHere(args);
    t.equal(status, 2, args.join(' '));
    t.match(err, message);
    t.equal(out, '');
  }
});

t.test('docs that are not there end with status 1', async (t) => {
  t.match(await runHere(['build', '--docs', 'no/such/folder']), {
    status: 1,
    err: /^kgraphfs: .*no\/such\/folder: there is no such folder/,
  });
});

t.test('a reader that stops reading ends the command quietly', async (t) => {
  const command = `'${process.execPath}' '${MAIN}' export ${sample(t).join(' ')} | head -c 20 >/dev/null; echo "$\{PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
  t.equal(stdout, '0\n');
  t.equal(stderr, '');
});

t.test('what cannot be written ends the command with one line that says why', async (t) => {
  const at = sample(t);
  t.equal(kgraphfs(['build', ...at]).status, 0);
  const into = (output: string, args: readonly string[]) => {
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', `"$@" ${output}`, '-', process.execPath, MAIN, ...args],
      {
        encoding: 'utf8',
      },
    );
    return { status, stderr };
  };
  const lost = 'kgraphfs: cannot write to standard output: no space left on device\n';
  for (const args of [
    ['--help'],
    ['--version'],
    ['build'],
    ['search', 'charge'],
    ['inspect', 'Charge'],
    ['export'],
  ])
    t.same(
      into('>/dev/full', args[0]?.startsWith('-') ? args : [...args, ...at]),
      { status: 1, stderr: lost },
      args.join(' '),
    );
  t.same(
    into('>/dev/full 2>&1', ['--help']),
    { status: 1, stderr: '' },
    'and where that cannot be said either',
  );
  const file = join(temporaryFolder(t), 'graph.json');
  const short = spawnSync(
    'bash',
    ['-c', 'ulimit -f 64; "$@" >"$0"', file, process.execPath, MAIN, 'export', ...at],
    { encoding: 'utf8' },
  );
  t.equal(statSync(file).size, 64 << 10);
  t.match(short, { status: 1, stderr: /^kgraphfs: cannot write to standard output: file too large\n$/ });
  t.same(into('2>/dev/full', ['frob']), { status: 2, stderr: '' }, 'what went wrong says the status alone');
});

t.test('colours are for terminals that want them', async (t) => {
  const escapeCode = '\u001b[';
  t.notMatch((await runHere(['--help'])).out, escapeCode);
  const onTerminal = (env: string) => {
    // The runner of this test may have a taste of its own.
    const command = `env -u NO_COLOR ${env} '${process.execPath}' '${MAIN}' --help`;
    return spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', input: '' }).stdout;
  };
  t.match(onTerminal('TERM=xterm'), escapeCode);
  t.notMatch(onTerminal('TERM=xterm NO_COLOR=1'), escapeCode);
  t.notMatch(onTerminal('TERM=dumb'), escapeCode);
});
