import { existsSync } from 'node:fs';
import type { DaemonRecord } from '../state/daemons.ts';
import { printable } from '../text/printable.ts';
import type { Io } from './io.ts';
import type { Place } from './project.ts';

/** The last warning of each run: a command that looks at the daemon twice gives it once. */
const told = new WeakMap<Io, string>();

/**
 * Warns of a daemon that goes on with older settings of docs and modules, and of docs folders that are missing, that were moved, or that the command line
 * did not name, which is no change of settings. The same warning is given once.
 */
export async function tellOfOldChoice(
  { settings }: Place,
  daemons: readonly DaemonRecord[],
  io: Io,
): Promise<void> {
  if (daemons.length === 0) return;
  const { err, environment } = io;
  const [{ choiceText, docsText }, { daemonPlace }, { areServedDocsGone, docsServed }, { configuredMark }] =
    await Promise.all([
      import('../core/docs-selection.ts'),
      import('../state/daemons.ts'),
      import('../state/served-docs.ts'),
      import('./module-texts.ts'),
    ]);
  const { selection } = settings;
  const now = {
    docs: docsText(selection),
    choice: choiceText(selection),
    ...(await configuredMark(settings, environment.variables)),
  };
  for (const daemon of daemons) {
    const { mountpoint, choice, modules, ownConfig } = { ...now, ...daemon };
    const docs = docsServed(daemon);
    // A missing folder is reported by the path that names it, which may be a link.
    const missing = selection.folders.find(({ folder }) => !existsSync(folder));
    if (missing !== undefined && choice === now.choice && docs !== now.docs) {
      tell(
        io,
        `${err.style('yellow', `the docs folder ${printable(missing.folder)} is missing`)}: the daemon ${daemonPlace(daemon)} goes on with what it has read\n`,
      );
      return;
    }
    const restart = mountpoint === null ? 'kgraphfs stop, then start' : 'kgraphfs unmount, then mount';
    if (docs !== now.docs && areServedDocsGone(daemon)) {
      tell(
        io,
        `the daemon ${daemonPlace(daemon)} ${err.style('yellow', `serves ${printable(docs)}, which is no longer there`)}; for ${printable(now.docs)}: ${restart}\n`,
      );
      return;
    }
    // Without a config file, it was only the command line that named other docs.
    if (docs !== now.docs && settings.configFile === undefined) {
      tell(
        io,
        `the daemon ${daemonPlace(daemon)} ${err.style('yellow', `serves ${printable(docs)}, not ${printable(now.docs)}`)}, which this command is about: name what it serves with --docs, or start it again for the other: ${restart}\n`,
      );
      return;
    }
    const changed = [
      ...(docs !== now.docs || choice !== now.choice ? ['docs'] : []),
      ...(modules !== now.modules && ownConfig === now.ownConfig ? ['modules'] : []),
    ];
    if (changed.length === 0) continue;
    tell(
      io,
      `${err.style('yellow', `the settings of the ${changed.join(' and ')} were changed`)} since the daemon ${daemonPlace(daemon)} began; it still uses the old ones, and to apply the new ones: ${restart}\n`,
    );
    return;
  }
}

function tell(io: Io, text: string): void {
  if (told.get(io) === text) return;
  told.set(io, text);
  io.err.write(text);
}
