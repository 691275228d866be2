import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { MAIN } from './run-cli.ts';
import { runHere } from './run-here.ts';

/** A folder with a few pages in each of these folders. */
function project(t: Teardown, ...folders: string[]): string {
  const folder = temporaryFolder(t);
  for (const name of folders) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'page.md'), '# A page\n');
  }
  return folder;
}

function configOf(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, 'kgraphfs.config.json'), 'utf8'));
}

/** Runs a command line on a terminal, where these lines are typed. */
function onTerminal(
  cwd: string,
  args: readonly string[],
  typed: string,
): { status: number | null; out: string } {
  const command = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ');
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd,
    input: typed,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { status, out: stdout };
}

t.test('the likeliest docs folder is taken, and the project works at once', async (t) => {
  const cwd = project(t, 'zebra', 'specs', 'node_modules/thing');
  const { status, out } = await runHere(['init', '--yes'], { cwd });
  t.equal(status, 0);
  t.match(out, /wrote .*kgraphfs\.config\.json: docs specs\n/);
  t.same(configOf(cwd), { docs: 'specs' });
  t.match((await runHere(['build'], { cwd })).out, /built 1 document/);
  t.notOk(existsSync(join(cwd, '.gitignore')), 'nothing else was written');
});

t.test('a docs folder that is not there is named, and nothing is written', async (t) => {
  const cwd = project(t, 'docs');
  const refused = (docs: string) => runHere(['init', '--docs', docs], { cwd });
  t.match(await refused('nope'), { status: 1, err: /\/nope: there is no such folder \(--docs\)\n$/ });
  t.match(await refused('docs/page.md'), { status: 1, err: /page\.md: this is not a folder \(--docs\)\n$/ });
  t.same(readdirSync(cwd), ['docs']);
});

t.test('flags say it all', async (t) => {
  const cwd = project(t, 'a', 'b');
  const args = ['--docs', 'a', '--docs', 'b', '--state', 'var/kg', '--gitignore', '--json'];
  const { status, out } = await runHere(['init', ...args], { cwd });
  t.equal(status, 0);
  t.match(JSON.parse(out), { docs: [join(cwd, 'a'), join(cwd, 'b')], state_dir: join(cwd, 'var/kg') });
  t.same(configOf(cwd), { docs: ['a', 'b'], state: 'var/kg' });
  t.equal(readFileSync(join(cwd, '.gitignore'), 'utf8'), 'var/kg/\n');
  t.match((await runHere(['build'], { cwd })).out, /built 2 documents/);
});

t.test('a line of .gitignore is added once, after what is there', async (t) => {
  const cwd = project(t, 'docs');
  writeFileSync(join(cwd, '.gitignore'), 'dist');
  for (let times = 0; times < 2; times += 1) {
    await runHere(['init', '--yes', '--force', '--gitignore'], { cwd });
    t.equal(readFileSync(join(cwd, '.gitignore'), 'utf8'), 'dist\n.kgraphfs/\n');
  }
});

t.test('what is in .gitignore stays byte for byte, and one that cannot be read is told', async (t) => {
  const cwd = t.testdir({ docs: { 'a.md': '# A' } });
  const file = join(cwd, '.gitignore');
  writeFileSync(file, Buffer.from('caf\u00e9/\r\n', 'latin1'));
  await runHere(['init', '--yes', '--gitignore'], { cwd });
  t.equal(readFileSync(file, 'latin1'), 'caf\u00e9/\r\n.kgraphfs/\n');
  rmSync(file);
  mkdirSync(file);
  t.match(await runHere(['init', '--yes', '--force', '--gitignore'], { cwd }), {
    status: 1,
    err: /\.gitignore: the state folder cannot be added to it: .*; the config file is written/,
  });
});

t.test('a .gitignore that leads elsewhere is left alone, and all else with it', async (t) => {
  const cwd = project(t, 'docs');
  writeFileSync(join(cwd, 'elsewhere'), 'kept');
  for (const target of ['elsewhere', 'missing']) {
    symlinkSync(target, join(cwd, '.gitignore'));
    t.match(await runHere(['init', '--yes', '--gitignore'], { cwd }), {
      status: 1,
      err: /\.gitignore: it is a link, .*; replace it with a file, or leave out --gitignore/,
    });
    rmSync(join(cwd, '.gitignore'));
  }
  t.equal(readFileSync(join(cwd, 'elsewhere'), 'utf8'), 'kept');
  t.notOk(existsSync(join(cwd, 'missing')));
  t.notOk(existsSync(join(cwd, 'kgraphfs.config.json')));
});

t.test('a config file that is there stays, unless it is to be replaced', async (t) => {
  const cwd = project(t, 'docs');
  const file = join(cwd, 'kgraphfs.config.json');
  writeFileSync(file, '{"mount": {"readOnly": true}}');
  t.match(await runHere(['init', '--yes'], { cwd }), { status: 1, err: /is there already.*--force/ });
  t.match(readFileSync(file, 'utf8'), /readOnly/);
  t.match(await runHere(['init', '--yes', '--force'], { cwd }), { status: 0, out: /^replaced / });
  t.same(configOf(cwd), { docs: 'docs' });
});

t.test('a link in the place of the config file is replaced, not followed', async (t) => {
  const cwd = project(t, 'docs');
  const file = join(cwd, 'kgraphfs.config.json');
  writeFileSync(join(cwd, 'elsewhere'), 'kept');
  symlinkSync('elsewhere', file);
  t.match(await runHere(['init', '--yes'], { cwd }), { status: 1 });
  t.match(await runHere(['init', '--yes', '--force'], { cwd }), { status: 0 });
  t.ok(lstatSync(file).isFile());
  t.equal(readFileSync(join(cwd, 'elsewhere'), 'utf8'), 'kept');
});

t.test('what cannot work is refused, and nothing is written', async (t) => {
  const cwd = project(t, 'docs');
  t.match(await runHere(['init', '--yes', '--config', 'docs/page.md/x.json'], { cwd }), {
    status: 1,
    err: /docs\/page\.md: this is not a folder \(--config\)/,
  });
  t.match(await runHere(['init', '--docs', 'none'], { cwd }), {
    status: 1,
    err: /none: there is no such folder/,
  });
  t.match(await runHere(['init', '--docs', 'docs', '--state', '/tmp/x'], { cwd }), {
    status: 2,
    err: /--state/,
  });
  t.match(await runHere(['init'], { cwd }), {
    status: 2,
    err: /no terminal to ask on; give --docs DIR, or --yes/,
  });
  t.notOk(existsSync(join(cwd, 'kgraphfs.config.json')));
});

t.test('a folder without markdown is taken, with a word about it', async (t) => {
  const cwd = project(t);
  t.match(await runHere(['init', '--yes'], { cwd }), { status: 0, err: /there is no markdown in \. yet/ });
  t.same(configOf(cwd), { docs: '.' });
});

t.test('on a terminal it asks, and the usual answers are an empty line away', async (t) => {
  const cwd = project(t, 'docs', 'notes', '.git');
  const usual = onTerminal(cwd, ['init'], '\n\n');
  t.match(usual, { status: 0, out: /Which folder holds the docs\? \[docs\]/ });
  t.same(configOf(cwd), { docs: 'docs' });
  t.match(readFileSync(join(cwd, '.gitignore'), 'utf8'), /^\.kgraphfs\/$/m);
  t.equal(onTerminal(cwd, ['init'], 'n\n').status, 1);
  t.equal(onTerminal(cwd, ['init'], 'y\nnotes\nn\n').status, 0);
  t.same(configOf(cwd), { docs: 'notes' });
});

t.test('the end of the input is no answer, and all stays as it was', async (t) => {
  const cwd = project(t, 'docs', '.git');
  const ended = { status: 1, out: /the input ended before there was an answer; nothing was changed/ };
  t.match(onTerminal(cwd, ['init'], ''), ended, 'at the first question');
  t.match(onTerminal(cwd, ['init'], 'docs\n'), ended, 'at the last one');
  t.same(readdirSync(cwd).sort(), ['.git', 'docs']);
  await runHere(['build'], { cwd });
  t.match(onTerminal(cwd, ['wipe', '--all'], ''), ended);
  t.ok(existsSync(join(cwd, '.kgraphfs/index.sqlite')));
});

t.test('wipe asks, and takes no answer for a no', async (t) => {
  const cwd = project(t, 'docs');
  await runHere(['build'], { cwd });
  t.match(onTerminal(cwd, ['wipe'], '\n'), { status: 1, out: /the index .*nothing was removed/s });
  t.ok(existsSync(join(cwd, '.kgraphfs/index.sqlite')));
  t.match(onTerminal(cwd, ['wipe', '--all'], 'yes\n'), { status: 0, out: /cannot be made again/ });
  t.notOk(existsSync(join(cwd, '.kgraphfs')));
});

t.test('a config file elsewhere is named in what to do next, and its folder has to be there', async (t) => {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, 'docs'));
  const refused = await runHere(['init', '--docs', 'docs', '--config', 'none/x.json'], { cwd });
  t.match(refused, { status: 1, err: /none: there is no such folder \(--config\)/ });
  const { status, out } = await runHere(['init', '--docs', 'docs', '--config', 'x.json'], { cwd });
  t.equal(status, 0);
  t.match(out, /next: "kgraphfs build --config x\.json"/);
});

t.test('what an init that was killed left behind hinders no other', async (t) => {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, 'kgraphfs.config.json.new'), '{');
  t.match(await runHere(['init', '--docs', 'docs'], { cwd }), { status: 0 });
  t.same(readdirSync(cwd).sort(), ['docs', 'kgraphfs.config.json', 'kgraphfs.config.json.new']);
});
