import { removeOldScratchpads } from '../../src/scratchpad/session-folders.ts';

/** Run as a program, for another user: clears away all scratchpads below the folder that it is given. */
const [scratchpadsFolder = ''] = process.argv.slice(2);
const cleared = await removeOldScratchpads({
  scratchpadsFolder,
  isLive: () => false,
  nowMs: Date.now() + 1000,
  maxAgeMs: 0,
});
process.stdout.write(JSON.stringify(cleared));
