import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

t.test('a document that the disk refuses is named, with the reason', async (t) => {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, 'docs/stories'), 'in the way of a folder');
  const ran = await runHere(['new', 'story', 'Refunds', '--docs', 'docs'], { cwd });
  t.match(ran, { status: 1, out: '', err: /refunds\.md: the document cannot be written: .*--dry-run/ });
  t.same(readdirSync(join(cwd, 'docs')), ['stories']);
});
