import { UserError } from '../../core/errors.ts';
import { type Output, writeJson } from '../io.ts';
import { counted, seconds } from '../text/printable.ts';
import type { MountStatus } from './mount-status.ts';

const MOUNT_FAILED = 3;

/** How a mount came up. */
export interface Started {
  readonly status: MountStatus;
  /** The first index is complete. */
  readonly isReady: boolean;
}

/** Says on one line, or in JSON, what is mounted. */
export function reportMount(output: Output, { status, isReady }: Started, json: boolean): void {
  if (json) writeJson(output, status);
  else output.write(mountLine(status, isReady, performance.now()));
}

/** The tree is there, and what could be indexed is in it. */
export function incompleteIndex(mountpoint: string, reason: string): UserError {
  return new UserError(
    `${mountpoint} is mounted, but the docs could not be indexed: ${reason}`,
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
