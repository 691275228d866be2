import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { atPlace, findLater, noteServedDisk } from '../../src/system/found-place.ts';
import { temporaryFolder } from '../support/temporary.ts';

const SERVED = { message: /lies in the mount/ };

/** `major:minor` of a disk, as sysmacros.h takes `st_dev` apart. */
function deviceOf(path: string): string {
  const { dev } = statSync(path);
  return `${Math.floor(dev / 0x100) & 0xfff}:${(dev & 0xff) | (Math.floor(dev / 0x1000) & 0xf_ff00)}`;
}

t.test('what lies on a disk that this process serves is not found while it does', async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(folder, join(folder, 'link'));
  const endServing = noteServedDisk(deviceOf(folder));
  const before = readdirSync('/proc/self/fd').length;
  await t.rejects(findLater(join(folder, 'link')), SERVED);
  await t.rejects(
    atPlace(folder, 0, () => t.fail('it is not looked at')),
    SERVED,
  );
  t.equal(readdirSync('/proc/self/fd').length, before, 'no descriptor stays');
  endServing();
  t.equal(await atPlace(join(folder, 'link'), 0, (handlePath) => readlinkSync(handlePath)), folder);
});

t.test('what was found stays the same, whatever comes to lie at its path', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a'), '');
  const names = await atPlace(join(folder, 'docs'), 0, (handlePath) => {
    renameSync(join(folder, 'docs'), join(folder, 'moved'));
    mkdirSync(join(folder, 'docs'));
    return readdirSync(handlePath);
  });
  t.same(names, ['a']);
});

t.test('what is not there is an error of each who asks alone', async (t) => {
  const folder = temporaryFolder(t);
  const missing = findLater(join(folder, 'missing'));
  const found = atPlace(folder, 0, (handlePath) => readlinkSync(handlePath));
  await t.rejects(missing, { code: 'ENOENT' });
  t.equal(await found, folder);
});
