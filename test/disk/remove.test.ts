import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { removeFile, removeTree } from '../../src/disk/remove.ts';
import { temporaryFolder } from '../support/temporary.ts';

const TOO_LONG = 'n'.repeat(256);

t.test('a file is removed, a link and not what it leads to, and no folder', async (t) => {
  const top = temporaryFolder(t);
  writeFileSync(join(top, 'file'), '');
  symlinkSync('file', join(top, 'link'));
  removeFile(join(top, 'link'));
  t.same(readdirSync(top), ['file']);
  removeFile(join(top, 'file'));
  removeFile(join(top, 'file'));
  t.same(readdirSync(top), []);
  t.throws(() => removeFile(top), { code: 'EISDIR' });
});

t.test('a folder is removed with all that is in it, and nothing else', async (t) => {
  const top = temporaryFolder(t);
  mkdirSync(join(top, 'kept'));
  mkdirSync(join(top, 'tree/a/b'), { recursive: true });
  for (const name of ['kept/file', 'tree/file', 'tree/a/b/file']) writeFileSync(join(top, name), '');
  for (const name of ['tree/link', 'tree/a/b/link']) symlinkSync(join(top, 'kept'), join(top, name));
  symlinkSync('nowhere', join(top, 'tree/broken'));
  removeTree(join(top, 'tree'));
  removeTree(join(top, 'tree'));
  t.same(readdirSync(top), ['kept']);
  symlinkSync('kept', join(top, 'link'));
  removeTree(join(top, 'link'));
  t.ok(existsSync(join(top, 'kept/file')));
  removeTree(join(top, 'kept/file'));
  t.same(readdirSync(join(top, 'kept')), []);
});

t.test('what cannot be removed has its code', async (t) => {
  const top = temporaryFolder(t);
  for (const remove of [removeFile, removeTree])
    t.throws(() => remove(join(top, TOO_LONG)), { code: 'ENAMETOOLONG' }, remove.name);
  t.throws(() => removeTree('/proc/self/status'), { code: 'EPERM' });
});
