import { after, recover } from '../../core/awaitable.ts';
import { isFsError } from '../../core/errors.ts';
import type { Awaitable, NodeInfo, OpContext } from '../../core/resolver.ts';
import { changeAttributes } from './change-attributes.ts';
import { type Answer, type Handlers, Stale } from './handler.ts';
import { tellable } from './live-bytes.ts';
import { isStill, type Node } from './node-table.ts';
import { encodeAttributes, encodeSpace } from './protocol/answer.ts';
import { decodeSetattr } from './protocol/request.ts';
import { isToldInFull, nodeOf, pathOf, type Served, TRUST_SECONDS } from './served.ts';

/** Attributes of nodes, and the space left on the file system. */
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
          // A part of the change may have been made.
          served.kernel.invalidateAttributes(node);
          throw error;
        },
      );
      const isCut = asked.sizeBytes !== undefined;
      const answered = after(changed, () => answerInfo(served, node, context, isCut));
      // If it took too long, the kernel was told that nothing was changed.
      return after<Answer, Answer>(answered, (answer) => ({
        ...answer,
        undo: () => served.kernel.invalidateSoon(node),
      }));
    },
    statfs(request, context) {
      const { vfs, nodes } = served;
      const path = nodes.pathOf(nodeOf(served, request.nodeId)) ?? pathOf(served, nodes.root);
      return after(vfs.space(path, context), (space) => ({ encode: (out) => encodeSpace(out, space) }));
    },
  };
}

/** Others may open the node while the tree is asked what its name leads to. After that it is compared, noted and answered without a pause. */
function answerInfo(served: Served, node: Node, context: OpContext, isCut = false): Awaitable<Answer> {
  const generation = served.generation();
  return after(findNamed(served, node, context), (named) => {
    const now = infoOf(served, node, named);
    if (!isStill(node, now)) return tellOnce(served, node, now);
    // The kernel drops all bytes of a file that it gives another length.
    if (isCut) node.bytesAsOf = now;
    node.info = tellable(node, now);
    const isTrusted =
      isToldInFull(served, node, now) && generation === served.generation() && now.changesUntold !== true;
    return answerOf(node, node.info, isTrusted ? TRUST_SECONDS : 0);
  });
}

/** What a node's name leads to now. @returns undefined if that does not matter, or there is nothing to compare with the node */
function findNamed(served: Served, node: Node, context: OpContext): Awaitable<NodeInfo | undefined> {
  const path = isOpenVersion(node) ? undefined : served.nodes.pathOf(node);
  if (path === undefined) return undefined;
  return recover<NodeInfo, undefined>(
    () => served.vfs.stat(path, context),
    (error) => {
      // ENOENT, or a folder on the way that no longer lets this process in: the open file still answers.
      if (isFsError(error, 'ENOENT', 'EACCES') && infoOfOpen(served, node) !== undefined) return undefined;
      // The kernel still has a name that is gone, and would refuse to open it even with O_CREAT.
      if (isFsError(error, 'ENOENT') && node.info.version === undefined) throw new Stale();
      throw error;
    },
  );
}

/** What to show of a node: its own state, not that of whatever has its name by now. The exception is a newer version of a file that nobody has open. */
function infoOf(served: Served, node: Node, named: NodeInfo | undefined): NodeInfo {
  if (isOpenVersion(node)) return node.info;
  if (named === undefined) return infoOfFormer(served, node);
  if (isStill(node, named)) return named;
  return node.openings > 0 || !isNextVersion(node, named) ? infoOfFormer(served, node) : named;
}

/** An open version never changes. Asking the tree would be a waste: the kernel asks again after each read, since that changes the time of access. */
function isOpenVersion(node: Node): boolean {
  return node.openings > 0 && node.info.version !== undefined;
}

function isNextVersion({ info }: Node, { kind, inode, version }: NodeInfo): boolean {
  return info.kind === kind && info.inode === inode && info.version !== undefined && version !== undefined;
}

/**
 * What to show of a node whose name leads elsewhere by now: its former state, this once. The kernel asks for the mode in the course of an open(2), in
 * which it repeats the look-up of a name only once. That one chance is left to OPEN.
 */
function infoOfFormer(served: Served, node: Node): NodeInfo {
  const open = infoOfOpen(served, node);
  if (open === undefined) served.kernel.invalidateAttributes(node);
  return open ?? node.info;
}

/** The state of an open file that has lost its name, or of an old version; also of a removed folder that somebody is still in, and of a pipe. */
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

/** Answers with attributes that the kernel passes on to the caller without keeping them for the node. */
function tellOnce({ kernel }: Served, node: Node, info: NodeInfo): Answer {
  kernel.invalidateAttributes(node);
  return answerOf(node, info, 0);
}

/** @param attributeSeconds how long the kernel may believe it */
function answerOf({ inode }: Node, info: NodeInfo, attributeSeconds: number): Answer {
  return { encode: (out) => encodeAttributes(out, { inode, attributeSeconds }, info) };
}
