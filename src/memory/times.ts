import type { MemoryRow } from '../store/memory-entries.ts';

const NS_PER_MS = 1_000_000n;
/** Changes so close that a clock of milliseconds cannot tell them apart. */
const CLOSE_MS = 1000;

type Modified = Pick<MemoryRow, 'modifiedMs' | 'modifiedRestNs'>;

export function modifiedNsOf({ modifiedMs, modifiedRestNs }: Modified): bigint {
  return BigInt(modifiedMs) * NS_PER_MS + BigInt(modifiedRestNs);
}

export function modifiedOf(modifiedNs: bigint): Modified {
  const rest = ((modifiedNs % NS_PER_MS) + NS_PER_MS) % NS_PER_MS;
  return { modifiedMs: Number((modifiedNs - rest) / NS_PER_MS), modifiedRestNs: Number(rest) };
}

/** The time of a change that is made now: after the change before, so that whoever compares times sees that there was one. */
export function laterThan(beforeNs: bigint, nowMs: number): bigint {
  const nowNs = BigInt(nowMs) * NS_PER_MS;
  const isClose = beforeNs >= nowNs && beforeNs - nowNs < BigInt(CLOSE_MS) * NS_PER_MS;
  return isClose ? beforeNs + NS_PER_MS : nowNs;
}
