import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openBelow } from '../support/open-below.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

t.test('where the file for search cannot be opened, the index does not stay open', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/charge.md'), '# Charge\n\nA `Charge` requires a `Customer`.\n');
  mkdirSync(join(folder, '.kgraphfs/search.sqlite'), { recursive: true, mode: 0o700 });
  t.match(await runHere(['build'], { cwd: folder }), { status: 1, err: /search\.sqlite/ });
  t.same(openBelow(folder), []);
});
