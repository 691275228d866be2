import { spawn } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin } from '../core/paths.ts';

/** A process that keeps a mount busy. */
export interface MountUser {
  readonly pid: number;
  readonly command: string;
}

/**
 * What is asked for so long and not said by then is not known: the kernel has a reader of `maps` and `cmdline` wait for an exec(2) and for
 * whoever holds the lock of the memory, which may wait for a mount that does not answer.
 */
const LIMIT_MS = 1000;

/**
 * The processes with a current folder, root, program, open file or mapping at or below a folder. Read from /proc alone, so that a mount which
 * does not answer cannot hang it; of a process that is stuck in one, mappings and the words of its command may be missing. Processes
 * that the caller may not look into (other users', other namespaces') are missing.
 * @param proc for tests
 */
export async function whoUses(folder: string, proc = '/proc'): Promise<MountUser[]> {
  const pids = await processes(proc);
  const mapped = new Set((await mappings(proc, pids, [folder])).map(({ pid }) => pid));
  const users = await Promise.all(
    pids.map(async (pid) => {
      const isUser = mapped.has(pid) || (await uses(proc, pid)).some((path) => isWithin(path, folder));
      return isUser ? { pid, command: await commandOf(proc, pid) } : undefined;
    }),
  );
  return users.filter((user) => user !== undefined);
}

/**
 * Inode numbers of the files and folders below `folders` that some process has open or mapped.
 */
export async function inodesInUse(folders: readonly string[]): Promise<Set<bigint>> {
  const proc = '/proc';
  const pids = await processes(proc);
  const [mapped, ...opened] = await Promise.all([
    mappings(proc, pids, folders),
    ...pids.map((pid) => openInodes(proc, pid, (path) => isWithinAny(path, folders))),
  ]);
  return new Set([...mapped.map(({ inode }) => inode), ...opened.flat()]);
}

async function processes(proc: string): Promise<number[]> {
  const names = await readdir(proc);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function uses(proc: string, pid: number): Promise<string[]> {
  const links = ['cwd', 'root', 'exe'].map((name) => `${proc}/${pid}/${name}`);
  return Promise.all([...links, ...(await descriptors(proc, pid))].map(linkTarget));
}

async function descriptors(proc: string, pid: number): Promise<string[]> {
  const folder = `${proc}/${pid}/fd`;
  // Of another user's process, or one that has just ended, nothing is known.
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name));
}

/** The name is all that is read: following the link would ask the mount. */
async function linkTarget(link: string): Promise<string> {
  return (await readlink(link).catch(() => '')).replace(/ \(deleted\)$/, '');
}

async function openInodes(proc: string, pid: number, wanted: (path: string) => boolean): Promise<bigint[]> {
  const inodes = await Promise.all(
    (await descriptors(proc, pid)).map(async (link) => {
      if (!wanted(await linkTarget(link))) return undefined;
      const text = await readFile(link.replace('/fd/', '/fdinfo/'), 'utf8').catch(() => '');
      const inode = /^ino:\s*(\d+)$/m.exec(text)?.[1];
      return inode === undefined ? undefined : BigInt(inode);
    }),
  );
  return inodes.filter((inode) => inode !== undefined);
}

interface Mapping {
  readonly pid: number;
  readonly inode: bigint;
}

/** The mappings of files at or below some folders. */
async function mappings(
  proc: string,
  pids: readonly number[],
  folders: readonly string[],
): Promise<Mapping[]> {
  const patterns = folders.flatMap((folder) => ['-e', folder.replaceAll('\n', '\\012')]);
  const files = pids.map((pid) => `${proc}/${pid}/maps`);
  const lines = await outputOf('grep', ['-asFH', '--line-buffered', ...patterns, '--', ...files]);
  return lines.split('\n').flatMap((line) => {
    const match = /\/(\d+)\/maps:\S+ \S+ \S+ \S+ (\d+) +(\/.*?)(?: \(deleted\))?$/.exec(line);
    if (!match?.[1] || !match[2] || !match[3]) return [];
    if (!isWithinAny(match[3].replaceAll('\\012', '\n'), folders)) return [];
    return [{ pid: Number(match[1]), inode: BigInt(match[2]) }];
  });
}

/** Its words, else the name of its program, which the kernel says at once. */
async function commandOf(proc: string, pid: number): Promise<string> {
  const words = await outputOf('cat', [`${proc}/${pid}/cmdline`]);
  const command = words.replaceAll('\0', ' ').trim();
  return command === '' ? (await readFile(`${proc}/${pid}/comm`, 'utf8').catch(() => '?')).trim() : command;
}

/**
 * What a helper says within the limit. It reads for us, since nobody can end a thread that waits, and those of libuv's pool are few. Nobody
 * waits for its end either.
 */
function outputOf(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    const end = (): void => {
      clearTimeout(limit);
      resolve(Buffer.concat(chunks).toString());
    };
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.unref();
      end();
    }, LIMIT_MS);
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', end);
    child.on('close', end);
  });
}

function isWithinAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isWithin(path, folder));
}
