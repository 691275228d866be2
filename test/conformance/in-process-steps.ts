import type { WritableFile } from '../../src/core/changes.ts';
import { FsError, isFsError } from '../../src/core/errors.ts';
import { parsePath, type VfsPath } from '../../src/core/paths.ts';
import type { OpenFile } from '../../src/core/resolver.ts';
import type { Vfs } from '../../src/vfs/vfs.ts';
import { fileOf, type OpenFlags, type Outcome, runSteps, type Step, type StepRunner } from './steps.ts';

const CONTEXT = {};
const MODE = 0o644;

/** Steps on a tree in this process, which does what the kernel does between a program and a tree. */
export function vfsSteps(vfs: Vfs, base: VfsPath): StepRunner {
  return (steps) => runSteps<Descriptor>(steps, (step, files) => takeStep(vfs, base, step, files));
}

/** An open file with the position and the rights that the kernel keeps for it. */
class Descriptor {
  readonly #file: OpenFile | WritableFile;
  readonly #flags: OpenFlags;
  #position = 0;

  constructor(file: OpenFile | WritableFile, flags: OpenFlags) {
    this.#file = file;
    this.#flags = flags;
  }

  get sizeBytes(): number {
    return this.#file.sizeBytes;
  }

  async read(position: number, sizeBytes: number): Promise<string> {
    if (!/[r+]/.test(this.#flags)) throw new FsError('EBADF', '', 'not open to be read');
    const target = Buffer.alloc(sizeBytes);
    return target.toString('latin1', 0, await this.#file.read(target, position));
  }

  async write(text: string, position: number | undefined): Promise<number> {
    const bytes = Buffer.from(text);
    const at = this.#flags.startsWith('a') ? this.#file.sizeBytes : (position ?? this.#position);
    const count = await this.#writable().write(bytes, at, CONTEXT);
    if (position === undefined) this.#position = at + count;
    return count;
  }

  async truncate(sizeBytes: number): Promise<void> {
    if (!this.#isWritable()) throw new FsError('EINVAL', '', 'not open to be written');
    await this.#writable().truncate(sizeBytes, CONTEXT);
  }

  async sync(): Promise<void> {
    if (this.#isWritable()) await this.#writable().sync(CONTEXT);
  }

  async close(): Promise<void> {
    try {
      if (this.#isWritable()) await this.#writable().flush(CONTEXT);
    } finally {
      this.#file.close();
    }
  }

  #isWritable(): boolean {
    return this.#flags !== 'r';
  }

  #writable(): WritableFile {
    if (!this.#isWritable() || !('write' in this.#file)) {
      throw new FsError('EBADF', '', 'not open to be written');
    }
    return this.#file;
  }
}

async function takeStep(
  vfs: Vfs,
  base: VfsPath,
  step: Step,
  files: Map<string, Descriptor>,
): Promise<Outcome> {
  const at = (path: string): VfsPath => parsePath(`${base}/${path}`);
  switch (step.do) {
    case 'open':
      files.set(step.as, new Descriptor(await open(vfs, at(step.path), step.flags), step.flags));
      return;
    case 'write':
      return fileOf(files, step.to).write(step.text, step.position);
    case 'read':
      return fileOf(files, step.from).read(step.position, step.sizeBytes);
    case 'cut':
      return void (await fileOf(files, step.file).truncate(step.sizeBytes));
    case 'size':
      return fileOf(files, step.file).sizeBytes;
    case 'sync':
      return void (await fileOf(files, step.file).sync());
    case 'close': {
      const file = fileOf(files, step.file);
      files.delete(step.file);
      return void (await file.close());
    }
    case 'cat':
      return cat(vfs, at(step.path));
    case 'stat':
      return (await vfs.stat(at(step.path), CONTEXT)).sizeBytes;
    case 'list':
      return (await vfs.list(at(step.path), CONTEXT)).map(({ name }) => name).sort();
    case 'cut path':
      return void (await vfs.truncate(at(step.path), step.sizeBytes, CONTEXT));
    case 'mkdir':
      return void (await vfs.makeFolder(at(step.path), 0o755, CONTEXT));
    case 'rmdir':
      return void (await vfs.removeFolder(at(step.path), CONTEXT));
    case 'unlink':
      return void (await vfs.remove(at(step.path), CONTEXT));
    case 'rename':
      return void (await vfs.rename(at(step.from), at(step.to), CONTEXT));
  }
}

async function open(vfs: Vfs, path: VfsPath, flags: OpenFlags): Promise<OpenFile | WritableFile> {
  if (flags === 'r') return vfs.open(path, CONTEXT);
  const append = flags.startsWith('a');
  const truncate = flags.startsWith('w');
  if (flags === 'r+') return vfs.openToWrite(path, { append, truncate }, CONTEXT);
  if (flags.includes('x') || !(await exists(vfs, path))) {
    return vfs.create(path, { append, truncate, exclusive: true, mode: MODE }, CONTEXT);
  }
  return vfs.openToWrite(path, { append, truncate }, CONTEXT);
}

async function exists(vfs: Vfs, path: VfsPath): Promise<boolean> {
  try {
    await vfs.stat(path, CONTEXT);
    return true;
  } catch (error) {
    if (isFsError(error, 'ENOENT')) return false;
    throw error;
  }
}

async function cat(vfs: Vfs, path: VfsPath): Promise<string> {
  const file = await vfs.open(path, CONTEXT);
  try {
    const target = Buffer.alloc(file.sizeBytes);
    return target.toString('latin1', 0, await file.read(target, 0));
  } finally {
    file.close();
  }
}
