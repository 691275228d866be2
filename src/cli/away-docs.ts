import { isFolder } from '../config/docs-roots.ts';
import { wayOf } from '../core/docs-selection.ts';
import { type DaemonRecord, daemonPlace } from '../state/daemons.ts';
import { printable } from '../text/printable.ts';
import type { Io } from './io.ts';
import type { Place } from './project.ts';

/** The docs folders that are missing or do not answer, by the paths that name them. */
export function awayDocs({ settings }: Place): string[] {
  return settings.selection.folders.filter((root) => root.isAway || !isFolder(wayOf(root))).map(wayOf);
}

/**
 * Says which docs folders are missing or do not answer, of which only the daemon knows, as far as it has read them.
 * @returns whether there are any
 */
export function tellOfAwayDocs(place: Place, daemon: DaemonRecord, { err }: Io): boolean {
  const away = awayDocs(place);
  if (away.length === 0) return false;
  const ways = away.map(printable).join(', ');
  err.write(
    `${err.style('yellow', `the docs folder ${ways} is missing`)}: the daemon ${daemonPlace(daemon)} goes on with what it has read; put it back, or name other docs with --docs\n`,
  );
  return true;
}
