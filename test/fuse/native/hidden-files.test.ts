import t from 'tap';
import { FsError } from '../../../src/core/errors.ts';
import { fileInfo } from '../../../src/core/node-info.ts';
import { parsePath, type VfsPath } from '../../../src/core/paths.ts';
import type { OpenFile } from '../../../src/core/resolver.ts';
import { HiddenFiles, isHiddenName } from '../../../src/fuse/native/hidden-files.ts';
import { OpenFiles } from '../../../src/fuse/native/open-files.ts';
import { MemoryTree } from '../../conformance/memory-tree.ts';

const PATH = parsePath('/a');
const OTHER = parsePath('/b');
const HIDDEN = parsePath('/.fuse_hidden0000000200000001');
const THIRD = parsePath('/c');
const HIDDEN_THIRD = parsePath('/.fuse_hidden0000000400000003');
const HIDDEN_TOO = parsePath('/.fuse_hidden0000000300000002');

/** A tree that notes what it is asked to change. */
function subject(
  answers: { rename?: () => void | Promise<void>; remove?: () => void | Promise<void>; inode?: number } = {},
) {
  const asked: string[] = [];
  const reports: unknown[] = [];
  const vfs = new MemoryTree().asVfs((error) => t.fail(String(error)));
  const changing = Object.assign(Object.create(vfs), {
    rename(from: VfsPath, to: VfsPath) {
      asked.push(`rename ${from} ${to}`);
      return answers.rename?.();
    },
    stat: () => ({ ...fileInfo(1, 0n), inode: answers.inode ?? 7 }),
    remove(path: VfsPath) {
      asked.push(`remove ${path}`);
      return answers.remove?.();
    },
  });
  const files = new OpenFiles();
  const hidden = new HiddenFiles(changing, files, (error) => reports.push(error));
  return { asked, reports, files, hidden };
}

function liveFile(): OpenFile {
  return { sizeBytes: 1, read: () => 0, close() {}, stat: () => ({ ...fileInfo(1, 0n), inode: 7 }) };
}

t.test('names of libfuse are known by their form', async (t) => {
  t.ok(isHiddenName(HIDDEN));
  t.ok(isHiddenName(parsePath('/context/memory/fact/.fuse_hidden00000002000000ff')));
  for (const path of [
    '/.fuse_hidden',
    '/.fuse_hidden000000020000000g',
    '/x.fuse_hidden0000000200000001',
    `${HIDDEN}/x`,
  ])
    t.notOk(isHiddenName(parsePath(path)), path);
});

t.test('an open file is removed with the next request, and only once', async (t) => {
  const { hidden, files, asked } = subject();
  const handle = files.add(PATH, liveFile());
  await hidden.hide(PATH, HIDDEN, {});
  t.ok(hidden.isWaiting);
  t.ok(hidden.fileAt(HIDDEN), 'it is open by its hidden name');
  t.notOk(hidden.fileAt(PATH));
  await hidden.settle();
  await hidden.settle();
  t.same(asked, ['rename /a /a', 'remove /a']);
  files.release(handle);
  t.notOk(hidden.fileAt(HIDDEN));
});

t.test('without another request it is removed soon', async (t) => {
  const { hidden, files, asked } = subject();
  files.add(PATH, liveFile());
  await hidden.hide(PATH, HIDDEN, {});
  while (hidden.isWaiting) await new Promise((resolve) => setTimeout(resolve, 5));
  t.same(asked, ['rename /a /a', 'remove /a']);
});

t.test('a file that another mount has put there by then is not removed', async (t) => {
  const { hidden, files, asked } = subject({ inode: 8 });
  files.add(PATH, liveFile());
  await hidden.hide(PATH, HIDDEN, {});
  await hidden.settle();
  t.same(asked, ['rename /a /a']);
});

t.test('a rename to its name replaces it: nothing is removed', async (t) => {
  const { hidden, files, asked } = subject();
  files.add(PATH, liveFile());
  await hidden.hide(PATH, HIDDEN, {});
  await hidden.settle(PATH);
  t.same(asked, ['rename /a /a']);
});

t.test('a rename to another name is a request like any other', async (t) => {
  const { hidden, files, asked } = subject();
  files.add(PATH, liveFile());
  await hidden.hide(PATH, HIDDEN, {});
  await hidden.settle(OTHER);
  t.same(asked, ['rename /a /a', 'remove /a']);
});

t.test('who asks for another name waits for the rename that the hiding may be part of', async (t) => {
  const { hidden, files, asked } = subject();
  files.add(PATH, liveFile());
  await hidden.hide(PATH, HIDDEN, {});
  const others = [hidden.before(OTHER), hidden.before(THIRD, true)];
  await hidden.before(PATH, true);
  await Promise.all(others);
  t.same(asked, ['rename /a /a'], 'nothing is removed');

  await hidden.hide(HIDDEN, HIDDEN_TOO, {});
  await hidden.before(OTHER);
  t.same(asked.slice(1), [`rename ${HIDDEN} ${HIDDEN}`, `remove ${HIDDEN}`], 'no longer than a moment');
});

t.test('who asks for the very name finds the file removed', async (t) => {
  const { hidden, files, asked } = subject();
  files.add(PATH, liveFile());
  await hidden.hide(PATH, HIDDEN, {});
  await hidden.before(PATH);
  t.same(asked, ['rename /a /a', 'remove /a']);
});

t.test('a second one hides while a slow tree considers the first: both are removed', async (t) => {
  const { hidden, files, asked } = subject({ rename: () => new Promise((resolve) => setImmediate(resolve)) });
  files.add(PATH, liveFile());
  files.add(OTHER, liveFile());
  await Promise.all([hidden.hide(PATH, HIDDEN, {}), hidden.hide(OTHER, HIDDEN_TOO, {})]);
  await hidden.settle();
  t.same(asked.slice(2), ['remove /a', 'remove /b']);
});

/** A tree whose removals are done when the test says so. */
function slowSubject() {
  const removals: (() => void)[] = [];
  const { hidden, files, asked } = subject({
    remove: () => new Promise((resolve) => removals.push(resolve)),
  });
  const finish = async () => {
    for (const end of removals.splice(0)) end();
    // What waited for it goes on.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { hidden, files, asked, finish };
}

t.test(
  'a rename to its name waits while a slow tree removes the file, and has its own removed by nobody',
  async (t) => {
    const { hidden, files, asked, finish } = slowSubject();
    files.add(PATH, liveFile());
    await hidden.hide(PATH, HIDDEN, {});
    const first = hidden.settle();
    t.ok(hidden.isWaiting, 'others that look at names are to wait, too');
    const renamed = Promise.resolve(hidden.settle(PATH)).then(() => asked.push('renamed'));
    await new Promise((resolve) => setImmediate(resolve));
    t.same(asked, ['rename /a /a', 'remove /a']);
    await finish();
    await Promise.all([first, renamed]);
    t.same(asked, ['rename /a /a', 'remove /a', 'renamed']);
    t.notOk(hidden.isWaiting);
  },
);

t.test('files that are hidden while a slow tree removes another are each removed', async (t) => {
  const { hidden, files, asked, finish } = slowSubject();
  for (const path of [PATH, OTHER, THIRD]) files.add(path, liveFile());
  await hidden.hide(PATH, HIDDEN, {});
  const hidings = Promise.all([hidden.hide(OTHER, HIDDEN_TOO, {}), hidden.hide(THIRD, HIDDEN_THIRD, {})]);
  await finish();
  await finish();
  await hidings;
  const last = hidden.settle();
  await finish();
  await last;
  t.same(
    asked.filter((one) => one.startsWith('remove')),
    ['remove /a', 'remove /b', 'remove /c'],
  );
});

t.test('where nobody has it open the name is like any other', async (t) => {
  const { hidden, asked } = subject();
  await hidden.hide(PATH, HIDDEN, {});
  t.notOk(hidden.isWaiting);
  t.notOk(hidden.fileAt(HIDDEN));
  t.same(asked, [`rename /a ${HIDDEN}`]);
});

t.test('what cannot be renamed is not hidden', async (t) => {
  const { hidden, files } = subject({
    rename: () => {
      throw new FsError('EROFS', PATH, 'planted');
    },
  });
  files.add(PATH, liveFile());
  t.throws(() => hidden.hide(PATH, HIDDEN, {}), { code: 'EROFS' });
  t.notOk(hidden.isWaiting);
  t.ok(files.liveAt(PATH));
});

t.test('a removal that fails is reported, unless the file is gone already', async (t) => {
  for (const code of ['ENOSPC', 'ENOENT'] as const) {
    const { hidden, files, reports } = subject({
      remove: () => {
        throw new FsError(code, PATH, 'planted');
      },
    });
    files.add(PATH, liveFile());
    await hidden.hide(PATH, HIDDEN, {});
    await hidden.settle();
    t.match(reports, code === 'ENOENT' ? { length: 0 } : [{ code }]);
    t.equal(reports.length, code === 'ENOENT' ? 0 : 1);
  }
});
