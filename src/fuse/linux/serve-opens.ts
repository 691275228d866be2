import { constants } from 'node:fs';
import { after, recover } from '../../core/awaitable.ts';
import type { WritableFile } from '../../core/changes.ts';
import { isFsError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import type { Awaitable, NodeInfo, OpContext, OpenFile } from '../../core/resolver.ts';
import { PERMISSION_BITS } from '../mode-bits.ts';
import { opensToWrite } from '../request-values.ts';
import { type Answer, DONE, type Handlers, Stale } from './handler.ts';
import { OpenedFile } from './handles.ts';
import { hasSameBytes, isStill, type Node } from './node-table.ts';
import { encodeCreated, encodeOpen, FOPEN, PAYLOAD } from './protocol/answer.ts';
import { decodeCreate, decodeHandle, decodeOpen } from './protocol/request.ts';
import type { Retry } from './sent-back.ts';
import { noteWritten } from './serve-files.ts';
import { entryOf, isElsewhere, nodeOf, placeOf, type Served } from './served.ts';

const { O_APPEND, O_EXCL } = constants;
/** Opening, making and closing files. */
export function serveOpens(served: Served): Handlers {
  const { vfs, nodes, handles, kernel, sentBack, prefetcher, backings } = served;

  function open(
    path: VfsPath,
    flags: number,
    { info, given }: Node,
    context: OpContext,
  ): Awaitable<OpenFile> {
    if (!opensToWrite(flags)) {
      const { version } = info;
      const known = version === undefined ? undefined : { version, hasBytes: given === version };
      return vfs.open(path, context, known);
    }
    // O_TRUNC comes as a SETATTR.
    const options = { append: (flags & O_APPEND) !== 0, truncate: false };
    return vfs.openToWrite(path, options, context);
  }

  /** A handle of a file, with what the kernel may keep of it. */
  function answerOpen(
    node: Node,
    file: OpenFile,
    flags: number,
    how: 'to read' | 'to write' = 'to read',
  ): Answer {
    const opened = new OpenedFile(node, file, flags === FOPEN.directIo ? 'another version' : how);
    return answerHandle(opened, flags, how === 'to write');
  }

  /** What the kernel reads by itself it has no pages of; who writes to it is to come by here all the same. */
  function answerHandle(opened: OpenedFile, flags: number, toWrite: boolean): Answer {
    const { node, file } = opened;
    const handle = handles.addFile(opened);
    const { backing } = node;
    const given = backing === undefined ? flags : FOPEN.passThrough | (toWrite ? FOPEN.directIo : 0);
    return {
      encode: (out) => encodeOpen(out, handle, given | noFlushOf(file), PAYLOAD, backing),
      undo: () => close(handle),
    };
  }

  function close(handle: number): void {
    const { node } = handles.file(handle);
    handles.releaseFile(handle);
    backings.settle(node);
  }

  /** What was kept for a thread that was sent back serves who only reads, where the name leads to nothing that it may have by now. */
  function openOrKept(
    node: Node,
    { flags, retry }: Coming,
    opened: () => Awaitable<Answer>,
  ): Awaitable<Answer> {
    const kept = retry?.kept;
    if (kept === undefined) return opened();
    let isServed = false;
    const answer = recover(opened, (error) => {
      if (retry?.found !== node || opensToWrite(flags) || !isElsewhere(error)) {
        kept.close();
        throw error;
      }
      isServed = true;
      return answerOpen(node, kept, isOf(node, kept) ? FOPEN.keepCache : FOPEN.directIo);
    });
    return after(answer, (given) => {
      if (!isServed) kept.close();
      return given;
    });
  }

  /** A file that is not handed over is closed. */
  function handOver(file: OpenFile, answer: () => Awaitable<Answer>): Awaitable<Answer> {
    return recover(answer, (error): never => {
      file.close();
      throw error;
    });
  }

  /** What others have open. By its descriptor in /proc one may open a file that has no name. */
  function reopen(node: Node, flags: number): Answer {
    const opened = handles.anyOf(node);
    if (opened === undefined || (opensToWrite(flags) && opened.writable === undefined)) throw new Stale();
    return answerHandle(opened, FOPEN.keepCache, opensToWrite(flags));
  }

  /** What has just been opened for the first time is about to be read. */
  function giveAhead(node: Node, file: OpenFile): void {
    if (file.version === undefined || node.given === file.version || node.openings > 0) return;
    if (kernel.giveBytes(node, file.sizeBytes, (target) => file.read(target, 0))) node.given = file.version;
  }

  /** The tree has another version by now than the one that the kernel looked up. */
  function openNewer(node: Node, file: OpenFile, opening: Opening): Awaitable<Answer> {
    if (node.openings > 0) return openBeside(node, file, opening);
    return after(vfs.stat(opening.path, opening.context), (info) => {
      // Somebody else may have opened one meanwhile.
      if (node.openings > 0) return openBeside(node, file, opening);
      // Nobody reads the old one, so the node becomes the new one. Pages go before anybody else opens it.
      // It may be a link by now. The kernel gives up an inode, with all that is open of it, that is said to be of another kind.
      node.info = infoOfVersion(info.kind === node.info.kind ? info : node.info, file);
      kernel.forgetUnopened(node);
      giveAhead(node, file);
      return answerOpen(node, file, FOPEN.keepCache);
    });
  }

  /** The pages of the node are those of what others have open. */
  function openBeside(node: Node, file: OpenFile, opening: Opening): Awaitable<Answer> {
    const { thread, retry } = opening;
    if (isVersionOf(node, file)) return answerOpen(node, file, FOPEN.keepCache);
    if (retry === undefined) return sentBack.send(thread);
    // It may have found this version before it began to open: only the newest will do.
    if (retry.found !== node || handles.anyOf(node) === undefined) {
      return answerOpen(node, file, FOPEN.directIo);
    }
    return reopenInstead(node, file, opening);
  }

  function reopenInstead(node: Node, file: OpenFile, { flags }: Opening): Answer {
    const answer = reopen(node, flags);
    file.close();
    return answer;
  }

  /** @throws Stale where the name leads to another file */
  function openLive(node: Node, file: OpenFile, now: NodeInfo, opening: Opening): Answer {
    const { thread, retry, flags } = opening;
    if (!isStill(node, now)) {
      if (retry === undefined) return sentBack.send(thread);
      return reopenInstead(node, file, opening);
    }
    noteLive(node, now);
    if (opensToWrite(flags)) return answerOpen(node, file, FOPEN.keepCache, 'to write');
    backings.lend(node, file, now);
    return answerOpen(node, file, FOPEN.keepCache);
  }

  /** @throws Stale for who comes for the first time and finds something else, and for who finds nothing that it may have */
  function openNow(node: Node, coming: Coming): Awaitable<Answer> {
    const { thread, flags, retry, context } = coming;
    // Of a version that others take the name from just now, the next one will do.
    const isVersion = node.info.version !== undefined;
    const path = isVersion ? nodes.lastPathOf(node) : nodes.pathOf(node);
    if (path === undefined) {
      if (retry === undefined) return sentBack.send(thread);
      return reopen(node, flags);
    }
    const opening = { path, ...coming };
    const opened = recover<OpenFile, undefined>(
      () => open(path, flags, node, context),
      (error) => {
        if (!isElsewhere(error)) throw error;
        // Looking again, the kernel finds nothing, or makes a file where it was asked to (O_CREAT, which it keeps to itself).
        if (retry === undefined) return sentBack.send(thread);
        if (handles.anyOf(node) === undefined) throw isFsError(error, 'ELOOP') ? new Stale() : error;
        return undefined;
      },
    );
    return after<OpenFile | undefined, Answer>(opened, (file) => {
      if (file === undefined) return reopen(node, flags);
      return handOver(file, () => {
        if (file.stat !== undefined) return openLive(node, file, file.stat(), opening);
        if (!isVersionOf(node, file)) return openNewer(node, file, opening);
        giveAhead(node, file);
        prefetcher.opened(node);
        return answerOpen(node, file, FOPEN.keepCache);
      });
    });
  }

  return {
    open(request, context) {
      const node = nodeOf(served, request.nodeId);
      const coming = {
        thread: request.pid,
        flags: decodeOpen(request),
        retry: sentBack.take(request.pid),
        context,
      };
      return openOrKept(node, coming, () => openNow(node, coming));
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
      // Whoever was sent back to look again has found nothing, and what it opens next is another matter.
      sentBack.take(request.pid)?.kept?.close();
      const created = recover(
        () => vfs.create(place.path, options, context),
        (error): never => {
          // It is there already, which the kernel does not know: looking again it opens it, or refuses.
          if (isFsError(error, 'EEXIST') && (flags & O_EXCL) === 0) sentBack.send(request.pid);
          throw error;
        },
      );
      return after(created, (file) =>
        handOver(file, () => {
          const info = file.stat();
          const entry = entryOf(served, place, info, generation);
          const handle = handles.addFile(new OpenedFile(entry.node, file, 'to write'));
          return {
            encode: (out) => encodeCreated(out, entry.told, info, handle, noFlushOf(file)),
            undo() {
              close(handle);
              entry.undo?.();
              kernel.forgetPlace(place.folder, name);
            },
          };
        }),
      );
    },
    release(request) {
      const handle = decodeHandle(request);
      const { node, writable, isWriter } = handles.file(handle);
      try {
        // No FLUSH said before that the kernel has what was written. It has not where it reads past its cache.
        const isKept = isWriter && node.backing === undefined;
        if (isKept && writable?.needsNoFlush === true) noteWritten(node, writable);
      } finally {
        close(handle);
      }
      return DONE;
    },
  };

  /** A live file that others changed, of which the tree did not tell yet, is asked for anew. */
  function noteLive(node: Node, now: NodeInfo): void {
    if (node.openings > 0 || hasSameBytes(node.bytesAsOf, now)) return;
    node.bytesAsOf = now;
    node.info = now;
    kernel.forgetUnopened(node);
  }
}

/** Nobody waits at close(2) for a file that has nothing to answer there. */
function noFlushOf(file: OpenFile): number {
  const { flush, needsNoFlush } = file as Partial<WritableFile>;
  return flush !== undefined && needsNoFlush !== true ? 0 : FOPEN.noFlush;
}

/** One open(2). */
interface Coming {
  readonly thread: number;
  readonly flags: number;
  /** What it found when it was sent back; undefined at the first attempt. */
  readonly retry: Retry | undefined;
  readonly context: OpContext;
}

interface Opening extends Coming {
  readonly path: VfsPath;
}

/** Whether the pages of a node are those of a file. */
function isOf(node: Node, file: OpenFile): boolean {
  return file.stat === undefined ? isVersionOf(node, file) : isStill(node, file.stat());
}

/** Where a file does not say which version it is, its size has to tell. */
function isVersionOf({ info }: Node, { version, sizeBytes }: OpenFile): boolean {
  return info.version === version && (version !== undefined || info.sizeBytes === sizeBytes);
}

/** What stat(2) shows of a version that may have been followed by another since it was opened. */
function infoOfVersion(info: NodeInfo, { version, sizeBytes }: OpenFile): NodeInfo {
  return { ...info, sizeBytes, ...(version === undefined ? {} : { version }) };
}
