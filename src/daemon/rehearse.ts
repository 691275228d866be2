import { availableParallelism } from 'node:os';
import type { App } from '../app/app.ts';
import type { Mounted } from '../fuse/driver.ts';
import { takeStepsWhenIdle } from '../system/idle-steps.ts';

/** The rehearsal runs while another thread walks the docs and this one is idle. */
const PAUSE_MS = 2;
/** On a machine with one core, other programs are to have most of it. */
const CROWDED_PAUSE_MS = 15;

/** Goes through what a first user of the mount would wait for. @returns ends it; undefined where the driver has none */
export function rehearse({ fs, workspace }: App, mounted: Mounted): (() => void) | undefined {
  const steps = mounted.rehearsal?.(() => {
    const tree = fs.observedBy(workspace.observerForNobody());
    // The mounted tree is called so now and then, and the code that V8 compiles in the rehearsal has to know it.
    const listenAgain = () => tree.tellNextUse(listenAgain);
    listenAgain();
    return tree;
  });
  const crowdedMs = availableParallelism() > 1 ? PAUSE_MS : CROWDED_PAUSE_MS;
  return steps && takeStepsWhenIdle(steps, { pauseMs: PAUSE_MS, crowdedMs });
}
