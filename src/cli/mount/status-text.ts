import { docsViewText } from '../../core/docs-selection.ts';
import { counted } from '../../text/counted.ts';
import { printableName } from '../../text/printable.ts';
import { shownShellWord } from '../../text/shell-word.ts';
import type { Output } from '../io.ts';
import { writePairs } from '../text/table.ts';
import type { MountStatus } from './mount-status.ts';
import type { FoundStatus, MuteStatus, StoppedStatus } from './read-status.ts';

type Pair = readonly [string, string | number];

/** Writes a small table for each status, with an empty line between them. */
export function writeStatus(output: Output, found: readonly FoundStatus[]): void {
  for (const [index, status] of found.entries()) {
    if (index > 0) output.write('\n');
    writePairs(output, pairsOf(status));
  }
}

function pairsOf(status: FoundStatus): Pair[] {
  if (!('documents' in status)) return mutePairs(status);
  return isStopped(status)
    ? [['state', 'stopped: no daemon is running'], ...commonPairs(status)]
    : [...livePairs(status), ...commonPairs(status)];
}

function isStopped(status: MountStatus | StoppedStatus): status is StoppedStatus {
  return status.pid === null;
}

function mutePairs(status: MuteStatus): Pair[] {
  const { state, mountpoint } = status;
  if (mountpoint === null && state === 'silent')
    return [['state', 'silent: the daemon without a mount does not answer; stop --force ends it']];
  return [
    ['state', `${state}: ${meaningOf(status)}`],
    ...(mountpoint === null ? [] : [['mount point', printableName(mountpoint)] as const]),
  ];
}

function meaningOf({ state, mountpoint, pid, by, uid, why }: MuteStatus): string {
  switch (state) {
    case 'dead':
      return `its daemon ended without unmounting; mount takes it over, kgraphfs unmount ${shownShellWord(mountpoint ?? '')} clears it away`;
    case 'silent':
      return 'its daemon does not answer; unmount --force removes it';
    case 'private':
      return `another user (uid ${uid}) has mounted it, who alone can ask it`;
    case 'covered':
      return `${by} is mounted over it; it shows again once that is unmounted`;
    case 'unmounted':
      return `it is not mounted there, but its daemon (pid ${pid}) is running: it is just starting or ending, or somebody removed the mount; stop --all ends it`;
    case 'elsewhere':
      return 'it is mounted in another container; ask there';
    case 'changing':
      return 'the daemon is just starting or ending';
    case 'untold':
      return `the daemon is running but cannot write its status: ${why}`;
  }
}

function livePairs({ state, mountpoint, pid, driver, started_at, indexing, watcher }: MountStatus): Pair[] {
  const isIndexing = state === 'indexing';
  const how = driver === null ? '' : `driver ${driver}, `;
  return [
    ['state', isIndexing ? `indexing, ${indexing.done} of ${indexing.total} documents` : state],
    ['mount point', mountpoint === null ? 'none' : printableName(mountpoint)],
    ['daemon', `pid ${pid}, ${how}since ${started_at}`],
    ['watcher', watcherText(watcher)],
    ['lag', lagText(indexing)],
  ];
}

function watcherText({ alive, mode, last_event_at, reason }: MountStatus['watcher']): string {
  const because = typeof reason === 'string' ? `: ${reason}` : '';
  if (!alive) return `not running, changes on disk are not seen${because}`;
  const last = last_event_at === null ? 'no change yet' : `last change ${last_event_at}`;
  return `${mode === 'scan' ? 'scanning' : 'alive'}, ${last}${because}`;
}

function lagText({ pending = 0, lag_ms }: MountStatus['indexing']): string {
  return pending === 0
    ? 'none'
    : `${lag_ms} ms, ${pending === 1 ? '1 changed path waits' : `${pending} changed paths wait`}`;
}

function commonPairs(status: MountStatus | StoppedStatus): Pair[] {
  const {
    documents,
    nodes,
    edges,
    sections,
    revision,
    memories,
    indexing,
    errors,
    docs,
    state_dir,
    version,
  } = status;
  return [
    ['documents', documents],
    ['nodes', nodes],
    ['edges', edges],
    ['sections', sections],
    ['revision', revision],
    ['indexed', indexing.last_indexed_at ?? 'never'],
    ['memories', memories],
    ...mapPairs(status),
    ...embeddingPairs(status),
    ...modulePairs(status),
    ['errors', errors],
    ...(status.last_errors ?? []).map((error): Pair => ['', errorText(error)]),
    ['docs', docsViewText(docs)],
    ['state folder', printableName(state_dir)],
    ['version', version],
  ];
}

function mapPairs({ schema_map }: MountStatus | StoppedStatus): Pair[] {
  if (!schema_map) return [];
  const { file, rules, error } = schema_map;
  return [
    [
      'schema map',
      error === null ? `${file}, ${counted(rules, 'rule')}` : `the last good one, since ${error}`,
    ],
  ];
}

function embeddingPairs({ search }: MountStatus | StoppedStatus): Pair[] {
  const embeddings = search.embeddings;
  if (!embeddings) return [];
  const { model, done, total, last_error } = embeddings;
  const failed = last_error === null ? '' : `; ${last_error}`;
  return [['embeddings', `${model}, ${done} of ${total} texts${failed}`]];
}

function modulePairs({ modules }: MountStatus | StoppedStatus): Pair[] {
  return modules.map(({ name, state, error }, index): Pair => {
    const text = error === null ? `${name}, ${state}` : `${name}, ${state}: ${error}`;
    return [index === 0 ? 'modules' : '', text];
  });
}

function errorText({ path, line, message }: NonNullable<MountStatus['last_errors']>[number]): string {
  return `${path}${line === undefined ? '' : `:${line}`}: ${message}`;
}
