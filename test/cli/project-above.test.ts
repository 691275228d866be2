import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

t.test('who begins an index within the docs of a project is told of it, once', async (t) => {
  const folder = temporaryFolder(t);
  const guides = join(folder, 'docs/guides');
  mkdirSync(guides, { recursive: true });
  writeFileSync(join(folder, 'kgraphfs.config.json'), '{"docs": "docs"}');
  writeFileSync(join(guides, 'refunds.md'), '# Refunds\n\nA **Refund** requires a **Charge**.\n');
  const note = `${guides} is all that this command looks at; the project of ${join(folder, 'kgraphfs.config.json')} is used by commands run in ${folder}\n`;
  t.match(await runHere(['nodes'], { cwd: folder }), { status: 0, err: '' });
  t.match(await runHere(['nodes'], { cwd: guides }), { status: 0, out: 'Refund', err: note });
  t.match(await runHere(['nodes'], { cwd: guides }), { status: 0, out: 'Refund', err: '' });
  writeFileSync(join(guides, 'charges.md'), '# Charges\n');
  t.match(
    await runHere(['nodes'], { cwd: guides }),
    { status: 0, out: 'Charges', err: '' },
    'nor with more docs',
  );
});

t.test('who begins an index within docs that have one beside them is told where that is', async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(join(docs, 'guides'), { recursive: true });
  writeFileSync(join(docs, 'guides/refunds.md'), '# Refunds\n\nA **Refund** requires a **Charge**.\n');
  t.match(await runHere(['nodes'], { cwd: folder }), { status: 0, err: '' });
  for (const cwd of [join(docs, 'guides'), docs]) {
    const note = `${cwd} is all that this command looks at; the project of ${join(folder, '.kgraphfs')} is used by commands run in ${folder}\n`;
    t.match(await runHere(['nodes'], { cwd }), { status: 0, out: 'Refund', err: note });
    t.match(await runHere(['nodes'], { cwd }), { status: 0, out: 'Refund', err: '' }, 'once');
  }
  const beside = join(folder, 'beside');
  mkdirSync(beside);
  writeFileSync(join(beside, 'refunds.md'), '# Refunds\n');
  t.match(await runHere(['nodes'], { cwd: beside }), { err: '' }, 'not where that index has other docs');
});

t.test('a folder that is named, or in a repository of its own, is taken at its word', async (t) => {
  const folder = temporaryFolder(t);
  const [named, other] = [join(folder, 'named'), join(folder, 'other')];
  for (const project of [named, join(other, '.git')]) mkdirSync(project, { recursive: true });
  for (const project of [named, other]) writeFileSync(join(project, 'refunds.md'), '# Refunds\n');
  writeFileSync(join(folder, 'kgraphfs.config.json'), '{}');
  t.match(await runHere(['nodes', '--docs', 'named'], { cwd: folder }), { err: '' });
  t.match(await runHere(['nodes'], { cwd: other }), { err: '' });
  const own = join(folder, 'deep/own');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'refunds.md'), '# Refunds\n');
  t.match(
    await runHere(['nodes', '--docs', own], { cwd: temporaryFolder(t) }),
    { err: '' },
    'from elsewhere',
  );
  writeFileSync(join(own, 'kgraphfs.config.json'), '{"state": "state"}');
  t.match(await runHere(['nodes'], { cwd: own }), { err: '' }, 'with a config file of its own');
});
