import { findHelper, MOUNT_HELPERS, whyNoDevice, whyNoHelper } from '../host.ts';

/** What the Linux driver lacks on this machine, with the way out; undefined where it can run. */
export async function whyLinuxCannotRun(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it speaks the protocol of Linux, and this is another system';
  const noDevice = await whyNoDevice();
  if (noDevice !== undefined) return noDevice;
  return (await findHelper(MOUNT_HELPERS)) === undefined ? whyNoHelper() : undefined;
}
