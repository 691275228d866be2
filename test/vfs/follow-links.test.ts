import t from 'tap';
import { isFsError } from '../../src/core/errors.ts';
import { parsePath } from '../../src/core/paths.ts';
import { fixedResolver } from '../../src/resolvers/fixed.ts';
import { followLinks } from '../../src/vfs/follow-links.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';
import type { Vfs } from '../../src/vfs/vfs.ts';

const TREE = {
  'a.txt': 'A',
  folder: {
    'b.txt': 'B',
    up: { linkTo: '../a.txt' },
    self: { linkTo: '.' },
    loop: { linkTo: 'loop' },
    deep: { linkTo: 'below/bottom' },
    below: { bottom: {}, 'b.txt': 'C' },
  },
  way: { linkTo: 'folder' },
  far: { linkTo: 'way/up' },
  through: { linkTo: 'folder/deep/../b.txt' },
  out: { linkTo: '../../etc' },
  root: { linkTo: '/a.txt' },
};

const fs = new SystemFs([{ point: parsePath('/'), resolver: fixedResolver('root', TREE, 0n) }], (error) => {
  throw error;
});

async function follow(path: string): Promise<string> {
  try {
    return await followLinks(fs, parsePath(path), {});
  } catch (error) {
    if (isFsError(error)) return error.code;
    throw error;
  }
}

t.test('links on the way and at the end are followed, as the kernel does', async (t) => {
  t.equal(await follow('/'), '/');
  t.equal(await follow('/folder/b.txt'), '/folder/b.txt');
  t.equal(await follow('/way/b.txt'), '/folder/b.txt');
  t.equal(await follow('/way/self/self/b.txt'), '/folder/b.txt');
  t.equal(await follow('/folder/up'), '/a.txt');
  t.equal(await follow('/far'), '/a.txt');
  t.equal(await follow('/through'), '/folder/below/b.txt', 'the parent of what a link leads to');
});

t.test('a link to itself, out of the tree, or a way that does not exist is refused', async (t) => {
  t.equal(await follow('/folder/loop'), 'ELOOP');
  t.equal(await follow('/out/passwd'), 'ENOENT');
  t.equal(await follow('/root'), 'ENOENT', 'from the root of the machine, not of the tree');
  t.equal(await follow('/way/nothing'), 'ENOENT');
  t.equal(await follow('/a.txt/below'), 'ENOTDIR');
});

t.test('as many links are followed on one path as by Linux', async (t) => {
  const links = Array.from({ length: 41 }, (_, index) => [`${index}`, { linkTo: `${index + 1}` }]);
  const chain = fixedResolver('chain', { ...Object.fromEntries(links), 41: 'the end' }, 0n);
  const fs = new SystemFs([{ point: parsePath('/'), resolver: chain }], (error) => {
    throw error;
  });
  t.equal(await followLinks(fs, parsePath('/1'), {}), '/41');
  await t.rejects(followLinks(fs, parsePath('/0'), {}), { code: 'ELOOP' });
});

t.test('so are those of a tree that answers later', async (t) => {
  const later: Pick<Vfs, 'stat' | 'readLink'> = {
    stat: async (path, context) => await fs.stat(path, context),
    readLink: async (path, context) => await fs.readLink(path, context),
  };
  t.equal(await followLinks(later, parsePath('/far'), {}), '/a.txt');
});
