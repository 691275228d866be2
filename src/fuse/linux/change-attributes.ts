import { after, recover } from '../../core/awaitable.ts';
import type { Owner, TimeNs, Times } from '../../core/changes.ts';
import { systemClock } from '../../core/clock.ts';
import { FsError, isFsError } from '../../core/errors.ts';
import { PERMISSION_BITS } from '../../core/file-modes.ts';
import { msToNs } from '../../core/node-info.ts';
import type { Awaitable, DiskInfo, NodeInfo, OpContext } from '../../core/resolver.ts';
import { type Description, descriptionOf } from '../described-file.ts';
import { OpenedFile, refuseNameless } from './handles.ts';
import type { Node } from './node-table.ts';
import type { SetattrRequest } from './protocol/request.ts';
import type { Served } from './served.ts';

/** Makes all changes of one SETATTR, in the order in which Linux's own filesystems make them. */
export function changeAttributes(
  served: Pick<Served, 'vfs' | 'nodes' | 'handles'>,
  node: Node,
  request: SetattrRequest,
  context: OpContext,
): Awaitable<void> {
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

/** The path, or the open file if there is no path any more. */
function targetOf(
  { vfs, nodes, handles }: Pick<Served, 'vfs' | 'nodes' | 'handles'>,
  node: Node,
  handle: number | undefined,
  context: OpContext,
): ChangeTarget {
  const path = nodes.pathOf(node);
  const opened = handle === undefined ? handles.anyOf(node) : handles.file(handle);
  const description =
    path === undefined || opened?.writable !== undefined ? descriptionOf(opened) : undefined;
  const byHandle = opened && description && openTarget(opened, description, context);
  if (path === undefined)
    return byHandle ?? removedTarget(node) ?? refuseNameless(opened ?? handles.otherOf(node));
  const byPath: ChangeTarget = {
    truncate(sizeBytes) {
      // A thread that was let in for writing may truncate, whatever the mode is by now.
      if (byHandle && handle !== undefined) return byHandle.truncate(sizeBytes);
      // This is O_TRUNC, which the kernel sends after the opening and without its handle.
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
function openTarget(opened: OpenedFile, description: Description, context: OpContext): ChangeTarget {
  return {
    truncate: (sizeBytes) => cut(opened, sizeBytes, context),
    changeOwner: (owner) => description.changeOwner(owner, context),
    changeMode: (mode) => description.changeMode(mode, context),
    changeTimes: (times) => description.changeTimes(times, context),
  };
}

/**
 * A folder, a pipe or a device of a disk that was removed while somebody has it open, which the kernel does by itself. Whatever it is on the disk, nothing but
 * this node shows it any more, so it is changed here alone.
 * @returns undefined for anything else
 */
function removedTarget(node: Node): ChangeTarget | undefined {
  const { kind, disk } = node.info;
  if (!node.isRemoved || disk === undefined || kind === 'file' || kind === 'link') return undefined;
  const changedNs = msToNs(systemClock.nowMs());
  const inTime = (asked: TimeNs | undefined, former: bigint): bigint =>
    asked === 'now' ? changedNs : (asked ?? former);
  const change = (changed: Partial<NodeInfo>, ofDisk: Partial<DiskInfo>): void => {
    node.info = { ...node.info, ...changed, disk: { ...disk, ...node.info.disk, ...ofDisk, changedNs } };
  };
  return {
    truncate() {
      throw new FsError(kind === 'directory' ? 'EISDIR' : 'EINVAL', '', 'only files have a length');
    },
    changeOwner: (owner) => change({}, owner),
    changeMode: (mode) => change({ mode }, {}),
    changeTimes: ({ accessedNs, modifiedNs }) =>
      change(
        { modifiedNs: inTime(modifiedNs, node.info.modifiedNs) },
        { accessedNs: inTime(accessedNs, disk.accessedNs) },
      ),
  };
}

/** Truncates an open file. @throws FsError EROFS for a file that was opened for reading, and cannot be opened for writing */
function cut(opened: OpenedFile, sizeBytes: number, context: OpContext): Awaitable<void> {
  if (opened.writable !== undefined) {
    const { writable } = opened;
    return opened.during(() => writable.truncate(sizeBytes, context));
  }
  const again = opened.toWrite({ append: false });
  if (again === undefined) return refuseNameless(opened);
  const openedAgain = new OpenedFile(opened.node, again, 'to write');
  openedAgain.take();
  try {
    return openedAgain.during(() => again.truncate(sizeBytes, context));
  } finally {
    openedAgain.give();
  }
}

/** If a folder on the way no longer lets this process in, that must not affect a caller who has the file open. */
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
