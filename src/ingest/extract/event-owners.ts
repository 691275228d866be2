/** Finds the owner of an event: `invoice.paid` belongs to the Invoice, whatever else its sentence names. */
import type { NodeKey } from '../../core/graph-model.ts';
import { groupBy } from '../../core/group.ts';
import { eventShape, ownersInName } from './event-names.ts';
import { bareName, conceptKeyOf, foldName, isName } from './names.ts';
import type { Ref } from './refs.ts';

/** The possible subjects that occur in the events' names. */
export function ownersAmong(refs: readonly Ref[], events: readonly Ref[]): Ref[] {
  const owners = new Set(events.flatMap(({ label }) => ownersInName(label).map(foldName)));
  return refs.filter(({ label }) => owners.has(foldName(label)));
}

/**
 * The things that trigger an event of a table or list: the thing in its name that the description mentions; otherwise
 * all things in its name; otherwise the first thing that the description names; otherwise the thing to which something happens according to it. The
 * first parts of a path are a namespace, and trigger nothing.
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

/** The words for what the event happens to: `when a call ends`, `whenever a new conference that …`. */
const HAPPENS_TO =
  /\b(?:when|whenever|once|after|if|(?:each|every) time)\s+(?:an?|the|any|each)\s+((?:[\w-]+\s){1,3}?)(?:that|which|who|is|are|was|were|has|have|will|[a-z]{2,}s)\b/i;

/** A thing that exists because a document lists events of it. */
export interface ListedOwner {
  readonly key: NodeKey;
  readonly label: string;
  readonly line: number;
}

/**
 * The things of which a document lists events: `order.placed` beside `order.shipped`, or alone if an
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

/** Whether a name ends with what happened. Without such an ending, paths have no shape. */
function happened(name: string): boolean {
  return name.includes('/') ? eventShape(name) !== undefined : eventShape(name) === 'past';
}

/** The name of a thing as words: `license_key` becomes `License Key`, `lineItem` becomes `Line Item`. */
function labelOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
