/** Whose event it is: `invoice.paid` is the Invoice's, whatever else its sentence names. */
import type { NodeKey } from '../../core/graph-model.ts';
import { groupBy } from '../../core/group.ts';
import { eventShape, ownersInName } from './event-names.ts';
import { bareName, conceptKeyOf, foldName, isName } from './names.ts';
import type { Ref } from './refs.ts';

/** Of several possible subjects, those that the events' names name. */
export function ownersAmong(refs: readonly Ref[], events: readonly Ref[]): Ref[] {
  const owners = new Set(events.flatMap(({ label }) => ownersInName(label).map(foldName)));
  return refs.filter(({ label }) => owners.has(foldName(label)));
}

/**
 * Who triggers an event that a table or list describes: the thing in its name that the description speaks of, else
 * every thing in its name, else the first thing that the description names, else what it says something happens to. The
 * first parts of a path are the space that its name lies in, and trigger nothing.
 */
export function ownersOf(event: string, described: readonly Ref[], text: string): NodeKey[] {
  const owners = ownersInName(event);
  const named = owners.find((owner) => described.some((ref) => foldName(ref.label) === foldName(owner)));
  if (named !== undefined) return [conceptKeyOf(named)];
  const [closest] = owners;
  if (closest !== undefined && /\/.*\//.test(event)) {
    const words = new Set(text.split(/[^\p{L}\p{N}_-]+/u).map(foldName));
    return [conceptKeyOf(owners.find((owner) => words.has(foldName(owner))) ?? closest)];
  }
  if (owners.length > 0) return owners.map(conceptKeyOf);
  const first = described.find(({ type, marked }) => marked && (type === 'APIObject' || type === 'Concept'));
  if (first !== undefined) return [first.key];
  const happens = bareName(HAPPENS_TO.exec(text)?.[1] ?? '');
  return isName(happens) && foldName(happens) !== foldName(event) ? [conceptKeyOf(happens)] : [];
}

/** `when a call ends`, `whenever a new conference that …`. */
const HAPPENS_TO =
  /\b(?:when|whenever|once|after|if|(?:each|every) time)\s+(?:an?|the|any|each)\s+((?:[\w-]+\s){1,3}?)(?:that|which|who|is|are|was|were|has|have|will|[a-z]{2,}s)\b/i;

/** A thing that exists by the events that are listed of it. */
export interface ListedOwner {
  readonly key: NodeKey;
  readonly label: string;
  readonly line: number;
}

/**
 * The things of which a document lists what happens to them: `order.placed` beside `order.shipped`, or alone where an
 * endpoint has `orders` in its path.
 * @param paths of the document's endpoints
 */
export function ownersListed(
  events: readonly { readonly name: string; readonly line: number }[],
  paths: readonly string[],
): ListedOwner[] {
  const named = events.filter(({ name }) => DOTTED_WORDS.test(name));
  const segments = new Set(paths.flatMap((path) => path.split('/').filter(isName).map(foldName)));
  const owners: ListedOwner[] = [];
  for (const [, group] of groupBy(named, ({ name }) =>
    name.slice(0, Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'))),
  )) {
    const [first] = group;
    const [owner] = ownersInName(first?.name ?? '');
    if (
      first === undefined ||
      owner === undefined ||
      !isName(owner) ||
      /^(?:events?|webhooks?)$/i.test(owner)
    )
      continue;
    const isThing = new Set(group.map(({ name }) => name)).size > 1 || segments.has(foldName(owner));
    if (!isThing || !group.some(({ name }) => happened(name))) continue;
    owners.push({ key: conceptKeyOf(owner), label: labelOf(owner), line: first.line });
  }
  return owners;
}

const DOTTED_WORDS = /^[a-z][a-z\d_-]*(?:\.[a-z][a-z\d_-]*)+$|^[a-z][\w-]*(?:\/[a-z][\w-]*){2,}$/;

/** Whether a name ends with what happened; paths have no shape without that. */
function happened(name: string): boolean {
  return name.includes('/') ? eventShape(name) !== undefined : eventShape(name) === 'past';
}

/** `license_key` to `License Key`, `lineItem` to `Line Item`. */
function labelOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
