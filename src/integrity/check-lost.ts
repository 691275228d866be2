import { basename } from 'node:path';
import { type DaemonRecord, daemonPlace, liveDaemons } from '../state/daemons.ts';
import { hasLostFileOpen } from '../state/open-files.ts';
import { isElsewhere } from '../state/processes.ts';
import type { StateFolder } from '../state/state-folder.ts';
import { forgetContextMade, isContextLost } from '../store/context-mark.ts';
import { shellWord } from '../text/shell-word.ts';
import { type Finding, finding } from './finding.ts';

const LOST = 'THE FILE OF MEMORY AND HISTORY IS GONE OR EMPTY: nothing of what was remembered is here';

/**
 * Reports that the file of memory and history was removed or emptied. A daemon that has the removed file open goes on with it, and its content is lost when the
 * daemon ends. With `repair`, a new file may be made if no daemon works.
 */
export function checkLost(state: StateFolder, repair: boolean): Finding[] {
  const { contextFile } = state;
  const daemons = liveDaemons(state);
  const holding = daemons.filter((one) => !isElsewhere(one) && hasLostFileOpen(one.pid, contextFile));
  if (holding.length > 0) return holding.map((one) => heldFinding(contextFile, one));
  if (!isContextLost(contextFile)) return [];
  return [
    finding('memory', 'file-lost', LOST, [contextFile], settle(contextFile, daemons.length > 0, repair)),
  ];
}

/** @returns what the user can do now */
function settle(contextFile: string, isInUse: boolean, repair: boolean): string {
  // Otherwise SQLite would apply the log of the lost file to the backup.
  const backup = `move ${basename(contextFile)}-wal and -shm away and put a backup of it at ${shellWord(contextFile)}`;
  // The file was emptied under a running daemon, which may be in another container.
  const first = isInUse ? 'end the daemons (kgraphfs stop --all), then ' : '';
  if (isInUse || !repair) return `${first}${backup}, or begin anew: kgraphfs check --repair`;
  forgetContextMade(contextFile);
  return `a new one is begun now; where there is a backup, ${backup}`;
}

function heldFinding(contextFile: string, daemon: DaemonRecord): Finding {
  const { mountpoint, pid } = daemon;
  const message = `THE FILE OF MEMORY AND HISTORY WAS REMOVED OR REPLACED under the daemon ${daemonPlace(daemon)}: what that remembers is lost when it ends`;
  const remedy =
    mountpoint === null
      ? `save it before the daemon ends: ls -l /proc/${pid}/fd names the file and its log (-wal), to be copied together`
      : `save it before you unmount: cp -r ${shellWord(`${mountpoint}/context/memory`)} saved-memory`;
  return finding('memory', 'file-lost', message, [contextFile], remedy);
}
