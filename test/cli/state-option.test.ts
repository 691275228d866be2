import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
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
          err: /the state folder cannot be, or hold, the docs root .*\/docs; name one of its own with --state, such as \/.*\.kgraphfs\n/,
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
