import { constants } from 'node:fs';
import { after, recover } from '../../core/awaitable.ts';
import { isFsError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import type { Awaitable, NodeInfo, OpContext, OpenFile } from '../../core/resolver.ts';
import { PERMISSION_BITS } from '../mode-bits.ts';
import { opensToWrite } from '../request-values.ts';
import { OpenedFile } from './handles.ts';
import { hasSameBytes, type Node } from './node-table.ts';
import { encodeCreated, encodeOpen, FOPEN } from './protocol/answer.ts';
import { decodeCreate, decodeHandle, decodeOpen } from './protocol/request.ts';
import { entryOf, nodeOf, placeOf, type Served } from './served.ts';
import { type Answer, DONE, type Handlers, Stale } from './session.ts';

const { O_APPEND, O_EXCL, O_TRUNC } = constants;
/** Who is sent back is here again by then, however busy the machine. */
const RETRY_WITHIN_MS = 500;
const MAX_SENT_BACK = 1000;

/** Opening, making and closing files. */
export function serveOpens(served: Served): Handlers {
  const { vfs, nodes, handles, kernel } = served;
  /** When the opens of a path were last sent back. */
  const sentBackAt = new Map<string, number>();

  function open(
    path: VfsPath,
    flags: number,
    kept: string | undefined,
    context: OpContext,
  ): Awaitable<OpenFile> {
    return recover<OpenFile, never>(
      () =>
        opensToWrite(flags)
          ? vfs.openToWrite(
              path,
              { append: (flags & O_APPEND) !== 0, truncate: (flags & O_TRUNC) !== 0 },
              context,
            )
          : vfs.open(path, context, kept),
      (error) => {
        // Looking again, the kernel finds nothing, or makes a file where it was asked to (O_CREAT, which it keeps to itself).
        if (isFsError(error, 'ENOENT')) throw new Stale();
        throw error;
      },
    );
  }

  /** A handle of a file, with what the kernel may keep of it. */
  function answerOpen(node: Node, file: OpenFile, flags: number): Answer {
    const handle = handles.addFile(new OpenedFile(node, file));
    const noFlush = 'flush' in file ? 0 : FOPEN.noFlush;
    return {
      encode: (out) => encodeOpen(out, handle, flags | noFlush),
      undo: () => handles.releaseFile(handle),
    };
  }

  /** By its descriptor in /proc one may open a file that has no name: what others have open. */
  function reopen(node: Node): Answer {
    const opened = handles.anyOf(node);
    if (opened === undefined) throw new Stale();
    const handle = handles.addFile(opened);
    return {
      encode: (out) => encodeOpen(out, handle, FOPEN.keepCache),
      undo: () => handles.releaseFile(handle),
    };
  }

  /** What has just been opened for the first time is about to be read. */
  function giveAhead(node: Node, file: OpenFile): void {
    if (file.version === undefined || node.given === file.version || node.openings > 0) return;
    if (kernel.giveBytes(node, file.sizeBytes, (target) => file.read(target, 0))) node.given = file.version;
  }

  /** The disk has another version by now than the one that the kernel looked up. */
  function openNewer(node: Node, path: VfsPath, file: OpenFile, context: OpContext): Awaitable<Answer> {
    if (node.openings === 0) {
      // Nobody reads the old one, so the node becomes the new one: the kernel drops the pages, and asks for the attributes.
      return after(vfs.stat(path, context), (info) => {
        node.info = infoOfVersion(info, file);
        kernel.forgetAttributes(node);
        return answerOpen(node, file, 0);
      });
    }
    if (isSentBack(path)) return answerOpen(node, file, FOPEN.directIo);
    file.close();
    throw new Stale();
  }

  /** The kernel comes back once. A second time its caller would be told, so then it gets a file that no cache is used for. */
  function isSentBack(path: VfsPath): boolean {
    const nowMs = performance.now();
    if (nowMs - (sentBackAt.get(path) ?? Number.NEGATIVE_INFINITY) < RETRY_WITHIN_MS) return true;
    if (sentBackAt.size >= MAX_SENT_BACK) sentBackAt.clear();
    sentBackAt.set(path, nowMs);
    return false;
  }

  return {
    open(request, context) {
      const node = nodeOf(served, request.nodeId);
      const path = nodes.pathOf(node);
      if (path === undefined) return reopen(node);
      const flags = decodeOpen(request);
      return after(open(path, flags, node.given, context), (file) => {
        if (file.stat !== undefined) return answerOpen(node, file, keeping(node, file.stat()));
        if (!isVersionOf(node, file)) return openNewer(node, path, file, context);
        giveAhead(node, file);
        return answerOpen(node, file, FOPEN.keepCache);
      });
    },
    create(request, context) {
      const { name, flags, mode } = decodeCreate(request);
      const place = placeOf(served, request, name);
      const options = {
        append: (flags & O_APPEND) !== 0,
        truncate: false,
        exclusive: true,
        mode: mode & PERMISSION_BITS,
      };
      const generation = served.generation();
      const created = recover(
        () => vfs.create(place.path, options, context),
        (error): never => {
          // It is there already, which the kernel does not know: looking again it opens it, or refuses.
          if (isFsError(error, 'EEXIST') && (flags & O_EXCL) === 0) throw new Stale();
          throw error;
        },
      );
      return after(created, (file) => {
        const info = file.stat();
        const entry = entryOf(served, place, info, generation);
        const handle = handles.addFile(new OpenedFile(entry.node, file));
        return {
          encode: (out) => encodeCreated(out, entry.told, info, handle, 0),
          undo() {
            handles.releaseFile(handle);
            entry.undo?.();
          },
        };
      });
    },
    release(request) {
      handles.releaseFile(decodeHandle(request));
      return DONE;
    },
  };

  /** A live file that others changed, of which the tree did not tell yet, is asked for anew. */
  function keeping(node: Node, now: NodeInfo): number {
    if (node.openings > 0) return FOPEN.keepCache;
    if (hasSameBytes(node.bytesAsOf, now)) return FOPEN.keepCache;
    node.bytesAsOf = now;
    node.info = now;
    kernel.forgetAttributes(node);
    return 0;
  }
}

/** Where a file does not say which version it is, its size has to tell. */
function isVersionOf({ info }: Node, { version, sizeBytes }: OpenFile): boolean {
  return info.version === version && (version !== undefined || info.sizeBytes === sizeBytes);
}

/** What stat(2) shows of a version that may have been followed by another since it was opened. */
function infoOfVersion(info: NodeInfo, { version, sizeBytes }: OpenFile): NodeInfo {
  return { ...info, sizeBytes, ...(version === undefined ? {} : { version }) };
}
