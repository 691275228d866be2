import { UserError } from '../core/errors.ts';
import type { DaemonRecord } from '../state/daemons.ts';
import type { Place } from './project.ts';

/** @throws UserError if one of the daemons of the place keeps the index up to date for other docs */
export async function refuseStrangers({ settings }: Place, daemons: readonly DaemonRecord[]): Promise<void> {
  const { docsText } = await import('../core/docs-selection.ts');
  const served = docsText(settings.selection);
  const stranger = daemons.find(({ docs }) => docs !== served);
  if (stranger === undefined) return;
  const { daemonPlace } = await import('../state/daemons.ts');
  throw new UserError(
    `${settings.state}: this state folder serves ${stranger.docs}, ${daemonPlace(stranger)}; choose another with --state, or end that daemon where the docs were changed: kgraphfs stop --all`,
  );
}
