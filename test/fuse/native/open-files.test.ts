import fc from 'fast-check';
import t from 'tap';
import { fileInfo } from '../../../src/core/node-info.ts';
import { parsePath } from '../../../src/core/paths.ts';
import type { OpenFile } from '../../../src/core/resolver.ts';
import { OpenFiles } from '../../../src/fuse/native/open-files.ts';
import type { Version } from '../../../src/fuse/version.ts';

const PATH = parsePath('/docs/a.md');

/** A file that knows whether it is open. */
function spyFile(text: string): OpenFile & { isClosed: boolean } {
  const bytes = Buffer.from(text);
  return {
    isClosed: false,
    sizeBytes: bytes.length,
    read: (target, position) => bytes.subarray(position).copy(target),
    close() {
      if (this.isClosed) throw new Error('closed twice');
      this.isClosed = true;
    },
  };
}

const textOf = async (bytes: ReturnType<Version['read']>) => Buffer.from(await bytes).toString();

t.test('handles start at 1 and read what they opened', async (t) => {
  const files = new OpenFiles();
  const handle = files.add(PATH, spyFile('hello'));
  t.equal(handle, 1);
  t.equal(await textOf(files.get(handle, PATH).version.read(100, 1)), 'ello');
  t.equal(await textOf(files.get(handle, PATH).version.read(2, 0)), 'he');
  t.equal(await textOf(files.get(handle, PATH).version.read(2, 99)), '');
});

t.test('an unknown handle cannot be read, and may be released', async (t) => {
  const files = new OpenFiles();
  t.throws(() => files.get(1, PATH), { code: 'EBADF' });
  files.release(1);
});

t.test('readers of one path share the version that was opened last', async (t) => {
  const files = new OpenFiles();
  const [old, fresh] = [spyFile('old'), spyFile('new')];
  const first = files.add(PATH, old);
  const second = files.add(PATH, fresh);
  t.equal(await textOf(files.get(first, PATH).version.read(9, 0)), 'new');
  t.ok(old.isClosed);
  files.release(second);
  t.notOk(fresh.isClosed, 'as long as one handle is left');
  t.ok(files.hasBelow([parsePath('/docs')]));
  files.release(first);
  t.ok(fresh.isClosed);
  t.notOk(files.hasBelow([parsePath('/docs')]));
});

t.test(
  'each opening of a live file has its own handle, and goes with the file to another name',
  async (t) => {
    const files = new OpenFiles();
    const live = (text: string) => Object.assign(spyFile(text), { stat: () => fileInfo(text.length, 0n) });
    const [first, second] = [live('one'), live('two')];
    const handles = [files.add(PATH, first), files.add(PATH, second)];
    const texts = handles.map((handle) => textOf(files.get(handle, PATH).version.read(9, 0)));
    t.same(await Promise.all(texts), ['one', 'two']);
    files.move(parsePath('/docs'), parsePath('/elsewhere'));
    const moved = parsePath('/elsewhere/a.md');
    t.equal(files.liveAt(moved)?.path, moved);
    t.equal(files.liveAt(PATH), undefined);
    for (const handle of handles) files.release(handle);
    t.ok(first.isClosed && second.isClosed);
    t.equal(files.liveAt(moved), undefined);
    t.notOk(files.hasBelow([parsePath('/')]));
  },
);

t.test('a version that is being read stays open until the read has ended', async (t) => {
  const files = new OpenFiles();
  const file = spyFile('slow');
  let finish = (_count: number): void => {};
  const read = () => new Promise<number>((resolve) => (finish = resolve));
  const handle = files.add(PATH, Object.assign(file, { read }));
  const bytes = files.get(handle, PATH).version.read(4, 0);
  files.release(handle);
  t.notOk(file.isClosed);
  finish(4);
  t.equal((await bytes).length, 4);
  t.ok(file.isClosed);
});

t.test('a file that is shared is closed with its last handle', async (t) => {
  const files = new OpenFiles();
  const file = Object.assign(spyFile('text'), { stat: () => fileInfo(4, 0n) });
  const first = files.add(PATH, file);
  const second = files.share(files.get(first, PATH));
  t.not(second, first);
  files.release(first);
  t.equal(await textOf(files.get(second, PATH).version.read(9, 0)), 'text');
  t.ok(files.liveAt(PATH));
  files.release(second);
  t.ok(file.isClosed);
  t.notOk(files.liveAt(PATH));
});

t.test('a read that answers nonsense fails', async (t) => {
  const files = new OpenFiles();
  for (const count of [-1, 5, 0.5, Number.NaN]) {
    const handle = files.add(PATH, Object.assign(spyFile('x'), { read: () => count }));
    t.throws(() => files.get(handle, PATH).version.read(4, 0), TypeError, String(count));
  }
});

t.test(
  'whatever is opened and released, in any order: no handle is given twice, and every file is closed once',
  async (t) => {
    const step = fc.record({ opens: fc.boolean(), which: fc.nat(), path: fc.constantFrom('/a', '/b', '/c') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const files = new OpenFiles(50);
        const open: number[] = [];
        const spies: ReturnType<typeof spyFile>[] = [];
        for (const { opens, which, path } of steps) {
          if (opens && open.length < 40) {
            const spy = spyFile('x');
            spies.push(spy);
            const handle = files.add(parsePath(path), spy);
            if (open.includes(handle) || handle < 1 || handle > 50) return false;
            open.push(handle);
          } else {
            const [handle] = open.splice(which % Math.max(open.length, 1), 1);
            if (handle !== undefined) files.release(handle);
          }
        }
        for (const handle of open) files.release(handle);
        return spies.every(({ isClosed }) => isClosed);
      }),
    );
    t.pass();
  },
);
