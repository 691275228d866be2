/** Places in the mounted tree that are named in more files than the mount table. */
import { parsePath } from './paths.ts';

export const MEMORY_POINT = parsePath('/context/memory');
export const REVIEW_POINT = parsePath('/context/review');
export const HISTORY_POINT = parsePath('/context/history');
export const SCRATCHPAD_POINT = parsePath('/context/scratchpad');

/** How the paths of everything below those places begin. */
export const WITHIN_MEMORY = `${MEMORY_POINT}/`;
export const WITHIN_HISTORY = `${HISTORY_POINT}/`;
export const WITHIN_SCRATCHPAD = `${SCRATCHPAD_POINT}/`;
export const WITHIN_NODES = '/graph/nodes/';
