import t from 'tap';
import { fileInfo, folderInfo } from '../../../src/core/node-info.ts';
import type { OpenFile } from '../../../src/core/resolver.ts';
import { Handles, OpenedFile } from '../../../src/fuse/linux/handles.ts';
import { NodeTable } from '../../../src/fuse/linux/node-table.ts';

const nodes = new NodeTable(folderInfo(0n));
const node = nodes.enter(nodes.root, 'a', fileInfo(1, 1n));

class File implements OpenFile {
  readonly sizeBytes = 1;
  closed = 0;

  read(): number {
    return 0;
  }

  close(): void {
    this.closed += 1;
  }
}

class WritableOne extends File {
  write(): number {
    return 0;
  }

  flush(): void {}
}

t.test('a file is closed once, with the last of its handles', (t) => {
  const handles = new Handles();
  const file = new File();
  const opened = new OpenedFile(node, file);
  const one = handles.addFile(opened);
  const other = handles.addFile(opened);
  t.not(one, other);
  t.equal(node.openings, 2);
  handles.releaseFile(one);
  handles.releaseFile(one);
  t.equal(file.closed, 0);
  t.throws(() => handles.file(one), { code: 'EBADF' });
  t.equal(handles.file(other), opened);
  handles.releaseFile(other);
  t.equal(file.closed, 1);
  t.equal(node.openings, 0);
  t.equal(handles.size, 0);
  t.equal(handles.anyOf(node), undefined);
  t.end();
});

t.test('what is under way keeps a file open that has been closed', async (t) => {
  const handles = new Handles();
  const file = new File();
  const opened = new OpenedFile(node, file);
  const handle = handles.addFile(opened);
  let finish: (value: number) => void = () => {};
  const used = opened.during(
    () =>
      new Promise<number>((resolve) => {
        finish = resolve;
      }),
  );
  const failed = opened.during(() => Promise.reject(new Error('no')));
  handles.releaseFile(handle);
  await t.rejects(Promise.resolve(failed), { message: 'no' });
  t.equal(file.closed, 0);
  finish(5);
  t.equal(await used, 5);
  t.equal(file.closed, 1);
});

t.test('of the open files of a node one that can be written to is found first', (t) => {
  const handles = new Handles();
  const reading = new OpenedFile(node, new File());
  const writing = new OpenedFile(node, new WritableOne(), 'to write');
  handles.addFile(reading);
  t.equal(handles.anyOf(node), reading);
  const handle = handles.addFile(writing);
  t.equal(handles.anyOf(node), writing);
  handles.releaseFile(handle);
  t.equal(handles.anyOf(node), reading);
  handles.releaseAll();
  t.end();
});

t.test('all are closed at the end', (t) => {
  const handles = new Handles();
  const files = [new File(), new File()];
  for (const file of files) handles.addFile(new OpenedFile(node, file));
  t.equal(handles.size, 2);
  t.throws(() => handles.file(99), { code: 'EBADF' });
  handles.releaseAll();
  t.same(
    files.map(({ closed }) => closed),
    [1, 1],
  );
  t.equal(handles.size, 0);
  t.equal(node.openings, 0);
  t.end();
});

t.test('a file that fails to close keeps no other open, and each reason is told once', (t) => {
  const handles = new Handles();
  const first = new File();
  const last = new File();
  const failing = ['the disk is full', 'the disk is full', 'it is gone'].map((reason) => ({
    ...new File(),
    read: () => 0,
    close() {
      throw new Error(reason);
    },
  }));
  for (const file of [first, ...failing, last]) handles.addFile(new OpenedFile(node, file));
  const told = handles.releaseAll();
  t.same([first.closed, last.closed], [1, 1]);
  t.match(told, [{ message: 'the disk is full' }, { message: 'it is gone' }]);
  t.equal(told.length, 2);
  t.equal(handles.size, 0);
  t.equal(node.openings, 0);
  t.end();
});
