import { after, recover } from '../../core/awaitable.ts';
import { isFsError } from '../../core/errors.ts';
import type { Awaitable, NodeInfo, OpContext } from '../../core/resolver.ts';
import { changeAttributes } from './change-attributes.ts';
import { type Answer, type Handlers, Stale } from './handler.ts';
import { isStill, type Node, tellable } from './node-table.ts';
import { encodeAttributes, encodeSpace } from './protocol/answer.ts';
import { decodeSetattr } from './protocol/request.ts';
import { isToldInFull, nodeOf, pathOf, type Served, TRUST_SECONDS } from './served.ts';

/** Attributes of nodes, and the space that there is. */
export function serveAttributes(served: Served): Handlers {
  return {
    getattr(request, context) {
      const node = nodeOf(served, request.nodeId);
      return recover<Answer, never>(
        () => answerInfo(served, node, context),
        (error) => {
          if (error instanceof Stale) served.sentBack.wentStale(request.pid);
          else served.sentBack.refused(request.pid);
          throw error;
        },
      );
    },
    setattr(request, context) {
      const node = nodeOf(served, request.nodeId);
      const asked = decodeSetattr(request);
      const changed = recover(
        () => changeAttributes(served, node, asked, context),
        (error): never => {
          // Some of it may have been done.
          served.kernel.forgetAttributes(node);
          throw error;
        },
      );
      const isCut = asked.sizeBytes !== undefined;
      const answered = after(changed, () => answerInfo(served, node, context, isCut));
      // Where it took too long, the kernel was told that nothing was done.
      return after<Answer, Answer>(answered, (answer) => ({
        ...answer,
        undo: () => served.kernel.forgetSoon(node),
      }));
    },
    statfs(request, context) {
      const { vfs, nodes } = served;
      const path = nodes.pathOf(nodeOf(served, request.nodeId)) ?? pathOf(served, nodes.root);
      return after(vfs.space(path, context), (space) => ({ encode: (out) => encodeSpace(out, space) }));
    },
  };
}

/** Others may open the node while it is asked what has its name: after that it is compared, noted and told in one go. */
function answerInfo(served: Served, node: Node, context: OpContext, isCut = false): Awaitable<Answer> {
  const generation = served.generation();
  return after(findNamed(served, node, context), (named) => {
    const now = infoOf(served, node, named);
    if (!isStill(node, now)) return tellOnce(served, node, now);
    // The kernel lets go of all that it has of a file when that gets another length.
    if (isCut) node.bytesAsOf = now;
    node.info = tellable(node, now);
    const isTrusted =
      isToldInFull(served, node, now) && generation === served.generation() && now.changesUntold !== true;
    return answerOf(node, node.info, isTrusted ? TRUST_SECONDS : 0);
  });
}

/** What has a node's name, if that has to be known. @returns undefined where there is nothing that it may be compared with */
function findNamed(served: Served, node: Node, context: OpContext): Awaitable<NodeInfo | undefined> {
  const path = isOpenVersion(node) ? undefined : served.nodes.pathOf(node);
  if (path === undefined) return undefined;
  return recover<NodeInfo, undefined>(
    () => served.vfs.stat(path, context),
    (error) => {
      // A folder on the way may no longer let this process in.
      if (isFsError(error, 'ENOENT', 'EACCES') && infoOfOpen(served, node) !== undefined) return undefined;
      // The kernel still has a name that is gone: who opens it to make it (O_CREAT) would be told that it is missing.
      if (isFsError(error, 'ENOENT') && node.info.version === undefined) throw new Stale();
      throw error;
    },
  );
}

/** What the node itself shows, and not what has its name by now: but for another version, where nobody has this one open. */
function infoOf(served: Served, node: Node, named: NodeInfo | undefined): NodeInfo {
  if (isOpenVersion(node)) return node.info;
  if (named === undefined) return infoOfFormer(served, node);
  if (isStill(node, named)) return named;
  return node.openings > 0 || !isNextVersion(node, named) ? infoOfFormer(served, node) : named;
}

/** A version stays what it is, and who has it open may ask again and again: each read has the kernel forget the time of access. */
function isOpenVersion(node: Node): boolean {
  return node.openings > 0 && node.info.version !== undefined;
}

function isNextVersion({ info }: Node, { kind, inode, version }: NodeInfo): boolean {
  return info.kind === kind && info.inode === inode && info.version !== undefined && version !== undefined;
}

/**
 * Of a node whose name leads elsewhere: what it showed, this once. Who opens is asked for the mode on the way, and the kernel looks a name up anew
 * once within an open(2): that is for OPEN to ask for.
 */
function infoOfFormer(served: Served, node: Node): NodeInfo {
  const open = infoOfOpen(served, node);
  if (open === undefined) served.kernel.forgetAttributes(node);
  return open ?? node.info;
}

/** What is open under no name, or as an old version; and a folder that was removed while somebody is in it, or a pipe. */
function infoOfOpen({ nodes, handles }: Served, node: Node): NodeInfo | undefined {
  // The kernel opens pipes, sockets and devices by itself.
  const isOpenUnseen = node.info.kind !== 'file' && node.info.kind !== 'link';
  if (isOpenUnseen && nodes.pathOf(node) === undefined) return withoutLinks(node.info);
  const opened = handles.anyOf(node) ?? handles.otherOf(node);
  return opened?.file.stat ? opened.file.stat() : opened && node.info;
}

function withoutLinks(info: NodeInfo): NodeInfo {
  return info.disk === undefined
    ? { ...info, isRemoved: true }
    : { ...info, disk: { ...info.disk, links: 0 } };
}

/** The kernel passes on what it does not take over: the node stays what it is. */
function tellOnce({ kernel }: Served, node: Node, info: NodeInfo): Answer {
  kernel.forgetAttributes(node);
  return answerOf(node, info, 0);
}

/** @param attributeSeconds how long the kernel may believe it */
function answerOf({ inode }: Node, info: NodeInfo, attributeSeconds: number): Answer {
  return { encode: (out) => encodeAttributes(out, { inode, attributeSeconds }, info) };
}
