import { FsError } from '../../src/core/errors.ts';
import { childOf, parsePath, partsOf, ROOT, type VfsPath } from '../../src/core/paths.ts';
import type { FileKind, NodeInfo } from '../../src/core/resolver.ts';
import type { Vfs } from '../../src/vfs/vfs.ts';
import type { Ability, Change, ClientPath, FsClient, Status } from './client.ts';

const CONTEXT = {};
/** `MAXSYMLINKS` of the kernel. */
const MAX_LINKS = 40;
const PLAIN: ReadonlySet<FileKind> = new Set(['file', 'directory', 'link']);

/** A client over a tree in this process, which does what the kernel does between a program and a tree: it follows links. */
export function vfsClient(vfs: Vfs, abilities: readonly Ability[]): FsClient {
  const pathOf = (path: ClientPath): VfsPath => parsePath(Buffer.from(path).toString());
  const resolve = (path: ClientPath): Promise<VfsPath> => follow(vfs, pathOf(path), true);
  const resolveParent = (path: ClientPath): Promise<VfsPath> => follow(vfs, pathOf(path), false);
  const readAt = async (path: ClientPath, position: number, sizeBytes?: number): Promise<Uint8Array> => {
    const file = await vfs.open(await resolve(path), CONTEXT);
    try {
      const target = new Uint8Array(sizeBytes ?? file.sizeBytes);
      return target.subarray(0, await file.read(target, position));
    } finally {
      file.close();
    }
  };
  return {
    abilities: new Set(abilities),
    lstat: async (path) => statusOf(await vfs.stat(await resolveParent(path), CONTEXT)),
    stat: async (path) => statusOf(await vfs.stat(await resolve(path), CONTEXT)),
    list: async (path) => (await vfs.list(await resolve(path), CONTEXT)).map(({ name }) => name),
    readFile: (path) => readAt(path, 0),
    readAt,
    readLink: async (path) => vfs.readLink(await resolveParent(path), CONTEXT),
    change: (change) => applyChange(vfs, change),
  };
}

async function applyChange(vfs: Vfs, change: Change): Promise<void> {
  const path = parsePath(change.path);
  switch (change.operation) {
    case 'create': {
      const options = { append: false, truncate: false, exclusive: true, mode: 0o644 };
      const file = await vfs.create(path, options, CONTEXT);
      await file.flush(CONTEXT);
      return file.close();
    }
    case 'open to write':
      return write(vfs, path, {});
    case 'write':
      return write(vfs, path, { text: 'changed' });
    case 'append':
      return write(vfs, path, { text: 'changed', append: true });
    case 'truncate':
      return vfs.truncate(path, 1, CONTEXT);
    case 'mkdir':
      return vfs.makeFolder(path, 0o755, CONTEXT);
    case 'rmdir':
      return vfs.removeFolder(path, CONTEXT);
    case 'unlink':
      return vfs.remove(path, CONTEXT);
    case 'chmod':
      return vfs.changeMode(path, 0o600, CONTEXT);
    case 'chown':
      return vfs.changeOwner(
        path,
        { user: process.getuid?.() ?? 0, group: process.getgid?.() ?? 0 },
        CONTEXT,
      );
    case 'utimens': {
      const times = { accessedNs: 1_000_000_000_000n, modifiedNs: 2_000_000_000_000n };
      return vfs.changeTimes(path, times, CONTEXT);
    }
    case 'rename':
      return vfs.rename(parsePath(change.from), path, CONTEXT);
    case 'link':
      return vfs.link(parsePath(change.from), path, CONTEXT);
    case 'symlink':
      return vfs.symlink(change.target, path, CONTEXT);
    case 'mknod':
      return vfs.makeNode(path, { kind: 'pipe', mode: 0o644, device: 0 }, CONTEXT);
    case 'setxattr':
      return vfs.setAttribute(path, 'user.kgraphfs.test', Buffer.from('changed'), 'either', CONTEXT);
    case 'removexattr':
      return vfs.removeAttribute(path, 'user.kgraphfs.test', CONTEXT);
  }
}

async function write(
  vfs: Vfs,
  path: VfsPath,
  { text, append = false }: { text?: string; append?: boolean },
): Promise<void> {
  const file = await vfs.openToWrite(path, { append, truncate: false }, CONTEXT);
  try {
    if (text !== undefined) await file.write(Buffer.from(text), append ? file.sizeBytes : 0, CONTEXT);
    await file.flush(CONTEXT);
  } finally {
    file.close();
  }
}

function statusOf({ kind, sizeBytes, modifiedNs }: NodeInfo): Status {
  return {
    kind: PLAIN.has(kind) ? kind : 'other',
    sizeBytes,
    modifiedMs: Number(modifiedNs / 1_000_000n),
  };
}

/** Walks a path from the root and follows links on the way; the last name's too, where `last` says so. */
async function follow(vfs: Vfs, path: VfsPath, last: boolean): Promise<VfsPath> {
  const waiting = partsOf(path);
  let place = ROOT;
  let links = 0;
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const next = childOf(place, part);
    if (waiting.length === 0 && !last) return next;
    if ((await vfs.stat(next, CONTEXT)).kind !== 'link') {
      place = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw new FsError('ELOOP', path, 'too many links');
    const target = await vfs.readLink(next, CONTEXT);
    waiting.unshift(...partsOf(parsePath(`${place}/${target}`)));
    place = ROOT;
  }
  return place;
}
