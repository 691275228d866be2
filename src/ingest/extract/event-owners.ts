/** Whose event it is: `invoice.paid` is the Invoice's, whatever else its sentence names. */
import type { NodeKey } from '../../core/graph-model.ts';
import { ownersInName } from './event-names.ts';
import { conceptKeyOf, foldName } from './names.ts';
import type { Ref } from './refs.ts';

/** Of several possible subjects, those that the events' names name. */
export function ownersAmong(refs: readonly Ref[], events: readonly Ref[]): Ref[] {
  const owners = new Set(events.flatMap(({ label }) => ownersInName(label).map(foldName)));
  return refs.filter(({ label }) => owners.has(foldName(label)));
}

/**
 * Who triggers an event that a table or list describes: the thing in its name that the description speaks of, else
 * every thing in its name, else the first thing that the description names.
 */
export function ownersOf(event: string, described: readonly Ref[]): NodeKey[] {
  const owners = ownersInName(event);
  const named = owners.find((owner) => described.some((ref) => foldName(ref.label) === foldName(owner)));
  if (named !== undefined) return [conceptKeyOf(named)];
  if (owners.length > 0) return owners.map(conceptKeyOf);
  const first = described.find(({ type, marked }) => marked && (type === 'APIObject' || type === 'Concept'));
  return first === undefined ? [] : [first.key];
}
