import { execFile } from 'node:child_process';
import { lutimesSync, mkdirSync, type Stats, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ability, Change, ClientPath, FsClient, Status } from './client.ts';
import type { NewNode } from './memory-tree.ts';

/** A client over a real folder: a plain one, which shows what is right, or a mount. */
export function folderClient(base: string, abilities: readonly Ability[]): FsClient {
  const at = (path: ClientPath): Buffer => Buffer.concat([Buffer.from(base), Buffer.from(path)]);
  return {
    abilities: new Set(abilities),
    lstat: async (path) => statusOf(await fs.lstat(at(path))),
    stat: async (path) => statusOf(await fs.stat(at(path))),
    list: (path) => fs.readdir(at(path)),
    readFile: (path) => fs.readFile(at(path)),
    readLink: (path) => fs.readlink(at(path)),
    change: (change) => applyChange(base, change),
    async readAt(path, position, sizeBytes) {
      const file = await fs.open(at(path));
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(sizeBytes), 0, sizeBytes, position);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
  };
}

function statusOf(stats: Stats): Status {
  return { kind: kindOf(stats), sizeBytes: stats.size, modifiedMs: stats.mtime.getTime() };
}

function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

async function applyChange(base: string, change: Change): Promise<void> {
  const path = join(base, change.path);
  switch (change.operation) {
    case 'create':
      return (await fs.open(path, 'wx')).close();
    case 'open to write':
      return withFile(path, 'r+', async () => {});
    case 'write':
      return withFile(path, 'r+', (file) => file.write('changed'));
    case 'append':
      return withFile(path, fs.constants.O_WRONLY | fs.constants.O_APPEND, (file) => file.write('changed'));
    case 'truncate':
      return fs.truncate(path, 1);
    case 'mkdir':
      return fs.mkdir(path);
    case 'rmdir':
      return fs.rmdir(path);
    case 'unlink':
      return fs.unlink(path);
    case 'chmod':
      return fs.chmod(path, 0o600);
    case 'chown':
      return fs.chown(path, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    case 'utimens':
      return fs.utimes(path, 1000, 2000);
    case 'rename':
      return fs.rename(join(base, change.from), path);
    case 'link':
      return fs.link(join(base, change.from), path);
    case 'symlink':
      return fs.symlink(change.target, path);
    // Node has no calls for these.
    case 'setxattr':
      return run('setfattr', ['-n', 'user.kgraphfs.test', '-v', 'changed', '--', path]);
    case 'removexattr':
      return run('setfattr', ['-x', 'user.kgraphfs.test', '--', path]);
    case 'mknod':
      // mkfifo of uutils, which Ubuntu has, tells of whatever went wrong as "File exists".
      return run('mknod', ['--', path, 'p']);
  }
}

async function withFile(
  path: string,
  flags: string | number,
  use: (file: fs.FileHandle) => Promise<unknown>,
): Promise<void> {
  const file = await fs.open(path, flags);
  try {
    await use(file);
  } finally {
    await file.close();
  }
}

const MESSAGES: readonly [RegExp, string][] = [
  [/Read-only file system/, 'EROFS'],
  [/No such file or directory/, 'ENOENT'],
  [/File exists/, 'EEXIST'],
  [/No such attribute/, 'ENODATA'],
];

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { env: { ...process.env, LC_ALL: 'C' } }, (error, _output, message) => {
      if (!error) return resolve();
      const code =
        error.code === 'ENOENT' ? 'no such command' : MESSAGES.find(([text]) => text.test(message))?.[1];
      reject(Object.assign(new Error(`${command}: ${message}`), { code: code ?? message }));
    });
  });
}

/** Writes a tree into an empty folder. */
export function writeTree(base: string, nodes: ReadonlyMap<string, NewNode>): void {
  for (const [path, node] of nodes) {
    const target = join(base, path);
    mkdirSync(node === 'empty folder' ? target : dirname(target), { recursive: true });
    if (node === 'empty folder') continue;
    const modified = node.modifiedMs / 1000;
    if ('target' in node) {
      symlinkSync(node.target, target);
      lutimesSync(target, modified, modified);
    } else {
      writeFileSync(target, node.bytes);
      utimesSync(target, modified, modified);
    }
  }
}
