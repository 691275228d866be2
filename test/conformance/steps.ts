import * as fs from 'node:fs/promises';
import { join } from 'node:path';

/** How a file is opened, as fopen(3) and Node write it. */
export type OpenFlags = 'r' | 'r+' | 'w' | 'wx' | 'w+' | 'a' | 'ax' | 'a+';

/** One thing that a program does; handles have names. */
export type Step =
  | { readonly do: 'open'; readonly as: string; readonly path: string; readonly flags: OpenFlags }
  | { readonly do: 'write'; readonly to: string; readonly text: string; readonly position?: number }
  | { readonly do: 'read'; readonly from: string; readonly position: number; readonly sizeBytes: number }
  | { readonly do: 'cut'; readonly file: string; readonly sizeBytes: number }
  | { readonly do: 'size'; readonly file: string }
  | { readonly do: 'sync'; readonly file: string }
  | { readonly do: 'close'; readonly file: string }
  | { readonly do: 'cat'; readonly path: string }
  | { readonly do: 'stat'; readonly path: string }
  | { readonly do: 'list'; readonly path: string }
  | { readonly do: 'cut path'; readonly path: string; readonly sizeBytes: number }
  | { readonly do: 'mkdir' | 'rmdir' | 'unlink'; readonly path: string }
  | { readonly do: 'rename'; readonly from: string; readonly to: string };

/** What a step gave: text, a number, names, nothing, or the errno's name. */
export type Outcome = string | number | readonly string[] | undefined;

/** Runs steps one after the other; a failure is an outcome and does not stop them. What is open at the end is closed. */
export type StepRunner = (steps: readonly Step[]) => Promise<Outcome[]>;

/** Steps on a real folder: a plain one, which shows what is right, or a mount. */
export function folderSteps(base: string): StepRunner {
  return (steps) => runSteps<fs.FileHandle>(steps, (step, files) => takeStep(base, step, files));
}

/** Takes the steps of a program, each with the files that it has open. */
export async function runSteps<File extends { close(): Promise<unknown> }>(
  steps: readonly Step[],
  take: (step: Step, files: Map<string, File>) => Promise<Outcome>,
): Promise<Outcome[]> {
  const files = new Map<string, File>();
  const outcomes: Outcome[] = [];
  for (const step of steps) outcomes.push(await outcomeOf(take(step, files)));
  for (const file of files.values()) await file.close();
  return outcomes;
}

async function outcomeOf(attempt: Promise<Outcome>): Promise<Outcome> {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

/** @throws Error where a step names a handle that was not opened: the case is wrong */
export function fileOf<File>(files: ReadonlyMap<string, File>, name: string): File {
  const file = files.get(name);
  if (file === undefined) throw new Error(`no file is open as ${name}`);
  return file;
}

async function takeStep(base: string, step: Step, files: Map<string, fs.FileHandle>): Promise<Outcome> {
  switch (step.do) {
    case 'open':
      files.set(step.as, await fs.open(join(base, step.path), step.flags));
      return;
    case 'write':
      return (await fileOf(files, step.to).write(step.text, step.position)).bytesWritten;
    case 'read': {
      const target = Buffer.alloc(step.sizeBytes);
      const { bytesRead } = await fileOf(files, step.from).read(target, 0, step.sizeBytes, step.position);
      return target.toString('latin1', 0, bytesRead);
    }
    case 'cut':
      return void (await fileOf(files, step.file).truncate(step.sizeBytes));
    case 'size':
      return (await fileOf(files, step.file).stat()).size;
    case 'sync':
      return void (await fileOf(files, step.file).sync());
    case 'close': {
      const file = fileOf(files, step.file);
      files.delete(step.file);
      return void (await file.close());
    }
    case 'cat':
      return (await fs.readFile(join(base, step.path))).toString('latin1');
    case 'stat':
      return (await fs.lstat(join(base, step.path))).size;
    case 'list':
      return (await fs.readdir(join(base, step.path))).sort();
    case 'cut path':
      return void (await fs.truncate(join(base, step.path), step.sizeBytes));
    case 'mkdir':
      return void (await fs.mkdir(join(base, step.path)));
    case 'rmdir':
      return void (await fs.rmdir(join(base, step.path)));
    case 'unlink':
      return void (await fs.unlink(join(base, step.path)));
    case 'rename':
      return void (await fs.rename(join(base, step.from), join(base, step.to)));
  }
}
