import { UserError } from '../../core/errors.ts';
import { type Output, writeJson } from '../io.ts';
import { counted, seconds } from '../text/printable.ts';
import type { MountStatus } from './mount-status.ts';

const MOUNT_FAILED = 3;

/** How a mount came up. The tree is there in every case. */
export interface Started {
  readonly status: MountStatus;
  /** The first index is complete. */
  readonly isReady: boolean;
  /** Why the first index could not be made. */
  readonly failure: string | undefined;
}

/**
 * Says on one line, or in JSON, what is mounted.
 * @throws UserError where the tree is there, but its first index could not be made
 */
export function reportMount(output: Output, started: Started, json: boolean): void {
  const { status, isReady, failure } = started;
  if (json) writeJson(output, status);
  else if (failure === undefined) output.write(mountLine(status, isReady, performance.now()));
  if (failure === undefined) return;
  throw new UserError(
    `${status.mountpoint} is mounted, but the docs could not be indexed: ${failure}`,
    MOUNT_FAILED,
  );
}

/** @param durationMs since the command was called */
export function mountLine(status: MountStatus, isReady: boolean, durationMs: number): string {
  const { mountpoint, documents, nodes, edges, indexing } = status;
  const graph = `${counted(nodes, 'node')}, ${counted(edges, 'edge')} in ${seconds(durationMs)}`;
  if (isReady) return `mounted ${mountpoint}: ${counted(documents, 'document')}, ${graph}\n`;
  const soFar = `${indexing.done} of ${counted(indexing.total, 'document')}`;
  return `mounted ${mountpoint}: ${soFar}, ${graph}; indexing goes on (kgraphfs status ${mountpoint})\n`;
}
