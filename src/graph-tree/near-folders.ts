import { after } from '../core/awaitable.ts';
import { entriesOf, type Place } from '../core/generated-tree.ts';
import { isEdgeType, type NodeKey } from '../core/graph-model.ts';
import { decodeName } from '../core/names.ts';
import type { SubPath } from '../core/paths.ts';
import type { Awaitable, DirEntry } from '../core/resolver.ts';
import type { Side as DocsSide, GraphQueries } from '../graph/queries.ts';
import { namesAtSideHere, type SlowQuestions } from '../graph/slow-questions.ts';
import type { MemoryGraph } from '../memory-graph/memory-graph.ts';
import { isMemoryName } from '../memory-graph/node-names.ts';
import type { Side, Sides } from '../memory-graph/sides.ts';
import type { NodeReference } from '../store/nodes.ts';
import type { AskedPaths } from './asked-paths.ts';
import { linkTo, timeOf } from './places.ts';

export interface NearParts {
  readonly graph: GraphQueries;
  readonly slow: SlowQuestions;
  readonly memory?: MemoryGraph | undefined;
  readonly asked: AskedPaths;
}

const NOTHING_REMEMBERED: Sides = new Map();

/**
 * `near/<name>/<edge>/<other>`: links to the neighbours of a node, incoming ones as `<edge>_of`; `near/` itself lists nothing. Besides those of
 * the docs there are folders of what is remembered of the node, for its owner alone. A name such as `fact/refunds` is a link into
 * `memory/near/`, whether there is such a node or not, so that other users learn nothing by asking.
 */
export class NearFolders {
  readonly #graph: GraphQueries;
  readonly #slow: SlowQuestions;
  readonly #memory: MemoryGraph | undefined;
  readonly #asked: AskedPaths;
  /** What was remembered of nodes when somebody looked, by the name they were asked for by: folders that show it have no time that tells. */
  readonly #looked = new Map<string, { readonly key: NodeKey; readonly sides: Sides }>();

  constructor({ graph, slow, memory, asked }: NearParts) {
    this.#graph = graph;
    this.#slow = slow;
    this.#memory = memory;
    this.#asked = asked;
  }

  /** A link to what is remembered, or undefined where the name is not one of memory. */
  linkToMemory(name: string, modifiedNs: bigint, rest: readonly string[]): Place | undefined {
    if (this.#memory === undefined || !isMemoryName(decodeName(name))) return undefined;
    if (this.#graph.reference(name)?.name === name) return undefined;
    return linkTo(`../memory/near/${name}`, modifiedNs, rest);
  }

  /** What stands at `near/<name>` and below, where that name leads to this node. */
  placeOf(node: NodeReference, [name = '', ...rest]: readonly string[]): Place | undefined {
    const [side, otherName, ...beyond] = rest;
    const remembered = this.#remembered(name, node);
    const modifiedNs = timeOf({ revision: node.revision, nowMs: node.changedMs });
    if (side === undefined) {
      const list = () =>
        entriesOf('directory', [...this.#graph.sides(node.id).map(folderName), ...remembered.keys()]);
      return { kind: 'directory', modifiedNs, list };
    }
    const memories = remembered.get(side);
    if (memories !== undefined) return rememberedPlace(memories, modifiedNs, rest.slice(1));
    const docsSide = sidesNamed(side).find((one) => this.#graph.namesAtSide(node.id, one, 1).length > 0);
    if (docsSide === undefined) return undefined;
    if (otherName === undefined) {
      return { kind: 'directory', modifiedNs, list: () => this.#listSide(node.id, docsSide) };
    }
    const other = this.#graph.reference(otherName);
    if (other !== undefined && other.name !== otherName)
      this.#asked.addOtherName(`near/${name}/${side}/${otherName}`);
    if (other === undefined || !this.#graph.isAtSide(node.id, docsSide, other.id)) return undefined;
    return linkTo(`../../../nodes/${other.name}`, modifiedNs, beyond);
  }

  /** Where what is remembered now shows otherwise than when somebody looked. */
  changed(): SubPath[] {
    try {
      return this.#changed();
    } catch {
      // Where memory cannot be read any may have changed; why it cannot is told to who reads it next.
      return ['near' as SubPath];
    }
  }

  #changed(): SubPath[] {
    const paths: SubPath[] = [];
    for (const [name, { key, sides: before }] of this.#looked) {
      const now = this.#memory?.sides(key) ?? NOTHING_REMEMBERED;
      for (const side of new Set([...before.keys(), ...now.keys()])) {
        const [was, is] = [before.get(side), now.get(side)];
        if (was === undefined || is === undefined) paths.push(`near/${name}/${side}` as SubPath);
        for (const other of differing(was, is)) paths.push(`near/${name}/${side}/${other}` as SubPath);
      }
      this.#looked.set(name, { key, sides: now });
    }
    return paths;
  }

  #remembered(name: string, { key }: NodeReference): Sides {
    if (this.#memory === undefined) return NOTHING_REMEMBERED;
    const sides = this.#memory.sides(key);
    // The first look counts: what it saw may still be shown.
    if (!this.#looked.has(name)) this.#looked.set(name, { key, sides });
    return sides;
  }

  #listSide(id: number, side: DocsSide): Awaitable<readonly DirEntry[]> {
    const names = namesAtSideHere(this.#graph, id, side) ?? this.#slow.namesAtSide(id, side);
    return after(names, (names) => entriesOf('link', names));
  }
}

/** `requires` for edges that lead away and `requires_of` for those that arrive. */
function folderName({ type, direction }: DocsSide): string {
  return direction === 'out' ? type : `${type}_of`;
}

/** What the name of a folder may mean: there are types of edges that end in `_of` themselves. */
function sidesNamed(name: string): DocsSide[] {
  const incoming = name.replace(/_of$/, '');
  const sides: DocsSide[] = [];
  if (isEdgeType(name)) sides.push({ type: name, direction: 'out' });
  if (incoming !== name && isEdgeType(incoming)) sides.push({ type: incoming, direction: 'in' });
  return sides;
}

/**
 * A folder of what is remembered of a node, for its owner alone, or a link in it. It has the time of the node: when something was remembered is
 * for nobody else to see.
 */
function rememberedPlace(
  memories: Side,
  modifiedNs: bigint,
  [name, ...beyond]: readonly string[],
): Place | undefined {
  if (name === undefined) {
    return { kind: 'directory', modifiedNs, list: () => entriesOf('link', memories.keys()), isPrivate: true };
  }
  const memory = memories.get(name);
  const home = memory?.home === 'docs' ? 'nodes' : 'memory/nodes';
  return memory && linkTo(`../../../${home}/${memory.name}`, modifiedNs, beyond);
}

/** Names that one side has and the other has not. */
function differing(a: Side = new Map(), b: Side = new Map()): string[] {
  return [...a.keys()].filter((name) => !b.has(name)).concat([...b.keys()].filter((name) => !a.has(name)));
}
