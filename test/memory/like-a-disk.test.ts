import * as disk from 'node:fs';
import { constants } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { FsError } from '../../src/core/errors.ts';
import type { MemoryFile, MemoryFiles } from '../../src/memory/memory-files.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { CONTEXT, fact, type Remembering, remembering } from './fixture.ts';

const { O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;
/** Memories, files of editors, and folders with both. */
const NAMES = ['a', 'b', 'b~', '.c.swp', '4913', 'd', 'd/a', 'd/a.tmp', 'd/e', 'd/e/a'];
const HANDLES = 4;

interface Opening {
  readonly create: boolean;
  readonly exclusive: boolean;
  readonly truncate: boolean;
  readonly append: boolean;
}

type Step =
  | { readonly do: 'open'; readonly name: string; readonly handle: number; readonly how: Opening }
  | { readonly do: 'write'; readonly handle: number; readonly position: number; readonly text: string }
  | { readonly do: 'ftruncate'; readonly handle: number; readonly size: number }
  | { readonly do: 'flush' | 'close' | 'read'; readonly handle: number }
  | { readonly do: 'truncate'; readonly name: string; readonly size: number }
  | { readonly do: 'mkdir' | 'rmdir' | 'unlink' | 'stat' | 'list'; readonly name: string }
  | { readonly do: 'rename'; readonly name: string; readonly to: string };

/** Something on which steps can be done. What a step answers is text: a result, or the name of an errno. */
interface Subject {
  apply(step: Step): string;
}

const name = fc.constantFrom(...NAMES);
const handle = fc.integer({ min: 0, max: HANDLES - 1 });
const size = fc.integer({ min: 0, max: 40 });
const text = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'abcxyz\n') });
const how = fc.record({
  create: fc.boolean(),
  exclusive: fc.boolean(),
  truncate: fc.boolean(),
  append: fc.boolean(),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('open' as const), name, handle, how }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), handle, position: size, text }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ftruncate' as const), handle, size }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('flush' as const, 'close' as const, 'read' as const),
      handle,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('truncate' as const), name, size }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'mkdir' as const,
        'rmdir' as const,
        'unlink' as const,
        'stat' as const,
        'list' as const,
      ),
      name,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rename' as const), name, to: name }) },
);

function answerOf(act: () => string): string {
  try {
    return act();
  } catch (error) {
    if (error instanceof FsError) return error.code;
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

class OnDisk implements Subject {
  readonly #handles = new Map<number, number>();
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  apply(step: Step): string {
    return answerOf(() => this.#apply(step));
  }

  closeAll(): void {
    for (const descriptor of this.#handles.values()) disk.closeSync(descriptor);
    this.#handles.clear();
  }

  /** All files with their contents. */
  tree(): Map<string, string> {
    const entries = disk.readdirSync(this.root, { recursive: true, withFileTypes: true });
    return new Map(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
        .map((path) => [path.slice(this.root.length + 1), disk.readFileSync(path, 'utf8')]),
    );
  }

  #apply(step: Step): string {
    const path = 'name' in step ? join(this.root, step.name) : '';
    switch (step.do) {
      case 'open': {
        const { create, exclusive, truncate, append } = step.how;
        const flags =
          O_RDWR |
          (create ? O_CREAT | (exclusive ? O_EXCL : 0) : 0) |
          (truncate ? O_TRUNC : 0) |
          (append ? O_APPEND : 0);
        const descriptor = disk.openSync(path, flags, 0o644);
        this.#close(step.handle);
        this.#handles.set(step.handle, descriptor);
        return 'opened';
      }
      case 'write':
        return this.#with(step.handle, (fd) => {
          disk.writeSync(fd, step.text, step.position);
          return this.#read(fd);
        });
      case 'ftruncate':
        return this.#with(step.handle, (fd) => {
          disk.ftruncateSync(fd, step.size);
          return this.#read(fd);
        });
      case 'flush':
        return 'done';
      case 'close':
        return this.#close(step.handle);
      case 'read':
        return this.#with(step.handle, (fd) => this.#read(fd));
      case 'truncate':
        disk.truncateSync(path, step.size);
        return 'done';
      case 'mkdir':
        disk.mkdirSync(path);
        return 'done';
      case 'rmdir':
        disk.rmdirSync(path);
        return 'done';
      case 'unlink':
        disk.unlinkSync(path);
        return 'done';
      case 'stat': {
        const stats = disk.statSync(path);
        return stats.isDirectory() ? 'folder' : String(stats.size);
      }
      case 'list':
        return disk.readdirSync(path).sort().join();
      case 'rename':
        disk.renameSync(path, join(this.root, step.to));
        return 'done';
    }
  }

  #with(handle: number, act: (descriptor: number) => string): string {
    const descriptor = this.#handles.get(handle);
    return descriptor === undefined ? 'not open' : act(descriptor);
  }

  #close(handle: number): string {
    return this.#with(handle, (descriptor) => {
      disk.closeSync(descriptor);
      this.#handles.delete(handle);
      return 'done';
    });
  }

  #read(descriptor: number): string {
    const target = Buffer.alloc(disk.fstatSync(descriptor).size);
    return target.toString('utf8', 0, disk.readSync(descriptor, target, 0, target.length, 0));
  }
}

class InMemory implements Subject {
  readonly #handles = new Map<number, MemoryFile>();
  readonly #files: MemoryFiles;

  constructor(files: MemoryFiles) {
    this.#files = files;
  }

  apply(step: Step): string {
    return answerOf(() => this.#apply(step));
  }

  closeAll(): void {
    for (const handle of [...this.#handles.keys()]) this.#close(handle);
  }

  #apply(step: Step): string {
    const place = fact('name' in step ? step.name : '');
    switch (step.do) {
      case 'open': {
        const options = { ...step.how, mode: 0o644 };
        const file = step.how.create
          ? this.#files.create(place, options, CONTEXT)
          : this.#files.openToWrite(place, options, CONTEXT);
        this.#close(step.handle);
        this.#handles.set(step.handle, file);
        return 'opened';
      }
      case 'write':
        return this.#with(step.handle, (file) => {
          file.write(Buffer.from(step.text), step.position, CONTEXT);
          return textOf(file);
        });
      case 'ftruncate':
        return this.#with(step.handle, (file) => {
          file.truncate(step.size, CONTEXT);
          return textOf(file);
        });
      case 'flush':
        return this.#with(step.handle, (file) => {
          file.flush(CONTEXT);
          return 'done';
        }).replace('not open', 'done');
      case 'close':
        return this.#close(step.handle);
      case 'read':
        return this.#with(step.handle, textOf);
      case 'truncate':
        this.#files.truncate(place, step.size, CONTEXT);
        return 'done';
      case 'mkdir':
        this.#files.makeFolder(place, 0o755);
        return 'done';
      case 'rmdir':
        this.#files.removeFolder(place);
        return 'done';
      case 'unlink':
        this.#files.remove(place, CONTEXT);
        return 'done';
      case 'stat': {
        const { kind, sizeBytes } = this.#files.stat(place);
        return kind === 'directory' ? 'folder' : String(sizeBytes);
      }
      case 'list':
        return this.#files
          .list(place)
          .map(({ name }) => name)
          .join();
      case 'rename':
        this.#files.rename(place, fact(step.to), CONTEXT);
        return 'done';
    }
  }

  #with(handle: number, act: (file: MemoryFile) => string): string {
    const file = this.#handles.get(handle);
    return file === undefined ? 'not open' : act(file);
  }

  #close(handle: number): string {
    return this.#with(handle, (file) => {
      file.flush(CONTEXT);
      file.close();
      this.#handles.delete(handle);
      return 'done';
    });
  }
}

function textOf(file: MemoryFile): string {
  const target = Buffer.alloc(file.sizeBytes);
  return target.toString('utf8', 0, file.read(target, 0));
}

/** All files with their contents, as they are kept. A folder may have got any name by now. */
function keptTree({ store }: Remembering): Map<string, string> {
  const { entries, folders } = store.memory;
  const files = entries.below('fact', '');
  const waiting = folders.names('fact', '');
  for (const folder of waiting) {
    files.push(...entries.below('fact', folder).filter((row) => row.folder === folder));
    waiting.push(...folders.names('fact', folder).map((name) => `${folder}/${name}`));
  }
  return new Map(
    files
      .map((row): [string, string] => [
        row.folder === '' ? row.name : `${row.folder}/${row.name}`,
        entries.content(row.id).toString(),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function check(steps: readonly Step[]): void {
  const cleanups: (() => unknown)[] = [];
  const run: Teardown = { teardown: (action) => cleanups.unshift(action) };
  try {
    const parts = remembering(run);
    const ours = new InMemory(parts.files);
    const theirs = new OnDisk(temporaryFolder(run));
    run.teardown(() => theirs.closeAll());
    for (const [index, step] of steps.entries()) {
      const [answer, expected] = [ours.apply(step), theirs.apply(step)];
      if (answer !== expected) {
        throw new Error(`step ${index}, ${JSON.stringify(step)}: ${answer} instead of ${expected}`);
      }
    }
    ours.closeAll();
    const [tree, expected] = [keptTree(parts), theirs.tree()].map((files) => JSON.stringify([...files]));
    if (tree !== expected) throw new Error(`kept ${tree} instead of ${expected}`);
  } finally {
    for (const cleanUp of cleanups) cleanUp();
  }
}

t.test(
  'whatever is done to memories through several handles, they answer and keep what a disk does',
  async (t) => {
    fc.assert(fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), check), { numRuns: 200 });
    t.pass();
  },
);
