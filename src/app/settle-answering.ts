import type { LoadedConfig } from '../config/load.ts';
import type { Flags, Settings } from '../config/settings.ts';
import { docsWays, settle } from '../config/settle.ts';
import { unansweredOf } from '../source/look-ahead.ts';

/**
 * As `settle`, for who would be stopped for good by docs that do not answer.
 * @throws UserError as `settle`, and where a docs root does not answer that may not be missed
 */
export async function settleAnswering(
  flags: Flags,
  workingFolder: string,
  loaded: LoadedConfig,
): Promise<Settings> {
  const unanswered = await unansweredOf(docsWays(flags, workingFolder, loaded));
  return settle({ ...flags, unanswered }, workingFolder, loaded);
}
