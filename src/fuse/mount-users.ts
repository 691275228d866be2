import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** A process that keeps a mount busy. */
export interface MountUser {
  readonly pid: number;
  readonly command: string;
}

/**
 * The processes with a current folder, root, open file or mapping at or below a folder. Read from /proc alone, so that a mount which does
 * not answer cannot hang it. Processes that the caller may not look into (other users', other namespaces') are missing.
 */
export async function whoUses(folder: string): Promise<MountUser[]> {
  const users = await Promise.all(
    (await processes()).map(async (pid) => {
      const used = (await uses(pid)).some((path) => isWithin(path, folder));
      return used ? { pid, command: await commandOf(pid) } : undefined;
    }),
  );
  return users.filter((user) => user !== undefined);
}

/** Inode numbers of the files and folders below `folders` that some process has open or mapped. */
export async function inodesInUse(folders: readonly string[]): Promise<Set<bigint>> {
  const wanted = (path: string) => folders.some((folder) => isWithin(path, folder));
  const found = await Promise.all(
    (await processes()).map(async (pid) => [
      ...(await openInodes(pid, wanted)),
      ...(await mappings(pid)).filter(({ path }) => wanted(path)).map(({ inode }) => inode),
    ]),
  );
  return new Set(found.flat());
}

async function processes(): Promise<number[]> {
  const names = await readdir('/proc');
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function uses(pid: number): Promise<string[]> {
  const links = [`/proc/${pid}/cwd`, `/proc/${pid}/root`, ...(await descriptors(pid))];
  const targets = await Promise.all(links.map(linkTarget));
  return [...targets, ...(await mappings(pid)).map(({ path }) => path)];
}

async function descriptors(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name));
}

/** The name is all that is read: following the link would ask the mount. */
async function linkTarget(link: string): Promise<string> {
  return (await readlink(link).catch(() => '')).replace(/ \(deleted\)$/, '');
}

async function openInodes(pid: number, wanted: (path: string) => boolean): Promise<bigint[]> {
  const inodes = await Promise.all(
    (await descriptors(pid)).map(async (link) => {
      if (!wanted(await linkTarget(link))) return undefined;
      const text = await readFile(link.replace('/fd/', '/fdinfo/'), 'utf8').catch(() => '');
      const inode = /^ino:\s*(\d+)$/m.exec(text)?.[1];
      return inode === undefined ? undefined : BigInt(inode);
    }),
  );
  return inodes.filter((inode) => inode !== undefined);
}

async function mappings(pid: number): Promise<{ path: string; inode: bigint }[]> {
  const text = await readFile(`/proc/${pid}/maps`, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const match = /^\S+ \S+ \S+ \S+ (\d+) +(\/.*?)(?: \(deleted\))?$/.exec(line);
    if (!match?.[1] || !match[2]) return [];
    const path = match[2].replaceAll('\\012', '\n');
    return [{ path, inode: BigInt(match[1]) }];
  });
}

async function commandOf(pid: number): Promise<string> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const command = words.replaceAll('\0', ' ').trim();
  return command === '' ? (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '?')).trim() : command;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
