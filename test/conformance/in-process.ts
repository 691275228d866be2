import { FsError } from '../../src/core/errors.ts';
import { childOf, parsePath, partsOf, ROOT, type VfsPath } from '../../src/core/paths.ts';
import type { NodeInfo } from '../../src/core/resolver.ts';
import type { ChangeOperation, Vfs } from '../../src/vfs/vfs.ts';
import type { Change, ClientPath, FsClient, Status } from './client.ts';

const CONTEXT = {};
/** `MAXSYMLINKS` of the kernel. */
const MAX_LINKS = 40;

/** A client over a tree in this process, which does what the kernel does between a program and a tree: it follows links. */
export function vfsClient(vfs: Vfs): FsClient {
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
    abilities: new Set(['looks-first']),
    lstat: async (path) => statusOf(await vfs.stat(await resolveParent(path), CONTEXT)),
    stat: async (path) => statusOf(await vfs.stat(await resolve(path), CONTEXT)),
    list: async (path) => (await vfs.list(await resolve(path), CONTEXT)).map(({ name }) => name),
    readFile: (path) => readAt(path, 0),
    readAt,
    readLink: async (path) => vfs.readLink(await resolveParent(path), CONTEXT),
    async change(change) {
      if (change.operation === 'rename') {
        await vfs.refuseChange('rename', parsePath(change.from), CONTEXT);
      }
      await vfs.refuseChange(operationOf(change), parsePath(change.path), CONTEXT);
    },
  };
}

function operationOf({ operation }: Change): ChangeOperation {
  return operation === 'append' || operation === 'open to write' ? 'write' : operation;
}

function statusOf({ kind, sizeBytes, modifiedNs }: NodeInfo): Status {
  return { kind, sizeBytes, modifiedMs: Number(modifiedNs / 1_000_000n) };
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
