import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { diskInMemory, needsRootToMount } from '../support/disk-in-memory.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import type { Ran } from './run-cli.ts';
import { runHere } from './run-here.ts';

interface Place {
  readonly project: string;
  readonly own: string;
  run(...args: string[]): Promise<Ran>;
}

/** A project with docs, and a user's own config folder. */
function place(t: Teardown): Place {
  const folder = temporaryFolder(t);
  const [project, own] = [join(folder, 'project'), join(folder, 'own')];
  mkdirSync(join(project, 'docs'), { recursive: true });
  writeFileSync(join(project, 'docs', 'a.md'), '# A\n');
  return {
    project,
    own,
    run: (...args) => runHere(['mcp', ...args], { cwd: project, env: { XDG_CONFIG_HOME: own } }),
  };
}

const FILES = {
  'claude-code': '.mcp.json',
  cursor: '.cursor/mcp.json',
  gemini: '.gemini/settings.json',
  vscode: '.vscode/mcp.json',
};

t.test("each client's file gets an entry that starts the server, and loses it again", async (t) => {
  for (const [client, name] of Object.entries(FILES)) {
    const { project, run } = place(t);
    const file = join(project, name);
    t.match(await run('install', '--client', client, '--dry-run'), {
      status: 0,
      out: /^\+\+\+ b\/.*\n@@[\s\S]*"kgraphfs"/m,
    });
    t.notOk(existsSync(file), `${client}: a dry run writes nothing`);
    t.equal((await run('install', '--client', client)).status, 0);
    const servers = JSON.parse(readFileSync(file, 'utf8'))[client === 'vscode' ? 'servers' : 'mcpServers'];
    const { command, args } = servers.kgraphfs;
    t.same(
      args.slice(1),
      ['mcp', '--docs', join(project, 'docs'), '--state', join(project, '.kgraphfs')],
      client,
    );
    const help = spawnSync(command, [args[0], 'mcp', '--help'], { encoding: 'utf8' });
    t.match(help.stdout, /Model Context Protocol/, client);
    t.match(await run('install', '--client', client), { status: 0, out: '', err: /nothing to do/ });
    t.match(await run('install', '--client', client, '--uninstall', '--dry-run'), { out: /^-.*"kgraphfs"/m });
    t.match(await run('uninstall', '--client', client), { status: 0, err: /removed from/ });
    t.notOk(existsSync(file), client);
    t.equal(
      existsSync(join(project, name.split('/')[0] ?? '')),
      false,
      `${client}: a folder that was made goes too`,
    );
  }
});

t.test('what else is in a file stays, byte for byte, with its permissions', async (t) => {
  const { project, run } = place(t);
  mkdirSync(join(project, '.vscode'));
  const [file, real] = [join(project, '.vscode/mcp.json'), join(project, 'dotfiles.json')];
  const text =
    '{\n    // ours\n    "inputs": [],\n    "servers": {\n        "other": { "command": "x", }, // keep\n    },\n}\n';
  writeFileSync(real, text);
  chmodSync(real, 0o640);
  symlinkSync(real, file);
  t.equal((await run('install', '--client', 'vscode')).status, 0);
  t.match(readFileSync(real, 'utf8'), /"servers": \{\n {8}"kgraphfs": \{\n {12}"type": "stdio",/);
  // A server that is added meanwhile stays.
  writeFileSync(real, readFileSync(real, 'utf8').replace('// keep\n', '// keep\n        "new": {},\n'));
  t.equal((await run('uninstall', '--client', 'vscode')).status, 0);
  t.equal(readFileSync(file, 'utf8'), text.replace('// keep\n', '// keep\n        "new": {},\n'));
  t.equal(statSync(real).mode & 0o777, 0o640);
});

t.test(
  'an entry that is out of date is updated, and one of somebody else is not, unless it is forced',
  async (t) => {
    const { project, run } = place(t);
    const file = join(project, '.mcp.json');
    const theirs = '{"mcpServers": {"kgraphfs": {"command": "mine"}}}\n';
    writeFileSync(file, theirs);
    t.match(await run('install', '--client', 'claude-code'), { status: 1, err: /--force/ });
    for (const undo of [['uninstall'], ['install', '--uninstall']]) {
      t.match(await run(...undo, '--client', 'claude-code'), { status: 1, err: /--force/ });
    }
    t.equal(readFileSync(file, 'utf8'), theirs);
    t.match(await run('uninstall', '--client', 'claude-code', '--force', '--dry-run'), {
      status: 0,
      out: /^-/m,
    });
    t.equal((await run('install', '--client', 'claude-code', '--force')).status, 0);
    t.equal((await run('install', '--client', 'claude-code', '--command', 'kgraphfs')).status, 0);
    t.match(JSON.parse(readFileSync(file, 'utf8')), {
      mcpServers: { kgraphfs: { command: 'kgraphfs', type: 'stdio' } },
    });
    t.equal((await run('uninstall', '--client', 'claude-code')).status, 0);
    t.same(JSON.parse(readFileSync(file, 'utf8')), { mcpServers: {} });
  },
);

t.test('a broken file is left as it is, and its line said', async (t) => {
  const { project, run } = place(t);
  const file = join(project, '.mcp.json');
  for (const text of [
    '{\n  "mcpServers": {\n    "a": {}\n    "b": {}\n  }\n}\n',
    '{"a": 1, // no\n}',
    '\0\xff',
  ]) {
    writeFileSync(file, text, 'latin1');
    t.match(await run('install', '--client', 'claude-code'), {
      status: 1,
      err: /\.mcp\.json:?\d*.*left as it is/,
    });
    t.match(await run('uninstall', '--client', 'claude-code'), { status: 1 });
    t.equal(readFileSync(file, 'latin1'), text);
  }
});

t.test("a desktop client's file is the user's own, and nobody else's", async (t) => {
  const { own, run } = place(t);
  t.match(await run('install'), { status: 2, err: /--client/ });
  t.equal((await run('install', '--client', 'claude-desktop')).status, 0);
  const file = join(own, 'Claude', 'claude_desktop_config.json');
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.match(await run('uninstall', '--client', 'claude-desktop', '--json'), { out: /"action": "remove"/ });
  t.notOk(existsSync(join(own, 'Claude')));
});

t.test('a project that is not there is said so', async (t) => {
  const { run } = place(t);
  for (const folder of ['/nonexistent', 'docs/a.md/x'])
    t.match(await run('install', '--client', 'vscode', '--project', folder), {
      status: 1,
      err: /(?:nonexistent|a\.md\/x): there is no such folder \(--project\)/,
    });
  t.match(await run('install', '--client', 'vscode', '--project', 'docs/a.md'), {
    status: 1,
    err: /docs\/a\.md: this is not a folder \(--project\)\n$/,
  });
});

t.test('a client whose file cannot be written gets no folder either', needsRootToMount, async (t) => {
  const { project, run } = place(t);
  const disk = diskInMemory(t, 'size=64k');
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(64 * 1024));
  const { status, err } = await run('install', '--client', 'cursor', '--project', disk, '--docs', project);
  t.match({ status, err }, { status: 1, err: /\.cursor\/mcp\.json: cannot be written: ENOSPC/ });
  t.same(readdirSync(disk), ['ballast']);
});
