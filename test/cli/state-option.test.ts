import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

/** A project with documents, and a folder `shared` that others work in. */
function project(t: Teardown): string {
  const folder = temporaryFolder(t);
  for (const name of ['docs', 'shared', 'shared/modules']) mkdirSync(join(folder, name), { mode: 0o755 });
  writeFileSync(join(folder, 'docs/charge.md'), '# Charge\n');
  writeFileSync(join(folder, 'shared/notes.txt'), '');
  return folder;
}

/** What is there, with its mode. */
function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .concat('.')
    .map((name) => `${name} ${(statSync(join(folder, name)).mode & 0o777).toString(8)}`);
}

t.test('a folder of documents, or around them, is no state folder', async (t) => {
  const cwd = project(t);
  const before = listing(cwd);
  for (const state of ['docs', '.', '..', '/'])
    for (const verb of [
      ['build'],
      ['check', '--repair'],
      ['wipe', '--all', '--yes'],
      ['context', 'history'],
    ]) {
      const ran = await runHere([...verb, '--docs', 'docs', '--state', state], { cwd });
      t.match(
        ran,
        {
          status: 2,
          out: '',
          err: /the state folder cannot be, or contain, the docs root .*\/docs; choose a separate folder with --state, such as \/.*\.kgraphfs\n/,
        },
        `${verb[0]} --state ${state}`,
      );
    }
  writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"docs": "docs", "state": "docs"}');
  t.match(await runHere(['build'], { cwd }), { status: 2, err: /such as .*\/docs\/\.kgraphfs/ });
  t.match(await runHere(['build'], { cwd }), { err: /with "state" in the config file/ });
  t.same(
    listing(cwd).filter((line) => !line.startsWith('kgraphfs.config.json')),
    before,
    'all is as it was',
  );
});

t.test('a folder that others work in is no state folder', async (t) => {
  const cwd = project(t);
  const before = listing(cwd);
  for (const verb of [
    ['build'],
    ['check', '--repair'],
    ['wipe', '--all', '--yes'],
    ['status'],
    ['session', 'list'],
  ])
    t.match(
      await runHere([...verb, '--state', 'shared'], { cwd }),
      {
        status: 1,
        out: '',
        err: /\/shared: there are other things in this folder \(.*notes\.txt\).* --state, such as/,
      },
      verb[0] ?? '',
    );
  t.same(listing(cwd), before, 'all is as it was');
  t.match(await runHere(['build', '--state', 'shared/.kgraphfs'], { cwd }), {
    status: 0,
    out: /built 1 document/,
  });
});

/** Which commands read, write and tidy up in the state folder. */
const WORKING_THERE = [
  ['build'],
  ['search', 'charge'],
  ['status'],
  ['stop'],
  ['check', '--repair'],
  ['context', 'history'],
  ['context', 'memory', 'list'],
  ['vfs', 'write', '/context/memory/fact/a', 'kept'],
  ['ask', 'charge', '--no-llm'],
];

t.test('a state folder that came with a repository leads nowhere else', async (t) => {
  const cwd = project(t);
  const [outside, state] = [join(cwd, 'outside'), join(cwd, '.kgraphfs')];
  mkdirSync(outside);
  for (const name of ['settings.json', 'settings.status', 'a.txt'])
    writeFileSync(join(outside, name), 'kept');
  const before = listing(outside);
  const links: [name: string, target: string][] = [
    ['daemons', '../outside'],
    ['scratchpads', '../outside'],
    ['index.sqlite', '../outside/new.sqlite'],
    ['context.sqlite', '../outside/new.sqlite'],
    ['daemon.log', '../outside/a.txt'],
    ['learning.json.17', '../outside/a.txt'],
  ];
  for (const [name, target] of links) {
    mkdirSync(state, { recursive: true });
    symlinkSync(target, join(state, name));
    for (const verb of WORKING_THERE)
      t.match(
        await runHere(verb, { cwd }),
        { status: 1, err: new RegExp(`\\.kgraphfs/${name}: it is a link, .*; remove it, or .*--state`) },
        `${verb.join(' ')}: ${name}`,
      );
    t.equal((await runHere(['env'], { cwd })).status, 0, 'this looks for daemons, and needs no state folder');
    t.equal((await runHere(['wipe', '--yes'], { cwd })).status, 0, 'this follows no link');
    t.same(listing(outside), before, name);
    rmSync(join(state, name), { force: true });
  }
  mkdirSync(state, { recursive: true });
  execFileSync('mkfifo', [join(state, 'context.sqlite')]);
  t.match(await runHere(['status'], { cwd }), {
    status: 1,
    err: /context\.sqlite: it is no file and no folder/,
  });
});
