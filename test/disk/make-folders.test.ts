import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { makeFolders } from '../../src/disk/make-folders.ts';
import { needsRoot } from '../durability/small-disk.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('folders are made with all that they lie in, and the first that was made is told', async (t) => {
  const top = temporaryFolder(t);
  t.equal(makeFolders(join(top, 'a/b/c'), 0o700), join(top, 'a'));
  for (const name of ['a', 'a/b', 'a/b/c']) t.equal(statSync(join(top, name)).mode & 0o777, 0o700, name);
  t.equal(makeFolders(join(top, 'a/b/c')), undefined);
});

t.test('what is in the way is said', async (t) => {
  const top = temporaryFolder(t);
  writeFileSync(join(top, 'file'), '');
  symlinkSync('nowhere', join(top, 'link'));
  t.throws(() => makeFolders(join(top, 'file')), { code: 'EEXIST', path: join(top, 'file') });
  t.throws(() => makeFolders(join(top, 'file/b')), { code: 'ENOTDIR' });
  t.throws(() => makeFolders(join(top, 'link/b')), { code: 'EEXIST', path: join(top, 'link') });
});

t.test('where nothing can be made in a folder that is there, it ends', async (t) => {
  for (const folder of ['/proc/self/new', '/proc/self/new/a/b'])
    t.throws(() => makeFolders(folder), { code: 'ENOENT', path: '/proc/self/new' }, folder);
});

t.test('a link to a folder is as good as one', async (t) => {
  const top = temporaryFolder(t);
  mkdirSync(join(top, 'there'));
  symlinkSync('there', join(top, 'link'));
  t.equal(makeFolders(join(top, 'link')), undefined);
  t.equal(makeFolders(join(top, 'link/b/c')), join(top, 'link/b'));
  t.ok(statSync(join(top, 'there/b/c')).isDirectory());
});

t.test('a disk that can only be read is said to be one', needsRoot(), async (t) => {
  const disk = join(temporaryFolder(t), 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', disk]);
  t.teardown(() => execFileSync('umount', [disk]));
  for (const folder of ['a', 'a/b/c'])
    t.throws(() => makeFolders(join(disk, folder)), { code: 'EROFS' }, folder);
});
