import t from 'tap';
import type { Owner, Times, WriteOptions } from '../../../src/core/changes.ts';
import { type ErrnoCode, FsError } from '../../../src/core/errors.ts';
import { fileInfo, folderInfo } from '../../../src/core/node-info.ts';
import type { VfsPath } from '../../../src/core/paths.ts';
import { changeAttributes } from '../../../src/fuse/linux/change-attributes.ts';
import { Handles, OpenedFile } from '../../../src/fuse/linux/handles.ts';
import { NodeTable } from '../../../src/fuse/linux/node-table.ts';
import type { SetattrRequest } from '../../../src/fuse/linux/protocol/request.ts';
import { FakeTree } from './fake-tree.ts';
import { LiveFile } from './opened-files.ts';

const CONTEXT = {};

/** Says what is changed of it, and refuses it where it is told to. */
class ToldTree extends FakeTree {
  readonly did: unknown[] = [];
  refuses: ErrnoCode | undefined;

  override truncate(path: VfsPath, sizeBytes?: number): void {
    this.#note(path, 'truncate', sizeBytes);
  }

  override changeOwner(path: VfsPath, owner?: Owner): void {
    this.#note(path, 'owner', owner);
  }

  override changeMode(path: VfsPath, mode?: number): void {
    this.#note(path, 'mode', mode);
  }

  override changeTimes(path: VfsPath, times?: Times): void {
    this.#note(path, 'times', times);
  }

  #note(path: VfsPath, what: string, value: unknown): void {
    if (this.refuses !== undefined) throw new FsError(this.refuses, path, 'refused');
    this.did.push([what, value]);
  }
}

class ToldFile extends LiveFile {
  readonly changed: unknown[] = [];
  /** What is opened to be written, where that can be. */
  again: LiveFile | undefined;

  changeOwner(owner: Owner): void {
    this.changed.push(['owner', owner]);
  }

  changeMode(mode: number): void {
    this.changed.push(['mode', mode]);
  }

  changeTimes(times: Times): void {
    this.changed.push(['times', times]);
  }

  openAgain({ append }: Pick<WriteOptions, 'append'>): LiveFile {
    this.changed.push(['open again', append]);
    if (this.again === undefined) throw new FsError('EACCES', '', 'it is read-only');
    return this.again;
  }
}

/** `/a`, which is open or not. */
function subject(how?: 'to read' | 'to write') {
  const vfs = new ToldTree();
  const nodes = new NodeTable(folderInfo(0n));
  const handles = new Handles();
  const node = nodes.enter(nodes.root, 'a', fileInfo(10, 1n));
  const file = new ToldFile(fileInfo(10, 1n));
  const handle = how === undefined ? undefined : handles.addFile(new OpenedFile(node, file, how));
  const change = async (request: SetattrRequest) =>
    changeAttributes({ vfs, nodes, handles }, node, request, CONTEXT);
  const unlink = (): void => nodes.removeName(nodes.root, 'a');
  return { vfs, file, handle, change, unlink };
}

t.test('all that is asked for is changed, in the order of a disk', async (t) => {
  const { vfs, change } = subject();
  await change({ modified: 'now', accessed: 5n, mode: 0o100644, user: 1, group: 2, sizeBytes: 3 });
  t.strictSame(vfs.did, [
    ['truncate', 3],
    ['owner', { user: 1, group: 2 }],
    ['mode', 0o644],
    ['times', { accessedNs: 5n, modifiedNs: 'now' }],
  ]);
});

t.test('what is not asked for stays as it is', async (t) => {
  for (const [request, did] of [
    [{}, []],
    [{ user: 0 }, [['owner', { user: 0 }]]],
    [{ group: 0 }, [['owner', { group: 0 }]]],
    [{ accessed: 0n }, [['times', { accessedNs: 0n }]]],
    [{ modified: 0n }, [['times', { modifiedNs: 0n }]]],
    [{ sizeBytes: 0 }, [['truncate', 0]]],
    [{ mode: 0 }, [['mode', 0]]],
  ] as const) {
    const { vfs, change } = subject();
    await change(request);
    t.strictSame(vfs.did, did);
  }
});

t.test('a file whose name is gone is changed by what has it open', async (t) => {
  const { vfs, file, change, unlink } = subject('to read');
  unlink();
  await change({ user: 1, mode: 0o600, accessed: 'now' });
  t.strictSame(file.changed, [
    ['owner', { user: 1 }],
    ['mode', 0o600],
    ['times', { accessedNs: 'now' }],
  ]);
  t.strictSame(vfs.did, []);
});

t.test('one that was opened to be read is opened once more to be cut, and closed', async (t) => {
  const { file, change, unlink } = subject('to read');
  unlink();
  file.again = new LiveFile(file.info);
  await change({ sizeBytes: 4 });
  t.strictSame(file.changed, [['open again', false]]);
  t.strictSame(file.again.did, ['truncate 4', 'close']);
  t.strictSame(file.did, []);
});

t.test('one that cannot be opened once more is not cut', async (t) => {
  const { file, change, unlink } = subject('to read');
  unlink();
  Object.assign(file, { openAgain: undefined });
  await t.rejects(change({ sizeBytes: 4 }), { code: 'EROFS' });
  t.strictSame([file.did, file.changed], [[], []]);
});

t.test(
  'who may no longer come by the path is let in by what is open to be written, and nobody else',
  async (t) => {
    const writer = subject('to write');
    writer.vfs.refuses = 'EACCES';
    await writer.change({ mode: 0o600, sizeBytes: 4 });
    t.strictSame([writer.file.did, writer.file.changed], [['truncate 4'], [['mode', 0o600]]]);
    writer.vfs.refuses = 'EPERM';
    await t.rejects(writer.change({ mode: 0o644 }), { code: 'EPERM' }, 'that is not for another reason');
    const reader = subject('to read');
    reader.vfs.refuses = 'EACCES';
    await t.rejects(reader.change({ mode: 0o600 }), { code: 'EACCES' });
    t.strictSame(reader.file.changed, []);
  },
);
