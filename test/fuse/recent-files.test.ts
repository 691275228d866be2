import t from 'tap';
import { parsePath, type VfsPath } from '../../src/core/paths.ts';
import { RecentFiles } from '../../src/fuse/recent-files.ts';

const A = parsePath('/docs/a');
const B = parsePath('/docs/b');
const CONTEXT = {};
/** What a file of these tests has; who asks for more is told its end. */
const WHOLE_BYTES = '/docs/a 0'.length;

/** Files that hold their path and a number that tells which opening they come from. */
function subject(options: { slow?: boolean; maxFiles?: number } = {}) {
  const opened: string[] = [];
  const closed: string[] = [];
  const open = (path: VfsPath) => {
    const bytes = Buffer.from(`${path} ${opened.length}`);
    opened.push(path);
    const file = {
      sizeBytes: bytes.length,
      read: (target: Uint8Array, position: number) => bytes.copy(target, 0, position),
      close: () => closed.push(bytes.toString()),
    };
    return options.slow ? Promise.resolve(file) : file;
  };
  const files = new RecentFiles(open, options.maxFiles);
  const read = async (path: VfsPath, sizeBytes = WHOLE_BYTES) =>
    Buffer.from(await files.read(path, { sizeBytes, position: 0 }, CONTEXT)).toString();
  return { files, read, opened, closed };
}

t.test('a file stays open for the next read', async (t) => {
  const { read, opened, closed } = subject();
  t.equal(await read(A), '/docs/a 0');
  t.equal(await read(A), '/docs/a 0');
  t.same([opened, closed], [[A], []]);
});

t.test('a file that was read to its end does not stay open', async (t) => {
  for (const slow of [false, true]) {
    const { read, opened, closed } = subject({ slow });
    t.equal(await read(A, WHOLE_BYTES + 1), '/docs/a 0');
    t.same(closed, ['/docs/a 0']);
    t.equal(await read(A, 5), '/docs');
    t.equal(await read(A, 5), '/docs');
    t.same([opened.length, closed.length], [2, 1]);
    await read(A, 100);
    t.same(closed, ['/docs/a 0', '/docs/a 1']);
  }
});

t.test('who opens a file is told which version the kernel was shown', async (t) => {
  const known = { version: '7', hasBytes: false };
  const told: unknown[] = [];
  const files = new RecentFiles((_path, _context, known) => {
    told.push(known);
    return { sizeBytes: 0, read: () => 0, close() {} };
  });
  await files.read(A, { sizeBytes: 1, position: 0 }, CONTEXT, known);
  await files.read(A, { sizeBytes: 1, position: 0 }, CONTEXT);
  t.same(told, [known, undefined]);
});

t.test('a change has it, and what lies below a changed folder, opened anew', async (t) => {
  const { files, read, closed } = subject();
  await read(A);
  await read(B);
  files.change([A]);
  t.same(closed, ['/docs/a 0']);
  t.equal(await read(A), '/docs/a 2');
  t.equal(await read(B), '/docs/b 1');
  files.change([parsePath('/docs')]);
  t.same(closed.length, 3);
});

t.test('the least recently read one makes room', async (t) => {
  const { read, closed } = subject({ maxFiles: 2 });
  await read(A);
  await read(B);
  await read(A);
  await read(parsePath('/docs/c'));
  t.same(closed, ['/docs/b 1']);
});

t.test('reads that wait for one file at once each get its bytes, and one version stays open', async (t) => {
  const { read, opened, closed } = subject({ slow: true });
  t.same(await Promise.all([read(A), read(A), read(B)]), ['/docs/a 0', '/docs/a 1', '/docs/b 2']);
  t.same([opened.length, closed.length], [3, 1]);
});

t.test('a file that changed while it was being opened serves that read alone', async (t) => {
  const { files, read, closed } = subject({ slow: true });
  const first = read(A);
  files.change([A]);
  t.equal(await first, '/docs/a 0');
  t.same(closed, ['/docs/a 0']);
  t.equal(await read(A), '/docs/a 1');
});
