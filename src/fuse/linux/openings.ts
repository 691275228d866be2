import { constants } from 'node:fs';
import { after, recover } from '../../core/awaitable.ts';
import { isFsError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import type { Awaitable, NodeInfo, OpContext, OpenFile } from '../../core/resolver.ts';
import { followLinks } from '../../vfs/follow-links.ts';
import { opensToWrite } from '../request-values.ts';
import type { GivenHandles } from './given-handles.ts';
import { type Answer, Stale } from './handler.ts';
import { hasSameBytes } from './live-bytes.ts';
import { isStill, type Node } from './node-table.ts';
import { handOver, infoOfVersion, isVersionOf } from './open-file.ts';
import { FOPEN } from './protocol/answer.ts';
import type { Kept, Retry } from './sent-back.ts';
import { isElsewhere, orNothing, type Served } from './served.ts';

const { O_APPEND, O_NOFOLLOW } = constants;

/**
 * For so long after others wrote to a live file to which programs of this mount write as well, it is read past the cache. The kernel puts what is appended through
 * it behind the end that it knows; where others have moved the end, its pages and its size are a mixture of both until a notice has dropped them.
 */
const SHARED_MS = 1000;
/** How often a name is looked at that is a link, and is missing when the link is followed. */
const MAX_LOOKS = 3;

/** A call of open(2). */
export interface Coming {
  readonly thread: number;
  readonly flags: number;
  /** What was found when the thread was sent back; undefined at the first attempt. */
  readonly retry: Retry | undefined;
  readonly context: OpContext;
}

interface Opening extends Coming {
  readonly path: VfsPath;
}

/**
 * Serves open(2) of a node that the kernel has looked up, which may be gone by now, or may have another version. A node has one set of pages, so it stands for
 * one version at a time, and a thread that would open another version is sent back once to look again. At its second attempt it gets what it found then. If
 * that has changed again, the node becomes the newer version if nobody has the node open. Otherwise the newer version is read past the cache, or the thread
 * gets what others have open if that is what it found.
 */
export class Openings {
  readonly #served: Served;
  readonly #given: GivenHandles;

  constructor(served: Served, given: GivenHandles) {
    this.#served = served;
    this.#given = given;
  }

  /** @throws Stale if a thread comes for the first time and finds something else, or if it finds nothing that it may have */
  open(node: Node, coming: Coming): Awaitable<Answer> {
    const kept = coming.retry?.kept;
    return kept === undefined ? this.#openNow(node, coming) : this.#openOrKept(node, coming, kept);
  }

  #openNow(node: Node, coming: Coming): Awaitable<Answer> {
    const { flags, retry, context } = coming;
    // If others have just removed the name of a version, the file that has the name next will do.
    const isVersion = node.info.version !== undefined;
    const path = isVersion ? this.#served.nodes.lastPathOf(node) : this.#served.nodes.pathOf(node);
    if (path === undefined) {
      if (retry === undefined) return this.#sendBack(node, coming);
      return this.#given.giveAgain(node, flags);
    }
    const opening = { path, ...coming };
    const opened = recover<OpenFile, OpenFile | undefined>(
      () => this.#openPath(path, flags, node, context),
      (error) => {
        if (!isElsewhere(error)) throw error;
        // The kernel looks again and finds nothing, or makes a file if it was asked to (O_CREAT, which it does not pass on).
        if (retry === undefined) return this.#sendBack(node, coming);
        if (isFsError(error, 'ELOOP') && isVersion && retry.hasLooked && !opensToWrite(flags)) {
          if ((flags & O_NOFOLLOW) !== 0) throw error;
          return this.#openThroughLink(node, opening);
        }
        if (!this.#given.hasAnyOf(node)) throw isFsError(error, 'ELOOP') ? new Stale() : error;
        return undefined;
      },
    );
    return after<OpenFile | undefined, Answer>(opened, (file) => {
      if (file === undefined) return this.#given.giveAgain(node, flags);
      return handOver(file, () => {
        if (file.stat !== undefined) return this.#openLive(node, file, file.stat(), opening);
        return isVersionOf(node.info, file)
          ? this.#openVersion(node, file)
          : this.#openNewer(node, file, opening);
      });
    });
  }

  /**
   * Serves a thread that was sent back and has a kept file. The kept file is for reading only. It is used if it has the node's version, since it was found
   * after that open(2) began, and also if the name no longer leads to anything that the thread may have.
   */
  #openOrKept(node: Node, coming: Coming, { file, path }: Kept): Awaitable<Answer> {
    const { vfs } = this.#served;
    const isToRead = !opensToWrite(coming.flags);
    if (isToRead && file.stat === undefined && isVersionOf(node.info, file)) {
      vfs.noteRead(path, coming.context);
      return handOver(file, () => this.#openVersion(node, file));
    }
    let isServed = false;
    const answer = recover(
      () => this.#openNow(node, coming),
      (error) => {
        if (!isToRead || !isElsewhere(error)) {
          file.close();
          throw error;
        }
        isServed = true;
        vfs.noteRead(path, coming.context);
        return this.#given.give(node, file, isOf(node, file) ? FOPEN.keepCache : FOPEN.directIo);
      },
    );
    return after(answer, (given) => {
      if (!isServed) file.close();
      return given;
    });
  }

  #sendBack(node: Node, { thread }: Coming): never {
    const { nodes, sentBack } = this.#served;
    return sentBack.send(thread, { node, path: nodes.formerPathOf(node) });
  }

  #openPath(path: VfsPath, flags: number, { info, given }: Node, context: OpContext): Awaitable<OpenFile> {
    if (!opensToWrite(flags)) {
      const { version } = info;
      const known = version === undefined ? undefined : { version, hasBytes: given === version };
      return this.#served.vfs.open(path, context, known);
    }
    // O_TRUNC comes as a SETATTR.
    const options = { append: (flags & O_APPEND) !== 0, truncate: false };
    return this.#served.vfs.openToWrite(path, options, context);
  }

  /**
   * Serves a thread that comes again with the name of a version which has become a link by now; the kernel does not look up again.
   * @returns undefined if the thread is to get what others have open
   * @throws Stale if the link leads to nothing that the mount knows of: the kernel might find it elsewhere
   */
  async #openThroughLink(node: Node, { path, context }: Opening): Promise<OpenFile | undefined> {
    const { vfs } = this.#served;
    for (let looks = 1; looks <= MAX_LOOKS; looks += 1) {
      const file = await orNothing(async () => vfs.open(await followLinks(vfs, path, context), context));
      if (file !== undefined) return file;
    }
    if (!this.#given.hasAnyOf(node)) throw new Stale();
    return undefined;
  }

  /** The file has the version that the kernel looked up. */
  #openVersion(node: Node, file: OpenFile): Answer {
    this.#giveAhead(node, file);
    this.#served.prefetcher.opened(node);
    return this.#given.give(node, file, FOPEN.keepCache);
  }

  /**
   * The tree has another version by now than the one that the kernel looked up. If the node becomes the newer one, fstat(2) shows the old size for a moment,
   * while the kernel takes over what somebody else asked for. So this is only for a thread that cannot be sent back, and for attributes that the kernel asks
   * for each time.
   */
  #openNewer(node: Node, file: OpenFile, opening: Opening): Awaitable<Answer> {
    if (opening.retry === undefined && node.info.changesUntold !== true) {
      return this.#sendBack(node, opening);
    }
    if (node.openings > 0) return this.#openBeside(node, file, opening);
    return after(this.#served.vfs.stat(opening.path, opening.context), (info) => {
      // Somebody else may have opened a version meanwhile.
      if (node.openings > 0) return this.#openBeside(node, file, opening);
      // Nobody reads the old version, so the node becomes the new one. Its pages are dropped before anybody else opens it.
      // It may be a link by now. But if an inode is said to be of another kind, the kernel gives it up, with all its open files.
      node.info = infoOfVersion(info.kind === node.info.kind ? info : node.info, file);
      this.#served.kernel.invalidateUnopened(node);
      this.#giveAhead(node, file);
      return this.#given.give(node, file, FOPEN.keepCache);
    });
  }

  /** The pages of the node are those of the version that others have open. */
  #openBeside(node: Node, file: OpenFile, opening: Opening): Awaitable<Answer> {
    const { retry } = opening;
    if (isVersionOf(node.info, file)) return this.#given.give(node, file, FOPEN.keepCache);
    if (retry === undefined) return this.#sendBack(node, opening);
    // Unless the thread has just found this node, it may know the node's version from before its open(2) began. Then only the newest version will do.
    if (retry.found !== node || !this.#given.hasAnyOf(node)) {
      return this.#given.give(node, file, FOPEN.directIo);
    }
    return this.#reopenInstead(node, file, opening);
  }

  #reopenInstead(node: Node, file: OpenFile, { flags }: Opening): Answer {
    const answer = this.#given.giveAgain(node, flags);
    file.close();
    return answer;
  }

  /** @throws Stale if the name leads to another file */
  #openLive(node: Node, file: OpenFile, now: NodeInfo, opening: Opening): Answer {
    const { retry, flags } = opening;
    if (!isStill(node, now)) {
      if (retry === undefined) return this.#sendBack(node, opening);
      return this.#reopenInstead(node, file, opening);
    }
    this.#noteLive(node, now);
    if (opensToWrite(flags)) return this.#given.give(node, file, FOPEN.keepCache, 'to write');
    if (performance.now() - node.othersWroteMs < SHARED_MS)
      return this.#given.give(node, file, FOPEN.directIo, 'to read');
    this.#served.backings.lend(node, file, now);
    return this.#given.give(node, file, FOPEN.keepCache);
  }

  /** Passes the bytes of a file that was opened for the first time to the kernel, since it is about to be read. */
  #giveAhead(node: Node, file: OpenFile): void {
    if (file.version === undefined || node.given === file.version || node.openings > 0) return;
    if (this.#served.kernel.giveBytes(node, file.sizeBytes, (target) => file.read(target, 0)))
      node.given = file.version;
  }

  /** Notes that others have changed a live file, which the tree did not tell yet, so that the kernel asks for it again. */
  #noteLive(node: Node, now: NodeInfo): void {
    if (hasSameBytes(node.bytesAsOf, now)) return;
    // What is written through the kernel at this moment is part of the size that it knows.
    const isOfOthers = node.openings === 0 || now.sizeBytes !== node.info.sizeBytes;
    if (isOfOthers && node.hadWriter && now.disk === undefined) node.othersWroteMs = performance.now();
    if (node.openings > 0) return;
    node.bytesAsOf = now;
    node.info = now;
    this.#served.kernel.invalidateUnopened(node);
  }
}

/** Whether the pages of a node are those of a file. */
function isOf(node: Node, file: OpenFile): boolean {
  return file.stat === undefined ? isVersionOf(node.info, file) : isStill(node, file.stat());
}
