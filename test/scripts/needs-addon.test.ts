import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { needsAddon } from '../../scripts/needs-addon.ts';
import { temporaryFolder } from '../support/temporary.ts';

const SOURCES = {
  'src/database.ts': "import Database from 'better-sqlite3';",
  'src/store.ts': "export { open } from './database.ts';",
  'src/words.ts': "import { readFileSync } from 'node:fs'; // npm has dist",
  'test/program.ts': "import '../src/store.ts';",
  'test/run.ts': "export const PLACE = process.env['KGRAPHFS_TEST_PROGRAM'];",
  'test/itself.test.ts': "import Database from 'better-sqlite3';",
  'test/by-imports.test.ts': "import { open } from '../src/store.ts';",
  'test/when-asked.test.ts': "const { open } = await import('../src/store.ts');",
  'test/by-program.test.ts': "const PROGRAM = new URL('program.js', import.meta.url);",
  'test/built.test.ts': "import { PLACE } from './run.ts';",
  'test/words.test.ts': "import { words } from '../src/words.ts';\nimport { missing } from './missing.ts';",
  'test/in-turn.test.ts': "import './in-turn.test.ts';",
};

t.test('a test needs better-sqlite3 by what it imports or begins, or by the built program', async (t) => {
  const folder = temporaryFolder(t);
  for (const [name, text] of Object.entries(SOURCES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (const name of ['itself', 'by-imports', 'when-asked', 'by-program', 'built'])
    t.equal(needsAddon(join(folder, `test/${name}.test.ts`)), true, name);
  for (const name of ['words', 'in-turn'])
    t.equal(needsAddon(join(folder, `test/${name}.test.ts`)), false, name);
});

t.test('of our own tests some do', async (t) => {
  t.equal(needsAddon('test/store/database.test.ts'), true);
  t.equal(needsAddon('test/cli/mount/mount.test.ts'), true);
  t.equal(needsAddon('test/core/names.test.ts'), false);
});
