import { after, recover } from '../../core/awaitable.ts';
import type { Owner, Times, WritableFile } from '../../core/changes.ts';
import { FsError, isFsError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import type { Awaitable, NodeInfo, OpContext } from '../../core/resolver.ts';
import { PERMISSION_BITS } from '../mode-bits.ts';
import { attributeUseOf, requireUserAttribute } from '../request-values.ts';
import { type Answer, DONE, type Handlers, Stale } from './handler.ts';
import type { OpenedFile } from './handles.ts';
import { isStill, type Node, tellable } from './node-table.ts';
import { encodeAttributes, encodeAttributeText, encodeSpace } from './protocol/answer.ts';
import {
  decodeGetxattr,
  decodeListxattr,
  decodeName,
  decodeSetattr,
  decodeSetxattr,
  type SetattrRequest,
} from './protocol/request.ts';
import { isToldInFull, nodeOf, pathOf, type Served, TRUST_SECONDS } from './served.ts';

/** Attributes of nodes, plain and extended. */
export function serveAttributes(served: Served): Handlers {
  const { vfs, nodes, handles, kernel } = served;

  /** What is open under no name, or as an old version; and a folder that was removed while somebody is in it, or a pipe. */
  function infoOfOpen(node: Node): NodeInfo | undefined {
    // The kernel opens pipes, sockets and devices by itself.
    const isOpenUnseen = node.info.kind !== 'file' && node.info.kind !== 'link';
    if (isOpenUnseen && nodes.pathOf(node) === undefined) return withoutLinks(node.info);
    const opened = handles.anyOf(node) ?? handles.otherOf(node);
    return opened?.file.stat ? opened.file.stat() : opened && node.info;
  }

  /**
   * Of a node whose name leads elsewhere: what it showed, this once. Who opens is asked for the mode on the way, and the kernel looks a name up anew
   * once within an open(2): that is for OPEN to ask for.
   */
  function infoOfFormer(node: Node): NodeInfo {
    const open = infoOfOpen(node);
    if (open === undefined) kernel.forgetAttributes(node);
    return open ?? node.info;
  }

  /** What the node itself shows, and not what has its name by now. */
  function infoOf(node: Node, context: OpContext): Awaitable<NodeInfo> {
    // A version stays what it is, and who has it open may ask again and again: each read has the kernel forget the time of access.
    if (node.openings > 0 && node.info.version !== undefined) return node.info;
    const path = nodes.pathOf(node);
    if (path === undefined) return infoOfFormer(node);
    const info = recover<NodeInfo, NodeInfo>(
      () => vfs.stat(path, context),
      (error) => {
        // A folder on the way may no longer let this process in.
        const open = isFsError(error, 'ENOENT', 'EACCES') ? infoOfOpen(node) : undefined;
        if (open === undefined) throw error;
        return open;
      },
    );
    return after(info, (info) => {
      if (isStill(node, info)) return info;
      if (node.openings > 0 || !isNextVersion(node, info)) return infoOfFormer(node);
      // As when it is opened.
      kernel.forgetUnopened(node);
      return info;
    });
  }

  /** A removed file that is open has none any more. */
  function attributesOf(node: Node, context: OpContext): Awaitable<ReadonlyMap<string, string>> {
    const isGone = node.openings > 0 && nodes.pathOf(node) === undefined;
    return isGone ? new Map() : vfs.attributes(pathOf(served, node), context);
  }

  /** @throws FsError ENOTSUP for a removed file that is open. @throws Stale for one that is not */
  function pathToChange(node: Node, name: string): VfsPath {
    const isGone = node.openings > 0 && nodes.pathOf(node) === undefined;
    requireUserAttribute(nodes.pathOf(node) ?? '', name);
    if (isGone) throw new FsError('ENOTSUP', '', 'a file that has no name any more has no attributes');
    return pathOf(served, node);
  }

  function answerInfo(node: Node, info: Awaitable<NodeInfo>): Awaitable<Answer> {
    const generation = served.generation();
    return after(info, (now) => {
      node.info = tellable(node, now);
      const isTrusted =
        isToldInFull(served, node, now) && generation === served.generation() && now.changesUntold !== true;
      const { info } = node;
      const attributeSeconds = isTrusted ? TRUST_SECONDS : 0;
      return { encode: (out) => encodeAttributes(out, { inode: node.inode, attributeSeconds }, info) };
    });
  }

  return {
    getattr(request, context) {
      const node = nodeOf(served, request.nodeId);
      return answerInfo(node, infoOf(node, context));
    },
    setattr(request, context) {
      const node = nodeOf(served, request.nodeId);
      const asked = decodeSetattr(request);
      const changed = recover(
        () => change(served, node, asked, context),
        (error): never => {
          // Some of it may have been done.
          served.kernel.forgetAttributes(node);
          throw error;
        },
      );
      const infoNow = () =>
        after(infoOf(node, context), (now) => {
          // The kernel lets go of all that it has of a file when that gets another length.
          if (asked.sizeBytes !== undefined) node.bytesAsOf = now;
          return now;
        });
      const answered = after(changed, () => answerInfo(node, infoNow()));
      // Where it took too long, the kernel was told that nothing was done.
      return after<Answer, Answer>(answered, (answer) => ({
        ...answer,
        undo: () => served.kernel.forgetSoon(node),
      }));
    },
    statfs(request, context) {
      const path = nodes.pathOf(nodeOf(served, request.nodeId)) ?? pathOf(served, nodes.root);
      return after(vfs.space(path, context), (space) => ({ encode: (out) => encodeSpace(out, space) }));
    },
    getxattr(request, context) {
      const { name, sizeBytes } = decodeGetxattr(request);
      const node = nodeOf(served, request.nodeId);
      const path = nodes.pathOf(node) ?? '';
      requireUserAttribute(path, name);
      return after(attributesOf(node, context), (attributes) => {
        const value = attributes.get(name);
        if (value === undefined) throw new FsError('ENODATA', path, `there is no attribute ${name}`);
        return { encode: (out) => encodeAttributeText(out, value, sizeBytes, path) };
      });
    },
    listxattr(request, context) {
      const roomBytes = decodeListxattr(request);
      const node = nodeOf(served, request.nodeId);
      const path = nodes.pathOf(node) ?? '';
      return after(attributesOf(node, context), (attributes) => {
        const names = [...attributes.keys()].map((name) => `${name}\0`).join('');
        return { encode: (out) => encodeAttributeText(out, names, roomBytes, path) };
      });
    },
    setxattr(request, context) {
      const { name, value, flags } = decodeSetxattr(request);
      const path = pathToChange(nodeOf(served, request.nodeId), name);
      const use = attributeUseOf(flags);
      return after(vfs.setAttribute(path, name, Uint8Array.from(value), use, context), () => DONE);
    },
    removexattr(request, context) {
      const name = decodeName(request);
      const path = pathToChange(nodeOf(served, request.nodeId), name);
      return after(vfs.removeAttribute(path, name, context), () => DONE);
    },
  };
}

function withoutLinks(info: NodeInfo): NodeInfo {
  return info.disk === undefined ? info : { ...info, disk: { ...info.disk, links: 0 } };
}

function isNextVersion({ info }: Node, { kind, inode, version }: NodeInfo): boolean {
  return info.kind === kind && info.inode === inode && info.version !== undefined && version !== undefined;
}

/** All that one SETATTR asks for, in the order in which Linux's own filesystems do it. */
function change(served: Served, node: Node, request: SetattrRequest, context: OpContext): Awaitable<void> {
  const target = targetOf(served, node, request.handle, context);
  const { sizeBytes, mode } = request;
  const owner = ownerOf(request);
  const times = timesOf(request);
  const steps: (() => Awaitable<void>)[] = [];
  if (sizeBytes !== undefined) steps.push(() => target.truncate(sizeBytes));
  if (owner !== undefined) steps.push(() => target.changeOwner(owner));
  if (mode !== undefined) steps.push(() => target.changeMode(mode & PERMISSION_BITS));
  if (times !== undefined) steps.push(() => target.changeTimes(times));
  return steps.reduce<Awaitable<void>>((before, step) => after(before, step), undefined);
}

interface ChangeTarget {
  truncate(sizeBytes: number): Awaitable<void>;
  changeOwner(owner: Owner): Awaitable<void>;
  changeMode(mode: number): Awaitable<void>;
  changeTimes(times: Times): Awaitable<void>;
}

/** The path, or the open file where there is no path any more. */
function targetOf(
  { vfs, nodes, handles }: Served,
  node: Node,
  handle: number | undefined,
  context: OpContext,
): ChangeTarget {
  const path = nodes.pathOf(node);
  const opened = handle === undefined ? handles.anyOf(node) : handles.file(handle);
  const file = opened?.writable;
  const byHandle = opened && file && openTarget(opened, file, context);
  if (path === undefined) {
    if (byHandle === undefined) throw new Stale();
    return byHandle;
  }
  const byPath: ChangeTarget = {
    truncate(sizeBytes) {
      // Who was let in to write may cut, whatever the mode says by now.
      if (byHandle && handle !== undefined) return byHandle.truncate(sizeBytes);
      // O_TRUNC, which the kernel sends behind the opening, and without its handle.
      const justOpened = sizeBytes === 0 ? handles.lastWriterOf(node) : undefined;
      return justOpened?.empty ? justOpened.empty() : vfs.truncate(path, sizeBytes, context);
    },
    changeOwner: (owner) => vfs.changeOwner(path, owner, context),
    changeMode: (mode) => vfs.changeMode(path, mode, context),
    changeTimes: (times) => vfs.changeTimes(path, times, context),
  };
  return byHandle === undefined ? byPath : letInBy(byPath, byHandle);
}

/** A file that is open, whatever its name. */
function openTarget(opened: OpenedFile, file: WritableFile, context: OpContext): ChangeTarget {
  const missing = (): never => {
    throw new FsError('ENOTSUP', '', 'a file that has no name any more cannot be changed so');
  };
  return {
    truncate: (sizeBytes) => opened.during(() => file.truncate(sizeBytes, context)),
    changeOwner: (owner) =>
      opened.during(() => (file.changeOwner ? file.changeOwner(owner, context) : missing())),
    changeMode: (mode) => opened.during(() => (file.changeMode ? file.changeMode(mode, context) : missing())),
    changeTimes: (times) =>
      opened.during(() => (file.changeTimes ? file.changeTimes(times, context) : missing())),
  };
}

/** That a folder on the way no longer lets this process in does not concern who has the file open. */
function letInBy(byPath: ChangeTarget, byHandle: ChangeTarget): ChangeTarget {
  const either = (change: (target: ChangeTarget) => Awaitable<void>): Awaitable<void> =>
    recover<void, void>(
      () => change(byPath),
      (error) => {
        if (!isFsError(error, 'EACCES')) throw error;
        return change(byHandle);
      },
    );
  return {
    truncate: (sizeBytes) => either((target) => target.truncate(sizeBytes)),
    changeOwner: (owner) => either((target) => target.changeOwner(owner)),
    changeMode: (mode) => either((target) => target.changeMode(mode)),
    changeTimes: (times) => either((target) => target.changeTimes(times)),
  };
}

function ownerOf({ user, group }: SetattrRequest): Owner | undefined {
  if (user === undefined && group === undefined) return undefined;
  return { ...(user === undefined ? {} : { user }), ...(group === undefined ? {} : { group }) };
}

function timesOf({ accessed, modified }: SetattrRequest): Times | undefined {
  if (accessed === undefined && modified === undefined) return undefined;
  return {
    ...(accessed === undefined ? {} : { accessedNs: accessed }),
    ...(modified === undefined ? {} : { modifiedNs: modified }),
  };
}
