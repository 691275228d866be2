import { msToNs, NS_PER_MS } from '../core/node-info.ts';
import type { MemoryRow } from '../store/memory-entries.ts';

/** Changes that are this close cannot be told apart by every clock of milliseconds. */
const CLOSE_MS = 1000;

type Modified = Pick<MemoryRow, 'modifiedMs' | 'modifiedRestNs'>;

export function modifiedNsOf({ modifiedMs, modifiedRestNs }: Modified): bigint {
  return msToNs(modifiedMs) + BigInt(modifiedRestNs);
}

export function modifiedOf(modifiedNs: bigint): Modified {
  const rest = ((modifiedNs % NS_PER_MS) + NS_PER_MS) % NS_PER_MS;
  return { modifiedMs: Number((modifiedNs - rest) / NS_PER_MS), modifiedRestNs: Number(rest) };
}

/** The time of a change that is made now. It is later than that of the change before, so that whoever compares times notices the change. */
export function laterThan(beforeNs: bigint, nowMs: number): bigint {
  const nowNs = msToNs(nowMs);
  const isClose = beforeNs >= nowNs && beforeNs - nowNs < msToNs(CLOSE_MS);
  return isClose ? beforeNs + NS_PER_MS : nowNs;
}
