/**
 * A path through the graph that was walked again and again, written down as an entry of memory: what leads to what, by which edges, with a line for
 * each step. As long as the entry waits for review it is a proposal; once a person accepts it, it is an edge of the graph of memory.
 */
import { createHash } from 'node:crypto';
import { type MemoryEntry, REVIEW_TAG } from './memory-entry.ts';

/** The folder of memory that such entries are kept in. */
const COMPILED_FOLDER = 'paths';
/** What the provenance of such an entry says. */
export const COMPILED_PROVENANCE = { source: 'use', kind: 'path' } as const;

export interface CompiledStep {
  readonly edgeType: string;
  /** `file:line` of the docs, or none. */
  readonly evidence: readonly string[];
}

export interface CompiledPath {
  /** Display names of three or more nodes of the docs, in the order in which each leads to the next. */
  readonly nodes: readonly string[];
}

const HASH_DIGITS = 8;
const MAX_CHARACTERS = 60;
const FIRST_LINE = /^`([^`\n]+)` leads to `([^`\n]+)` via (`[^`\n]+`(?:, `[^`\n]+`)*)\.(?:\n|$)/;

/** The key of the entry for a path. It depends on the nodes and their order alone. */
export function compiledPathKey({ nodes }: CompiledPath): string {
  const hash = createHash('sha256').update(nodes.join('\n')).digest('hex').slice(0, HASH_DIGITS);
  const ends = `${nodes[0] ?? ''} leads to ${nodes.at(-1) ?? ''}`.normalize('NFKD').toLowerCase();
  const slug = (ends.match(/[a-z0-9]+/g) ?? []).join('-').slice(0, MAX_CHARACTERS).replace(/-+$/, '');
  return `${COMPILED_FOLDER}/${slug}-${hash}`;
}

/** Whether a path can be written down: names stand in backticks there. */
export function isSayable({ nodes }: CompiledPath): boolean {
  return nodes.length > 2 && nodes.every((name) => name !== '' && !/[`\r\n]/.test(name));
}

/** @param steps one less than there are nodes */
export function compiledPathText({ nodes }: CompiledPath, steps: readonly CompiledStep[]): string {
  const quoted = nodes.map((name) => `\`${name}\``);
  const lines = steps.map(({ edgeType, evidence }, index) => {
    const places = evidence.length === 0 ? '' : ` (${evidence.join(', ')})`;
    return `- ${quoted[index]} ${edgeType} ${quoted[index + 1]}${places}\n`;
  });
  return `${quoted[0]} leads to ${quoted.at(-1)} via ${quoted.slice(1, -1).join(', ')}.\n\n${lines.join('')}`;
}

/** What an entry says, whether it waits or counts; undefined for an entry that says none. */
export function compiledPathOf({
  type,
  provenance,
  content,
}: Pick<MemoryEntry, 'type' | 'provenance' | 'content'>): CompiledPath | undefined {
  if (type !== 'fact' || provenance.kind !== COMPILED_PROVENANCE.kind) return undefined;
  const [, from, to, via] = FIRST_LINE.exec(Buffer.from(content).toString('utf8')) ?? [];
  if (from === undefined || to === undefined || via === undefined) return undefined;
  return { nodes: [from, ...via.slice(1, -1).split('`, `'), to] };
}

/** What connects two nodes by an accepted way. */
export interface RememberedWay {
  /** Names of the nodes between. */
  readonly via: readonly string[];
  /** Of the entry of memory. */
  readonly entry: string;
  /** `file:line` for the steps. */
  readonly evidence: readonly string[];
}

/** The accepted ways from one node to another. @param entries those of the kind of {@link COMPILED_PROVENANCE} */
export function waysBetween(entries: readonly MemoryEntry[], from: string, to: string): RememberedWay[] {
  return entries.filter(isAccepted).flatMap((entry) => {
    const nodes = compiledPathOf(entry)?.nodes ?? [];
    if (nodes[0] !== from || nodes.at(-1) !== to) return [];
    return [{ via: nodes.slice(1, -1), entry: `${entry.type}/${entry.key}`, evidence: entry.sourcePaths }];
  });
}

/** Whether a person accepted the entry, or nobody need to. */
export function isAccepted({ tags }: Pick<MemoryEntry, 'tags'>): boolean {
  return !tags.includes(REVIEW_TAG);
}
