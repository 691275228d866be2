import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { NewNode } from '../core/changes.ts';
import type { DiskFolder } from '../core/disk-folder.ts';
import { GIVEN, runOnDescriptor } from './disk-program.ts';

/** For nobody, until it gets its own mode. */
const FIRST_MODE = '600';

/** Neither made nor opened by Node itself. */
export type SpecialNode = NewNode & { readonly kind: Exclude<NewNode['kind'], 'file'> };

export function isSpecial(node: NewNode): node is SpecialNode {
  return node.kind !== 'file';
}

/**
 * Makes a pipe, a socket or a device, with no permissions worth speaking of.
 * @param spare a folder of the same disk that nobody looks into
 * @throws FsError, or what the system call says: EEXIST, EPERM, ENOSPC
 */
export async function makeSpecial(
  folder: DiskFolder,
  name: string,
  node: SpecialNode,
  spare: DiskFolder,
  path: string,
): Promise<void> {
  const given = `${GIVEN}/${name}`;
  const run = (command: 'mkfifo' | 'mknod', ...args: string[]) =>
    runOnDescriptor(command, ['-m', FIRST_MODE, given, ...args], folder.descriptor, path);
  switch (node.kind) {
    case 'pipe':
      return run('mkfifo');
    case 'socket':
      return makeSocket(folder, name, spare);
    case 'character device':
      return run('mknod', 'c', ...numbersOf(node.device));
    case 'block device':
      return run('mknod', 'b', ...numbersOf(node.device));
  }
}

/**
 * Only bind(2) makes sockets here, at a path of 107 bytes at most, and Node removes that path when it closes the socket: hence a short
 * name elsewhere, and a link to it.
 */
async function makeSocket(folder: DiskFolder, name: string, spare: DiskFolder): Promise<void> {
  const temporaryName = `.socket-${randomUUID()}`;
  const server = createServer();
  server.listen(spare.pathOf(temporaryName));
  await once(server, 'listening');
  try {
    spare.link(temporaryName, folder, name);
  } finally {
    server.close();
    await once(server, 'close');
  }
}

/** `major` and `minor` of sysmacros.h. */
function numbersOf(device: number): [string, string] {
  const bits = BigInt(device);
  const major = ((bits >> 8n) & 0xfffn) | ((bits >> 32n) & ~0xfffn);
  const minor = (bits & 0xffn) | ((bits >> 12n) & 0xfff00n);
  return [String(major), String(minor)];
}
