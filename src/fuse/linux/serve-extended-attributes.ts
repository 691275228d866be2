import { after } from '../../core/awaitable.ts';
import { FsError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import type { Attributes, Awaitable, OpContext } from '../../core/resolver.ts';
import { attributeUseOf, isUserAttribute, requireUserAttribute } from '../request-values.ts';
import { DONE, type Handlers, refused } from './handler.ts';
import type { Node } from './node-table.ts';
import { encodeAttribute } from './protocol/answer.ts';
import { decodeGetxattr, decodeListxattr, decodeName, decodeSetxattr } from './protocol/request.ts';
import { nodeOf, pathOf, type Served } from './served.ts';

const NOT_SUPPORTED = refused('ENOTSUP');
const NONE_OF_THIS_NAME = refused('ENODATA');

/** Serves the extended attributes of nodes, see xattr(7). */
export function serveExtendedAttributes(served: Served): Handlers {
  const { vfs, nodes } = served;
  return {
    getxattr(request, context) {
      const { name, sizeBytes } = decodeGetxattr(request);
      const node = nodeOf(served, request.nodeId);
      // The kernel itself asks for `security.capability` before it writes to a file for the first time.
      if (!isUserAttribute(name)) return NOT_SUPPORTED;
      return after(attributesOf(served, node, context), (attributes) => {
        const value = attributes.get(name);
        if (value === undefined) return NONE_OF_THIS_NAME;
        return { encode: (out) => encodeAttribute(out, value, sizeBytes, nodes.pathOf(node) ?? '') };
      });
    },
    listxattr(request, context) {
      const roomBytes = decodeListxattr(request);
      const node = nodeOf(served, request.nodeId);
      const path = nodes.pathOf(node) ?? '';
      return after(attributesOf(served, node, context), (attributes) => {
        const names = [...attributes.keys()].map((name) => `${name}\0`).join('');
        return { encode: (out) => encodeAttribute(out, names, roomBytes, path) };
      });
    },
    setxattr(request, context) {
      const { name, value, flags } = decodeSetxattr(request);
      const path = pathToChange(served, nodeOf(served, request.nodeId), name);
      const use = attributeUseOf(flags);
      return after(vfs.setAttribute(path, name, Uint8Array.from(value), use, context), () => DONE);
    },
    removexattr(request, context) {
      const name = decodeName(request);
      const path = pathToChange(served, nodeOf(served, request.nodeId), name);
      return after(vfs.removeAttribute(path, name, context), () => DONE);
    },
  };
}

/** A removed file that is still open has no attributes any more. */
function attributesOf(served: Served, node: Node, context: OpContext): Awaitable<Attributes> {
  return isRemoved(served, node) ? new Map() : served.vfs.attributes(pathOf(served, node), context);
}

/** @throws FsError ENOTSUP for a removed file that is still open. @throws Stale for one that is not open */
function pathToChange(served: Served, node: Node, name: string): VfsPath {
  requireUserAttribute(served.nodes.pathOf(node) ?? '', name);
  if (isRemoved(served, node))
    throw new FsError('ENOTSUP', '', 'a file that has no name any more has no attributes');
  return pathOf(served, node);
}

function isRemoved({ nodes }: Served, node: Node): boolean {
  return node.openings > 0 && nodes.pathOf(node) === undefined;
}
