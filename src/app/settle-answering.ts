import type { LoadedConfig } from '../config/load.ts';
import type { Flags, Settings } from '../config/settings.ts';
import { docsWays, settle } from '../config/settle.ts';
import { unansweredOf } from '../source/look-ahead.ts';

/**
 * As `settle`, for callers that docs on a disk that does not answer would block for good.
 * @throws UserError as `settle`, and if a docs root that is needed does not answer
 */
export async function settleAnswering(
  flags: Flags,
  workingFolder: string,
  loaded: LoadedConfig,
): Promise<Settings> {
  const unanswered = await unansweredOf(docsWays(flags, workingFolder, loaded));
  return settle({ ...flags, unanswered }, workingFolder, loaded);
}
