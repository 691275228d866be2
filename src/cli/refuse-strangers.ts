import { UserError } from '../core/errors.ts';
import type { DaemonRecord } from '../state/daemons.ts';
import type { Place } from './project.ts';

/** @throws UserError if one of the daemons of the place keeps the index up to date for other docs */
export async function refuseStrangers({ settings }: Place, daemons: readonly DaemonRecord[]): Promise<void> {
  const { docsText } = await import('../core/docs-selection.ts');
  if (daemons.length === 0) return;
  const { areServedDocsGone, docsServed, whyOtherDocs } = await import('../state/served-docs.ts');
  const asked = docsText(settings.selection);
  const stranger = daemons.find((daemon) => docsServed(daemon) !== asked);
  if (stranger === undefined) return;
  const why = whyOtherDocs(settings.state, stranger);
  throw new UserError(
    areServedDocsGone(stranger)
      ? why
      : `${why}, name what it serves with --docs, or end that daemon where the docs were changed: kgraphfs stop --all`,
  );
}
