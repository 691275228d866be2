import { join } from 'node:path';
import { Daemon, newMountPoint } from '../fuse/daemon.ts';
import { stopProcess } from './stop-process.ts';
import type { Teardown } from './temporary.ts';

/** A mount of another process, which answers nothing between `hang` and `goOn`. */
export interface HangingMount {
  readonly point: string;
  /** A folder in it, with a file. */
  readonly docs: string;
  hang(): void;
  goOn(): void;
}

export async function hangingMount(t: Teardown): Promise<HangingMount> {
  const daemon = await Daemon.start(t, { point: newMountPoint(t), tree: 'small' });
  const goOn = (): void => daemon.signal('SIGCONT');
  t.teardown(goOn);
  return {
    point: daemon.point,
    docs: join(daemon.point, 'docs'),
    hang: () => stopProcess(daemon.pid),
    goOn,
  };
}
