import { after } from '../../core/awaitable.ts';
import { FsError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import type { Attributes, Awaitable, OpContext } from '../../core/resolver.ts';
import { type Description, descriptionOf } from '../described-file.ts';
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
      const node = nodeOf(served, request.nodeId);
      requireUserAttribute(nodes.pathOf(node) ?? '', name);
      const use = attributeUseOf(flags);
      const bytes = Uint8Array.from(value);
      const change = changeOf(
        served,
        node,
        (path) => vfs.setAttribute(path, name, bytes, use, context),
        (file) => file.setAttribute(name, bytes, use, context),
      );
      return after(change, () => DONE);
    },
    removexattr(request, context) {
      const name = decodeName(request);
      const node = nodeOf(served, request.nodeId);
      requireUserAttribute(nodes.pathOf(node) ?? '', name);
      const change = changeOf(
        served,
        node,
        (path) => vfs.removeAttribute(path, name, context),
        (file) => file.removeAttribute(name, context),
      );
      return after(change, () => DONE);
    },
  };
}

/** Of a removed file they are those of the file that is open. What else was removed has none. */
function attributesOf(served: Served, node: Node, context: OpContext): Awaitable<Attributes> {
  if (!isRemoved(served, node)) return served.vfs.attributes(pathOf(served, node), context);
  return descriptionOf(served.handles.anyOf(node))?.attributes(context) ?? new Map();
}

/**
 * Changes them by the path, or by the open file if there is no path any more.
 * @throws FsError ENOTSUP for anything else that was removed while it is open. @throws Stale for what is not open
 */
function changeOf(
  served: Served,
  node: Node,
  byPath: (path: VfsPath) => Awaitable<void>,
  byFile: (file: Description) => Awaitable<void>,
): Awaitable<void> {
  if (!isRemoved(served, node)) return byPath(pathOf(served, node));
  const description = descriptionOf(served.handles.anyOf(node));
  if (description) return byFile(description);
  throw new FsError('ENOTSUP', '', 'what has no name any more, and is no file, has no attributes');
}

/** Whether it has no name any more, though somebody has it open. Folders, pipes and devices are opened by the kernel itself. */
function isRemoved({ nodes }: Served, node: Node): boolean {
  return (
    nodes.pathOf(node) === undefined && (node.openings > 0 || (node.isRemoved && node.info.kind !== 'file'))
  );
}
