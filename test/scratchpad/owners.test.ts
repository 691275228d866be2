import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { OpContext } from '../../src/core/resolver.ts';
import { at, emptyPad, type Fixture, NEW_FILE, PLAIN, put } from './fixture.ts';

const skip = process.getuid?.() === 0 ? false : 'only root gives files away';
const ALICE: OpContext = { caller: { name: 'alice', uid: 1234, gid: 567 } };
const ROOT: OpContext = { caller: { name: 'root', uid: 0, gid: 0 } };

function ownerOf({ folder }: Fixture, path: string): string {
  const { uid, gid } = lstatSync(join(folder, path));
  return `${uid}:${gid}`;
}

function modeOf({ folder }: Fixture, path: string): string {
  return (lstatSync(join(folder, path)).mode & 0o7777).toString(8);
}

/** One of each kind. */
function makeAll({ pad }: Fixture, folder: string, context: OpContext): string[] {
  const path = (name: string) => `${folder}${name}`;
  pad.create(at(path('file')), { ...NEW_FILE, mode: 0o4755 }, context).close();
  pad.makeFolder(at(path('folder')), 0o750, context);
  pad.symlink('nowhere', at(path('link')), context);
  pad.makeNode(at(path('pipe')), { kind: 'pipe', mode: 0o620, device: 0 }, context);
  pad.makeNode(at(path('node')), { kind: 'file', mode: 0o604, device: 0 }, context);
  return ['file', 'folder', 'link', 'pipe', 'node'].map(path);
}

t.test('what somebody makes belongs to him, with the mode that was asked for', { skip }, async (t) => {
  const fixture = emptyPad(t);
  for (const path of makeAll(fixture, '', ALICE)) t.equal(ownerOf(fixture, path), '1234:567', path);
  t.equal(modeOf(fixture, 'file'), '4755', 'though a change of owner takes set-user-ID off');
  t.equal(modeOf(fixture, 'folder'), '750');
  t.equal(modeOf(fixture, 'pipe'), '620');
  t.equal(modeOf(fixture, 'node'), '604');
});

t.test('where nobody knows who asks, it belongs to the user of the mount', { skip }, async (t) => {
  const fixture = emptyPad(t);
  for (const path of makeAll(fixture, '', {})) t.equal(ownerOf(fixture, path), '0:0', path);
});

t.test('a folder with set-group-ID hands its group down, and the bit to folders', { skip }, async (t) => {
  const fixture = emptyPad(t);
  fixture.pad.makeFolder(at('shared'), 0o775);
  fixture.pad.changeOwner(at('shared'), { group: 89 });
  fixture.pad.changeMode(at('shared'), 0o2775);
  for (const path of makeAll(fixture, 'shared/', ALICE)) t.equal(ownerOf(fixture, path), '1234:89', path);
  t.equal(modeOf(fixture, 'shared/folder'), '2750');
  fixture.pad.makeFolder(at('shared/folder/below'), 0o700, ALICE);
  t.equal(ownerOf(fixture, 'shared/folder/below'), '1234:89');
});

t.test('who is not root and changes a file takes set-user-ID off it', { skip }, async (t) => {
  const fixture = emptyPad(t);
  const { pad } = fixture;
  const changes: Readonly<Record<string, (context: OpContext) => void>> = {
    write: (context) => {
      const file = pad.openToWrite(at('a'), PLAIN);
      file.write(Buffer.from('x'), 0, context);
      file.close();
    },
    'truncate by handle': (context) => {
      const file = pad.openToWrite(at('a'), PLAIN);
      file.truncate(3, context);
      file.close();
    },
    allocate: (context) => {
      const file = pad.openToWrite(at('a'), PLAIN);
      file.allocate(0, 0, 10, context);
      file.close();
    },
    truncate: (context) => pad.truncate(at('a'), 1, context),
    'open with truncate': (context) =>
      pad.openToWrite(at('a'), { append: false, truncate: true }, context).close(),
  };
  put(pad, 'a', 'content');
  for (const [name, change] of Object.entries(changes)) {
    for (const [mode, left] of Object.entries({ '6777': '777', '6767': '2767', '4700': '700' })) {
      pad.changeMode(at('a'), Number.parseInt(mode, 8));
      change(ROOT);
      t.equal(modeOf(fixture, 'a'), mode, `${name} by root`);
      change(ALICE);
      t.equal(modeOf(fixture, 'a'), left, `${name} of ${mode}`);
    }
  }
});

t.test('a change of owner takes set-user-ID off, as on any disk', { skip }, async (t) => {
  const fixture = emptyPad(t);
  put(fixture.pad, 'a', '');
  fixture.pad.changeMode(at('a'), 0o6755);
  fixture.pad.changeOwner(at('a'), { user: 1234 });
  t.equal(modeOf(fixture, 'a'), '755');
});
