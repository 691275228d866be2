import { after, recover } from '../../core/awaitable.ts';
import { FsError, isFsError } from '../../core/errors.ts';
import type { Awaitable, NodeInfo } from '../../core/resolver.ts';
import { type Answer, type Handlers, Stale } from './handler.ts';
import { ROOT_ID } from './node-table.ts';
import { encodeBytes, encodeMiss } from './protocol/answer.ts';
import { decodeBatchForget, decodeForget, decodeName } from './protocol/request.ts';
import { entryOf, type NamedPlace, nodeOf, pathOf, placeOf, type Served, TRUST_SECONDS } from './served.ts';

/** The most that the kernel takes as the target of a link: a page, less the NUL. */
const MAX_TARGET_BYTES = 4095;

/** Looking up names, and giving them back. */
export function serveNames(served: Served): Handlers {
  const { vfs, nodes, sentBack } = served;

  function miss({ folder, name, path }: NamedPlace, generation: number): Answer {
    nodes.removeName(folder, name);
    const isTold = vfs.tellsOfNew(path) && generation === served.generation();
    if (!isTold || !nodes.noteMissed(folder, name)) {
      throw new FsError('ENOENT', path, 'there is nothing of this name');
    }
    return { encode: (out) => encodeMiss(out, TRUST_SECONDS) };
  }

  return {
    lookup(request, context) {
      if (request.nodeId === ROOT_ID) served.kernel.rootIsUsed();
      const place = placeOf(served, request, decodeName(request));
      const generation = served.generation();
      const info = recover<NodeInfo, undefined>(
        () => vfs.stat(place.path, context),
        (error) => {
          if (isFsError(error, 'ENOENT')) return undefined;
          throw error;
        },
      );
      return after<NodeInfo | undefined, Answer>(info, (info) => {
        if (info === undefined) {
          sentBack.found(request.pid, undefined);
          return miss(place, generation);
        }
        const entry = entryOf(served, place, info, generation);
        sentBack.found(request.pid, entry.node);
        return entry;
      });
    },
    forget(request) {
      nodes.forget(request.nodeId, decodeForget(request));
      return undefined;
    },
    batchForget(request) {
      for (const { nodeId, lookUps } of decodeBatchForget(request)) nodes.forget(nodeId, lookUps);
      return undefined;
    },
    readlink(request, context): Awaitable<Answer> {
      const path = pathOf(served, nodeOf(served, request.nodeId));
      const text = recover<string, never>(
        () => vfs.readLink(path, context),
        (error) => {
          // No link by now: the kernel, which took it for one, looks anew.
          throw isFsError(error, 'EINVAL') ? new Stale() : error;
        },
      );
      return after(text, (target) => {
        const bytes = Buffer.from(target);
        if (bytes.length > MAX_TARGET_BYTES)
          throw new FsError('ENAMETOOLONG', path, 'the target is too long');
        return { encode: (out) => encodeBytes(out, bytes) };
      });
    },
  };
}
