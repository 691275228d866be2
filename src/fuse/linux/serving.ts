import { randomInt } from 'node:crypto';
import { folderInfo } from '../../core/node-info.ts';
import { ROOT } from '../../core/paths.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import type { MountOptions } from '../driver.ts';
import type { BugReporter } from '../errno.ts';
import { RecentFiles } from '../recent-files.ts';
import { BackingFiles } from './backing-files.ts';
import { Callers } from './callers.ts';
import { Handles } from './handles.ts';
import { KernelNotices } from './kernel-notices.ts';
import { NodeTable } from './node-table.ts';
import { Prefetcher } from './prefetcher.ts';
import { SentBack } from './sent-back.ts';
import { serveAttributes } from './serve-attributes.ts';
import { serveChanges } from './serve-changes.ts';
import { serveExtendedAttributes } from './serve-extended-attributes.ts';
import { serveFiles } from './serve-files.ts';
import { serveFolders } from './serve-folders.ts';
import { serveInit } from './serve-init.ts';
import { serveNames } from './serve-names.ts';
import { serveOpens } from './serve-opens.ts';
import { serveUnseenOpens } from './serve-unseen-opens.ts';
import type { Served } from './served.ts';
import { Session, type SessionOptions } from './session.ts';
import { SlowLocks } from './slow-locks.ts';
import { TreeChanges } from './tree-changes.ts';

/** Everything between the descriptor of /dev/fuse and the tree. */
export interface Serving {
  readonly session: Session;
  readonly nodes: NodeTable;
  readonly handles: Handles;
  readonly notices: KernelNotices;
  readonly changes: TreeChanges;
  readonly recent: RecentFiles;
  /** Closes all files: as {@link Handles.releaseAll}, with failures reported, and those that are read without a handle. */
  readonly releaseAll: () => void;
}

export interface ServingOptions extends Pick<SessionOptions, 'cores' | 'mounts'> {
  readonly vfs: Vfs;
  /** Of /dev/fuse, non-blocking. */
  readonly descriptor: number;
  readonly options: MountOptions;
  readonly report: BugReporter;
  /** Called at the first request of the kernel. */
  readonly asked: () => void;
}

/**
 * Numbers of nodes begin anywhere, so that a file handle of an earlier mount (name_to_handle_at(2)), which holds such a number, is ESTALE here and no other file. They stay
 * below 2^31 for a billion nodes: larger ones are slower keys of a Map.
 */
const MOST_BEFORE_FIRST = 2 ** 30;

/** Puts a session together with all that its operations work on. It serves nothing before it is run. */
export function openServing({
  vfs,
  descriptor,
  options,
  report,
  asked,
  mounts,
  cores,
}: ServingOptions): Serving {
  const locks = new SlowLocks();
  const nodes = new NodeTable(folderInfo(0n), randomInt(MOST_BEFORE_FIRST));
  const handles = new Handles();
  const notices = new KernelNotices(descriptor, locks, report);
  const changes = new TreeChanges(vfs, nodes, notices, report);
  const recent = new RecentFiles((path, context, known) => vfs.open(path, context, known));
  const backings = new BackingFiles(descriptor);
  const prefetcher = new Prefetcher(vfs, nodes, notices);
  const served: Served = {
    vfs,
    nodes,
    handles,
    options,
    kernel: notices,
    sentBack: new SentBack(),
    prefetcher,
    backings,
    output: () => session.output,
    keepOutput: () => session.keepOutput(),
    generation: () => changes.generation,
  };
  const session = new Session({
    descriptor,
    callers: new Callers(),
    locks,
    deadlineMs: options.deadlineMs,
    report,
    mounts,
    cores,
    prefetch: () => prefetcher.prefetch(),
    handlers: {
      ...serveInit(options, ({ passesThrough }) => {
        if (passesThrough) backings.turnOn();
        asked();
      }),
      ...serveNames(served),
      ...serveAttributes(served),
      ...serveExtendedAttributes(served),
      ...serveFolders(served, report),
      ...serveFiles(served),
      ...serveChanges(served),
      ...serveOpens(served),
      ...(options.seeOpens ? {} : serveUnseenOpens(served, recent)),
    },
  });
  const releaseAll = (): void => {
    for (const failure of handles.releaseAll()) report(failure, 'release');
    recent.change([ROOT]);
  };
  return { session, nodes, handles, notices, changes, recent, releaseAll };
}
