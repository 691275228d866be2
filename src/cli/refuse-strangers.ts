import { UserError } from '../core/errors.ts';
import type { DaemonRecord } from '../state/daemons.ts';
import type { Place } from './project.ts';

/** @throws UserError if one of the daemons of the place keeps the index up to date for other docs */
export async function refuseStrangers({ settings }: Place, daemons: readonly DaemonRecord[]): Promise<void> {
  const { docsText } = await import('../core/docs-selection.ts');
  if (daemons.length === 0) return;
  const { docsServed, whyOtherDocs } = await import('../state/served-docs.ts');
  const asked = docsText(settings.selection);
  const stranger = daemons.find((daemon) => docsServed(daemon) !== asked);
  if (stranger !== undefined) throw new UserError(whyOtherDocs(settings.state, stranger));
}
