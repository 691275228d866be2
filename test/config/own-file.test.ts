import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ownConfigFolder, readOwnFile, writeOwnFile } from '../../src/config/own-file.ts';
import { NOBODY } from '../support/nobody.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** A file in a folder of its own. */
function ownFile(t: Teardown): { folder: string; file: string } {
  const folder = join(temporaryFolder(t), 'kgraphfs');
  mkdirSync(folder, { mode: 0o755 });
  const file = join(folder, 'config.json');
  writeFileSync(file, 'mine', { mode: 0o644 });
  return { folder, file };
}

t.test('a file that others may write, or replace, is not used', async (t) => {
  const { folder, file } = ownFile(t);
  t.same(readOwnFile(file), { text: 'mine' });
  for (const [path, mode, closed] of [
    [file, 0o664, 0o644],
    [file, 0o646, 0o644],
    [folder, 0o775, 0o755],
    [folder, 0o757, 0o755],
  ] as const) {
    chmodSync(path, mode);
    const problem = `${path}: other users may write to it, so it is not used; fix it with: chmod go-w ${path}`;
    t.same(readOwnFile(file), { problem }, `${mode.toString(8)}`);
    chmodSync(path, closed);
  }
  t.same(readOwnFile(file), { text: 'mine' });
});

const skip = process.getuid?.() !== 0 && 'only root may give a file away';

t.test('a file of somebody else, or in a folder of theirs, is not used', { skip }, async (t) => {
  for (const which of ['file', 'folder'] as const) {
    const own = ownFile(t);
    chownSync(own[which], NOBODY, NOBODY);
    const problem = `${own[which]}: it belongs to another user, and is not used`;
    t.same(readOwnFile(own.file), { problem }, which);
  }
});

t.test('a file that is not there says nothing, and one that cannot be read says why', async (t) => {
  const { folder, file } = ownFile(t);
  t.same(readOwnFile(join(folder, 'none')), {});
  t.same(readOwnFile(join(file, 'below')), {});
  t.match(readOwnFile(folder), { problem: /kgraphfs: it cannot be read, and is not used: EISDIR/ });
  const loop = join(folder, 'loop');
  symlinkSync('loop', loop);
  t.match(readOwnFile(loop), { problem: /loop: it cannot be read, and is not used: ELOOP/ });
});

t.test('the folder is where XDG_CONFIG_HOME says, if that is a path from the root', async (t) => {
  const usual = join(homedir(), '.config/kgraphfs');
  t.equal(ownConfigFolder({}), usual);
  t.equal(ownConfigFolder({ XDG_CONFIG_HOME: 'config' }), usual);
  t.equal(ownConfigFolder({ XDG_CONFIG_HOME: '/etc/xdg' }), '/etc/xdg/kgraphfs');
});

t.test(
  'a home whose path is not UTF-8, or that cannot be written to, is told with the way out',
  async (t) => {
    const lost = join(temporaryFolder(t), 'h\ufffd', 'kgraphfs', 'config.json');
    const told = /path is not UTF-8.*; XDG_CONFIG_HOME may name another folder/;
    t.match(readOwnFile(lost), { problem: told });
    t.throws(() => writeOwnFile(lost, 'x'), { message: told });
    mkdirSync(join(lost, '../..'));
    t.same(readOwnFile(lost), {}, 'a name may have that character');
    writeOwnFile(lost, 'mine');
    t.same(readOwnFile(lost), { text: 'mine' });
    t.throws(() => writeOwnFile('/dev/null/kgraphfs/trusted.json', 'x'), {
      message: /cannot be written: ENOTDIR.*; XDG_CONFIG_HOME may name another folder for it$/,
    });
  },
);

t.test('a HOME that is empty or relative makes no config of the current folder', async (t) => {
  const before = process.env['HOME'];
  t.teardown(() => {
    if (before === undefined) delete process.env['HOME'];
    else process.env['HOME'] = before;
  });
  for (const home of ['', 'relative']) {
    process.env['HOME'] = home;
    t.match(ownConfigFolder({}), /^\/(?:.*\/)?\.config\/kgraphfs$/, home);
  }
});
