import { reasonOf } from '../../core/errors.ts';
import { findHelper, whyNoDevice, whyNoHelper } from '../host.ts';
import { loadBinding } from './load.ts';

/** The program that libfuse 2 runs to mount for an ordinary user. */
export const NATIVE_HELPERS = ['fusermount'] as const;

/** What the fuse-native driver lacks on this machine, with the way out; undefined if it can run. Loads it to find out. */
export async function whyNativeCannotRun(): Promise<string | undefined> {
  const noDevice = await whyNoDevice();
  if (noDevice !== undefined) return noDevice;
  const needsHelper = process.getuid?.() !== 0;
  if (needsHelper && (await findHelper(NATIVE_HELPERS)) === undefined) return whyNoHelper(NATIVE_HELPERS);
  return whyNoBinding();
}

/** Why the compiled half or its libfuse cannot be loaded. */
function whyNoBinding(): string | undefined {
  try {
    loadBinding();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
