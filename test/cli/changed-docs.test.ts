import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { choiceText, docsText, oneFolder } from '../../src/core/docs-selection.ts';
import { registerDaemon } from '../../src/state/daemons.ts';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

/** A project whose docs are indexed; this process stands for the daemon that keeps them so. */
async function served(t: Teardown): Promise<string> {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, 'docs/a.md'), '# Alpha\n');
  await runHere(['build'], { cwd });
  const state = stateFolderAt(join(cwd, '.kgraphfs'));
  prepareStateFolder(state);
  const docs = oneFolder(join(cwd, 'docs'));
  const how = { mountpoint: null, docs: docsText(docs), choice: choiceText(docs) };
  t.teardown(registerDaemon(state, how));
  return cwd;
}

t.test('a changed choice of files that a daemon has not taken up is told', async (t) => {
  const cwd = await served(t);
  t.equal((await runHere(['inspect', 'Alpha'], { cwd })).err, '');
  writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"docs": "docs", "exclude": ["b.md"]}');
  for (const args of [['inspect', 'Alpha'], ['build'], ['status']]) {
    const { err } = await runHere(args, { cwd });
    t.match(err, /settings of the docs were changed .*kgraphfs stop, then start/, args.join(' '));
  }
});

t.test('a changed list of docs is told, and refused where the index would be changed', async (t) => {
  const cwd = await served(t);
  mkdirSync(join(cwd, 'more'));
  writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"docs": ["docs", "more"]}');
  t.match((await runHere(['status'], { cwd })).err, /settings of the docs were changed/);
  t.match(await runHere(['build'], { cwd }), { status: 1, err: /serves .*kgraphfs stop --all/ });
});

t.test('docs that are gone keep nobody from what a daemon knows of them', async (t) => {
  const cwd = await served(t);
  renameSync(join(cwd, 'docs'), join(cwd, 'away'));
  const flags = ['--docs', 'docs'];
  t.match((await runHere(['inspect', 'Alpha', ...flags], { cwd })).out, /^Alpha/);
  t.equal((await runHere(['status', ...flags], { cwd })).err, '');
  t.match(await runHere(['status', '--docs', 'none', '--state', 'elsewhere'], { cwd }), {
    status: 1,
    err: /none: there is no such folder/,
  });
});
