import { after, recover } from '../../core/awaitable.ts';
import { FsError, isFsError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import { MAX_PATH_BYTES } from '../../core/paths.ts';
import type { Awaitable, NodeInfo, OpContext, OpenFile } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import { type Answer, type Handlers, refused, Stale } from './handler.ts';
import { type Node, ROOT_ID } from './node-table.ts';
import { handOver, infoOfVersion, isVersionOf } from './open-file.ts';
import { encodeBytes, encodeMiss } from './protocol/answer.ts';
import { decodeBatchForget, decodeForget, decodeName, type Request } from './protocol/request.ts';
import {
  entryOf,
  type NamedPlace,
  nodeOf,
  orNothing,
  pathOf,
  placeOf,
  type Served,
  TRUST_SECONDS,
} from './served.ts';

/** How often a name is looked at whose file is gone each time that it is to be opened. */
const MAX_LOOKS = 3;

const NOT_THERE = refused('ENOENT');

/** What a name leads to, and the file if it was opened at the same time. */
interface Found {
  readonly info: NodeInfo | undefined;
  readonly file?: OpenFile;
}

/** Looking names up, and forgetting them. */
export function serveNames(served: Served): Handlers {
  const { nodes } = served;
  return {
    lookup: (request, context) => noteStale(served, request.pid, () => lookUp(served, request, context)),
    forget(request) {
      nodes.forget(request.nodeId, decodeForget(request));
      return undefined;
    },
    batchForget(request) {
      for (const { nodeId, lookUps } of decodeBatchForget(request)) nodes.forget(nodeId, lookUps);
      return undefined;
    },
    readlink: (request, context) => noteStale(served, request.pid, () => readLink(served, request, context)),
  };
}

/** Notes which threads are told ESTALE: the kernel repeats the look-up then, but only once within an open(2). */
function noteStale({ sentBack }: Served, thread: number, answer: () => Awaitable<Answer>): Awaitable<Answer> {
  return recover<Answer, never>(answer, (error) => {
    if (error instanceof Stale) sentBack.wentStale(thread);
    throw error;
  });
}

function lookUp(served: Served, request: Request, context: OpContext): Awaitable<Answer> {
  const { vfs, sentBack } = served;
  if (request.nodeId === ROOT_ID) served.kernel.rootIsUsed();
  const place = placeOf(served, request, decodeName(request));
  const generation = served.generation();
  const thread = request.pid;
  const { path } = place;
  const found = recover<Found, never>(
    () =>
      after(vfs.find(path, context), (info) => {
        // A file whose content is made on opening is left out, so that it is not made twice.
        const isOpened = info?.kind === 'file' && info.changesUntold !== true;
        return isOpened && sentBack.isAtGoal(thread, path) ? findAndOpen(vfs, path, info, context) : { info };
      }),
    (error) => {
      sentBack.lookedUp(thread, path, undefined);
      throw error;
    },
  );
  return after(found, ({ info, file }) => {
    const entry = info && entryOf(served, place, info, generation);
    sentBack.lookedUp(thread, path, entry?.node, file);
    return entry ?? miss(served, place, generation);
  });
}

function miss(served: Served, { folder, name, path }: NamedPlace, generation: number): Answer {
  const { vfs, nodes } = served;
  nodes.removeName(folder, name);
  const isTold = vfs.tellsOfNew(path) && generation === served.generation();
  if (!isTold || !nodes.noteMissed(folder, name)) return NOT_THERE;
  return { encode: (out) => encodeMiss(out, TRUST_SECONDS) };
}

/**
 * For a thread that was sent back to look a name up again: opens the file along with the look-up, since the name may lead elsewhere by the time the
 * thread opens it.
 * @returns what the name leads to by then
 */
async function findAndOpen(vfs: Vfs, path: VfsPath, found: NodeInfo, context: OpContext): Promise<Found> {
  let info: NodeInfo | undefined = found;
  for (let looks = 1; info?.kind === 'file' && looks <= MAX_LOOKS; looks += 1) {
    const file = await orNothing(() => vfs.openUnnoted(path, context));
    if (file === undefined) {
      info = await vfs.find(path, context);
      continue;
    }
    if (isFoundIn(info, file)) return { info, file };
    info = await handOver(file, () => vfs.find(path, context));
    // The node will show the version that was opened, whatever the name leads to by now.
    if (info?.kind === 'file') return { info: infoOfVersion(info, file), file };
    file.close();
  }
  return { info };
}

/** Whether an opened file is the one that was found; for a live file it makes no difference. */
function isFoundIn(info: NodeInfo, file: OpenFile): boolean {
  return file.stat !== undefined || isVersionOf(info, file);
}

function readLink(served: Served, request: Request, context: OpContext): Awaitable<Answer> {
  const link = nodeOf(served, request.nodeId);
  const text = link.info.version ?? textOf(served, link, request.pid, context);
  return after(text, (target) => {
    const bytes = Buffer.from(target);
    if (bytes.length > MAX_PATH_BYTES) {
      throw new FsError('ENAMETOOLONG', served.nodes.lastPathOf(link) ?? '', 'the target is too long');
    }
    return { encode: (out) => encodeBytes(out, bytes) };
  });
}

function textOf(served: Served, link: Node, thread: number, context: OpContext): Awaitable<string> {
  return recover<string, never>(
    () => served.vfs.readLink(pathOf(served, link), context),
    (error) => {
      // It is no link any more, so the kernel has to look again.
      if (isFsError(error, 'EINVAL')) throw new Stale();
      served.sentBack.refused(thread);
      throw error;
    },
  );
}
