import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { realPath } from '../../src/disk/real-path.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('links are followed as far as there is anything, and the rest is as it was given', (t) => {
  const folder = realpathSync(temporaryFolder(t));
  mkdirSync(join(folder, 'docs/api'), { recursive: true });
  symlinkSync('docs', join(folder, 'link'));
  t.equal(realPath(join(folder, 'link')), join(folder, 'docs'));
  t.equal(realPath(join(folder, 'link/api')), join(folder, 'docs/api'));
  t.equal(realPath(join(folder, 'link/none/at/all')), join(folder, 'docs/none/at/all'));
  t.equal(realPath('/'), '/');
  t.end();
});
