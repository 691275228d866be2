import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { removeMadeFolders } from '../../src/disk/remove-if-empty.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test(
  'folders that were made in vain go, up to the first of them, and none with anything in it',
  async (t) => {
    const top = temporaryFolder(t);
    mkdirSync(join(top, 'there/a/b/c'), { recursive: true });
    removeMadeFolders(join(top, 'there/a/b/c/file'), join(top, 'there/a'));
    t.same(readdirSync(top), ['there'], 'what was there before stays, though it is empty');
    t.same(readdirSync(join(top, 'there')), []);
    mkdirSync(join(top, 'there/a/b/c'), { recursive: true });
    writeFileSync(join(top, 'there/a/other'), '');
    removeMadeFolders(join(top, 'there/a/b/c/file'), join(top, 'there/a'));
    t.same(readdirSync(join(top, 'there/a')), ['other']);
  },
);
