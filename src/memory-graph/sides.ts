import { encodeName } from '../core/names.ts';
import type { MemoryEnd, ShownEdge } from './memory-graph.ts';

/** The other ends at one side of a node, by the name that a folder lists each by. */
export type Side = ReadonlyMap<string, MemoryEnd>;

/** Sides by the name of their folder. */
export type Sides = ReadonlyMap<string, Side>;

/**
 * The neighbours at each side: `about` for edges that lead away and `about_of` for those that arrive. Where a node of the docs has the name of
 * one of memory, its type is added.
 */
export function sidesOf(outgoing: readonly ShownEdge[], incoming: readonly ShownEdge[]): Sides {
  const sides = new Map<string, Map<string, MemoryEnd>>();
  const add = (side: string, end: MemoryEnd) => {
    const known = sides.get(side) ?? new Map<string, MemoryEnd>();
    const isTaken = known.has(end.name);
    known.set(isTaken ? encodeName(`${end.display} (${end.type})`) : end.name, end);
    sides.set(side, known);
  };
  const ofMemoryFirst = (a: MemoryEnd, b: MemoryEnd) => Number(a.home === 'docs') - Number(b.home === 'docs');
  for (const { type, to } of outgoing.toSorted((a, b) => ofMemoryFirst(a.to, b.to))) add(type, to);
  for (const { type, from } of incoming) add(`${type}_of`, from);
  return sides;
}
