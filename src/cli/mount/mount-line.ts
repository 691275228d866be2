import { EXIT, UserError } from '../../core/errors.ts';
import { counted } from '../../text/counted.ts';
import { printableName } from '../../text/printable.ts';
import { shownShellWord } from '../../text/shell-word.ts';
import { type Output, writeJson } from '../io.ts';
import { emptyGraphLine } from '../text/empty-graph.ts';
import { seconds } from '../text/printable.ts';
import type { MountStatus } from './mount-status.ts';

/** How a mount came up. */
export interface Started {
  readonly status: MountStatus;
  /** Whether the first index is complete. */
  readonly isReady: boolean;
}

/** Reports, on one line or as JSON, what is mounted, or that a daemon runs without a mount. */
export function reportMount(output: Output, { status, isReady }: Started, json: boolean): void {
  if (json) writeJson(output, status);
  else output.write(mountLine(status, isReady, performance.now()));
}

/** The error for an incomplete first index. The tree is mounted all the same, with all that could be indexed. */
export function incompleteIndex(mountpoint: string | null, reason: string): UserError {
  const what = mountpoint === null ? 'the daemon runs' : `${printableName(mountpoint)} is mounted`;
  const status = mountpoint === null ? EXIT.failed : EXIT.cannotMount;
  return new UserError(`${what}, but the docs could not be indexed: ${reason}`, status);
}

/** @param durationMs the time since the command was called */
export function mountLine(status: MountStatus, isReady: boolean, durationMs: number): string {
  const { mountpoint, pid, documents, nodes, edges, indexing, errors } = status;
  const what = mountpoint === null ? `started a daemon, pid ${pid}` : `mounted ${printableName(mountpoint)}`;
  const ask = mountpoint === null ? 'kgraphfs status' : `kgraphfs status ${shownShellWord(mountpoint)}`;
  const graph = `${counted(nodes, 'node')}, ${counted(edges, 'edge')} in ${seconds(durationMs)}`;
  if (isReady) {
    const wrong =
      errors === 0 ? '' : `${counted(errors, 'error')}: ${ask} names ${errors === 1 ? 'it' : 'them'}\n`;
    const lacking = documents === 0 && errors === 0 ? emptyGraphLine(rootsOf(status)) : '';
    return `${what}: ${counted(documents, 'document')}, ${graph}\n${wrong}${lacking}`;
  }
  const soFar = `${indexing.done} of ${counted(indexing.total, 'document')}`;
  return `${what}: ${soFar}, ${graph}; indexing goes on (${ask})\n`;
}

function rootsOf({ docs }: MountStatus): string {
  return typeof docs === 'string' ? docs : docs.map(({ path }) => path).join(', ');
}
