import { UserError } from '../core/errors.ts';
import { replacementOf } from './file-identity.ts';

/** The reason why this needs a restart: threads open the file by its name, so after a replacement they would read another file than this process, or make one. */
const REPLACED_INDEX =
  'the file of the index was removed or replaced while it was in use, as when its folder is moved: graph and search show the docs as they were before, ' +
  'as far as they still can; unmount and mount again, or stop and start where there is no mount';

/**
 * Returns a function that refuses work with the index once the file at its path is not the one any more that lies there now.
 * @throws UserError from the returned function, with the way out
 */
export function refuseReplacedIndex(indexFile: string): () => void {
  const isReplaced = replacementOf(indexFile);
  return () => {
    if (isReplaced()) throw new UserError(REPLACED_INDEX);
  };
}
