import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { systemCodeOf } from '../../src/core/errors.ts';
import { writeKept } from '../../src/modules/kept-files.ts';
import { diskInMemory, needsRootToMount } from '../support/disk-in-memory.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('a folder that has the name of a kept file is replaced by it', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'answer.json/below'), { recursive: true });
  writeKept(join(folder, 'answer.json'), 'text');
  t.equal(readFileSync(join(folder, 'answer.json'), 'utf8'), 'text');
  t.same(readdirSync(folder), ['answer.json']);
});

t.test('of what cannot be put in its place nothing is left', async (t) => {
  const folder = temporaryFolder(t);
  t.throws(() => writeKept(join(folder, 'gone/answer.json'), 'text', folder), { code: 'ENOENT' });
  t.same(readdirSync(folder), []);
});

t.test('what is kept stays where the disk has no room for other', needsRootToMount, async (t) => {
  const folder = diskInMemory(t, 'size=16k');
  const file = join(folder, 'answer.json');
  writeFileSync(file, 'old');
  try {
    writeKept(file, Buffer.alloc(32 * 1024));
    t.fail('there was room');
  } catch (error) {
    t.equal(systemCodeOf(error), 'ENOSPC');
  }
  t.same(readdirSync(folder), ['answer.json']);
  t.equal(readFileSync(file, 'utf8'), 'old');
});
