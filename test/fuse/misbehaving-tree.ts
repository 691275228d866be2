import { setTimeout as delay } from 'node:timers/promises';
import type { WritableFile } from '../../src/core/changes.ts';
import { FsError } from '../../src/core/errors.ts';
import { fileInfo, folderInfo, linkInfo } from '../../src/core/node-info.ts';
import { fileOfBytes } from '../../src/core/open-file.ts';
import { partsOf, type VfsPath } from '../../src/core/paths.ts';
import type { Awaitable, DirEntry, NodeInfo, OpContext, OpenFile } from '../../src/core/resolver.ts';
import { orMissing, statOneByOne } from '../../src/vfs/stat-names.ts';
import type { Vfs } from '../../src/vfs/vfs.ts';
import { RefusedChanges } from '../conformance/refused-changes.ts';

/** The deadline that a misbehaving tree is to be mounted with. */
export const DEADLINE_MS = 400;

/** What an operation does, by the last name of its path, and how it has to end for the caller. */
export const BEHAVIOURS = {
  answers: 'success',
  'answers soon': 'success',
  'answers twice': 'success',
  throws: 'EIO',
  'throws a text': 'EIO',
  'throws nothing': 'EIO',
  rejects: 'EIO',
  'rejects with a refusal': 'EACCES',
  refuses: 'EACCES',
  'answers nonsense': 'EIO',
  'answers nonsense soon': 'EIO',
  'answers late': 'ETIMEDOUT',
  'never answers': 'ETIMEDOUT',
  'has a broken promise': 'EIO',
} as const;
export type Behaviour = keyof typeof BEHAVIOURS;

/** The operations that misbehave, each below a folder of its name. */
export const OPERATIONS = [
  'stat',
  'open',
  'read',
  'list',
  'link',
  'attribute',
  'open to write',
  'write',
  'flush',
] as const;
type Operation = (typeof OPERATIONS)[number] | 'cut' | 'make';

const CONTENT = 'content\n';
const TARGET = 'target';

/** A tree whose resolvers have every bug. */
export class MisbehavingTree extends RefusedChanges implements Vfs {
  stat(path: VfsPath): Awaitable<NodeInfo> {
    const [operation, behaviour] = partsOf(path);
    if (operation === undefined || behaviour === undefined) return folderInfo(0n);
    if (operation === 'list') return folderInfo(0n);
    const info = operation === 'link' ? linkInfo(TARGET, 0n) : fileInfo(CONTENT.length, 0n);
    return behave('stat', path, info);
  }

  find(path: VfsPath): Awaitable<NodeInfo | undefined> {
    return orMissing(() => this.stat(path));
  }

  statNames(folder: VfsPath, names: readonly string[], context: OpContext): (NodeInfo | undefined)[] {
    return statOneByOne(this, folder, names, context);
  }

  list(path: VfsPath): Awaitable<readonly DirEntry[]> {
    const [, behaviour] = partsOf(path);
    if (behaviour === undefined) return [];
    return behave<readonly DirEntry[]>('list', path, [{ name: 'entry', kind: 'file' }]);
  }

  open(path: VfsPath): Awaitable<OpenFile> {
    const file = fileOfBytes(Buffer.from(CONTENT));
    const read: OpenFile['read'] = (target, position) =>
      behave('read', path, Number(file.read(target, position)));
    return behave('open', path, { sizeBytes: file.sizeBytes, read, close() {} });
  }

  openUnnoted(path: VfsPath): Awaitable<OpenFile> {
    return this.open(path);
  }

  noteRead(): void {}

  openAhead(): undefined {
    return undefined;
  }

  readLink(path: VfsPath): Awaitable<string> {
    return behave('link', path, TARGET);
  }

  attributes(path: VfsPath): Awaitable<ReadonlyMap<string, string>> {
    return behave('attribute', path, new Map([['user.kgraphfs.type', 'value']]));
  }

  override openToWrite(path: VfsPath): Awaitable<WritableFile> {
    const file = fileOfBytes(Buffer.from(CONTENT));
    return behave('open to write', path, {
      ...file,
      sizeBytes: file.sizeBytes,
      stat: () => fileInfo(CONTENT.length, 0n),
      write: (bytes) => behave('write', path, bytes.length),
      truncate: () => behave<void>('cut', path, undefined),
      flush: () => behave<void>('flush', path, undefined),
      sync: () => undefined,
    });
  }

  override makeFolder(path: VfsPath): Awaitable<void> {
    return behave<void>('make', path, undefined);
  }

  tellsOfNew(): boolean {
    return true;
  }

  onChange(): () => void {
    return () => {};
  }
}

/** What goes right, unless the path asks this very operation to misbehave. */
function behave<T>(operation: Operation, path: VfsPath, right: T): Awaitable<T> {
  const [asked, behaviour] = partsOf(path);
  return asked === operation ? misbehave(behaviour, path, right) : right;
}

function misbehave<T>(behaviour: string | undefined, path: VfsPath, right: T): Awaitable<T> {
  switch (behaviour) {
    case 'answers soon':
      return Promise.resolve(right);
    case 'answers twice':
      return eager(right);
    case 'throws':
      throw new Error('planted');
    case 'throws a text':
      throw 'planted';
    case 'throws nothing':
      throw undefined;
    case 'rejects':
      return Promise.reject(new Error('planted'));
    case 'rejects with a refusal':
      return Promise.reject(new FsError('EACCES', path, 'planted'));
    case 'refuses':
      throw new FsError('EACCES', path, 'planted');
    case 'answers nonsense':
      return nonsense();
    case 'answers nonsense soon':
      return Promise.resolve(nonsense());
    case 'answers late':
      return delay(DEADLINE_MS * 1.5, right);
    case 'never answers':
      return new Promise(() => {});
    case 'has a broken promise':
      return broken();
    default:
      return right;
  }
}

/** The compiler is told nothing of what it is: a resolver in JavaScript may answer anything. */
function nonsense() {
  return JSON.parse('-1');
}

/** Resolves twice, rejects, and throws. */
function eager<T>(right: T): PromiseLike<T> {
  const thenable: Pick<PromiseLike<T>, 'then'> = {
    // biome-ignore lint/suspicious/noThenProperty: a promise that breaks the rules is what is tested
    then(resolve, reject) {
      resolve?.(right);
      resolve?.(right);
      reject?.(new Error('planted'));
      throw new Error('planted');
    },
  };
  return thenable;
}

/** Throws where one waits for it. */
function broken(): PromiseLike<never> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a promise that breaks the rules is what is tested
    then() {
      throw new Error('planted');
    },
  };
}
