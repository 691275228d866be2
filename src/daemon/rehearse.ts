import { availableParallelism } from 'node:os';
import type { App } from '../app/app.ts';
import type { Mounted } from '../fuse/driver.ts';
import { takeStepsWhenIdle } from '../system/idle-steps.ts';

/** The pause between steps. Another thread is walking the docs at that time, and this one is idle. */
const PAUSE_MS = 2;
/** The same on a machine with one core, of which other programs are to have most. */
const CROWDED_PAUSE_MS = 15;

/** Runs code that the first user of the mount would otherwise wait for. @returns a function that ends it; undefined if the driver has no rehearsal */
export function rehearse({ fs, workspace }: App, mounted: Mounted): (() => void) | undefined {
  const steps = mounted.rehearsal?.(() => {
    const tree = fs.observedBy(workspace.observerForNobody());
    // The mounted tree calls such a listener now and then, so the code that V8 compiles in the rehearsal has to know that.
    const listenAgain = () => tree.tellNextUse(listenAgain);
    listenAgain();
    return tree;
  });
  const crowdedMs = availableParallelism() > 1 ? PAUSE_MS : CROWDED_PAUSE_MS;
  return steps && takeStepsWhenIdle(steps, { pauseMs: PAUSE_MS, crowdedMs });
}
