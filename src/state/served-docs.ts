import { existsSync } from 'node:fs';
import { docsText } from '../core/docs-selection.ts';
import { realPath } from '../disk/real-path.ts';
import { type DaemonRecord, daemonPlace } from './daemons.ts';

/** The docs roots as the daemon finds them now, in the form of `docsText`. */
export function docsServed({ docs, ways }: Pick<DaemonRecord, 'docs' | 'ways'>): string {
  return ways === undefined
    ? docs
    : docsText({ folders: ways.map(([name, way]) => ({ name, folder: realPath(way) })) });
}

/** Whether nothing is left where the daemon looks for its docs, as after the project was moved. */
export function areServedDocsGone({ ways = [] }: Pick<DaemonRecord, 'ways'>): boolean {
  return ways.length > 0 && !ways.some(([, way]) => existsSync(way));
}

/** Says why a state folder takes no other docs, and the ways out, in one sentence without a full stop. */
export function whyOtherDocs(statePath: string, daemon: DaemonRecord): string {
  const served = docsServed(daemon);
  return areServedDocsGone(daemon)
    ? `${statePath}: the daemon ${daemonPlace(daemon)} serves ${served}, which is no longer there; end it first: kgraphfs stop --all`
    : `${statePath}: this state folder serves ${served}, ${daemonPlace(daemon)}; choose another with --state, name what it serves with --docs, or end that daemon where the docs were changed: kgraphfs stop --all`;
}
