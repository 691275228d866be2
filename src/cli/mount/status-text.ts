import type { Output } from '../io.ts';
import { writePairs } from '../text/table.ts';
import type { MountStatus } from './mount-status.ts';
import type { FoundStatus, MuteStatus, StoppedStatus } from './read-status.ts';

type Pair = readonly [string, string | number];

/** Writes a small table for each, with an empty line between. */
export function writeStatus(output: Output, found: readonly FoundStatus[]): void {
  for (const [index, status] of found.entries()) {
    if (index > 0) output.write('\n');
    writePairs(output, pairsOf(status));
  }
}

function pairsOf(status: FoundStatus): Pair[] {
  if (!('documents' in status)) return mutePairs(status);
  if (status.mountpoint === null) return [['state', 'stopped: nothing is mounted'], ...commonPairs(status)];
  return [...livePairs(status), ...commonPairs(status)];
}

function mutePairs({ state, mountpoint }: MuteStatus): Pair[] {
  const meaning =
    state === 'dead'
      ? 'dead: its daemon ended without unmounting; mount takes it over, unmount clears it away'
      : 'silent: its daemon does not answer; unmount --force takes it away';
  return [
    ['state', meaning],
    ['mount point', mountpoint],
  ];
}

function livePairs({ state, mountpoint, pid, driver, started_at, indexing, watcher }: MountStatus): Pair[] {
  const isIndexing = state === 'indexing';
  return [
    ['state', isIndexing ? `indexing, ${indexing.done} of ${indexing.total} documents` : state],
    ['mount point', mountpoint],
    ['daemon', `pid ${pid}, driver ${driver}, since ${started_at}`],
    ['watcher', watcherText(watcher)],
  ];
}

function watcherText({ alive, mode, last_event_at, reason }: MountStatus['watcher']): string {
  const because = typeof reason === 'string' ? `: ${reason}` : '';
  if (!alive) return `not running, changes on disk are not seen${because}`;
  const last = last_event_at === null ? 'no change yet' : `last change ${last_event_at}`;
  return `${mode === 'scan' ? 'scanning' : 'alive'}, ${last}${because}`;
}

function commonPairs(status: MountStatus | StoppedStatus): Pair[] {
  const { documents, nodes, edges, revision, errors, docs, state_dir, version } = status;
  return [
    ['documents', documents],
    ['nodes', nodes],
    ['edges', edges],
    ['revision', revision],
    ['errors', errors],
    ['docs', docs],
    ['state folder', state_dir],
    ['version', version],
  ];
}
