import { FsError } from '../core/errors.ts';

export function noSpaceAt(path: string): FsError {
  return new FsError('ENOSPC', path, 'the scratchpad is full; remove something, or raise its quota');
}
