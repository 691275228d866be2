import t from 'tap';
import { fileInfo, folderInfo } from '../../../src/core/node-info.ts';
import { BackingFiles } from '../../../src/fuse/linux/backing-files.ts';
import { GivenHandles } from '../../../src/fuse/linux/given-handles.ts';
import { Handles } from '../../../src/fuse/linux/handles.ts';
import { type Node, NodeTable } from '../../../src/fuse/linux/node-table.ts';
import { FOPEN } from '../../../src/fuse/linux/protocol/answer.ts';

const NO_DEVICE = -1;

t.test('a file that fails to close is given back by the kernel all the same', async (t) => {
  const settled: Node[] = [];
  class Noted extends BackingFiles {
    override settle(node: Node): void {
      settled.push(node);
    }
  }
  const nodes = new NodeTable(folderInfo(0n));
  const node = nodes.enter(nodes.root, 'a', fileInfo(1, 1n));
  const handles = new Handles();
  const given = new GivenHandles({ handles, backings: new Noted(NO_DEVICE) });
  const file = {
    sizeBytes: 1,
    read: () => 0,
    close: () => {
      throw new Error('the disk is gone');
    },
  };
  given.give(node, file, FOPEN.keepCache).encode(Buffer.alloc(64));
  t.equal(handles.size, 1);
  t.throws(() => given.close(1), { message: 'the disk is gone' });
  t.same(settled, [node]);
  t.equal(node.openings, 0);
});
