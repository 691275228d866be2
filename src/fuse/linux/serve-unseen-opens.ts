import { constants } from 'node:os';
import { after } from '../../core/awaitable.ts';
import type { RecentFiles } from '../recent-files.ts';
import { type Handlers, Refusal } from './handler.ts';
import { encodeBytes } from './protocol/answer.ts';
import { decodeRead } from './protocol/request.ts';
import { nodeOf, pathOf, type Served } from './served.ts';

/**
 * Files of a read-only mount whose opens are not seen: after one ENOSYS the kernel opens files itself for as long as the mount lives, and after another
 * it closes them without a request.
 */
export function serveUnseenOpens(served: Served, files: RecentFiles): Handlers {
  const unseen = (): never => {
    throw new Refusal(constants.errno.ENOSYS);
  };
  return {
    open: unseen,
    flush: unseen,
    read(request, context) {
      const node = nodeOf(served, request.nodeId);
      const { version } = node.info;
      const known = version === undefined ? undefined : { version, hasBytes: false };
      return after(files.read(pathOf(served, node), decodeRead(request), context, known), (bytes) => ({
        encode: (out) => encodeBytes(out, bytes),
      }));
    },
  };
}
