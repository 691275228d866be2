import { after, recover } from '../core/awaitable.ts';
import { entriesOf, type Place } from '../core/generated-tree.ts';
import { isEdgeType, type NodeKey } from '../core/graph-model.ts';
import { decodeName } from '../core/names.ts';
import type { SubPath } from '../core/paths.ts';
import type { Awaitable, DirEntry } from '../core/resolver.ts';
import type { Side as DocsSide, GraphQueries } from '../graph/queries.ts';
import { namesAtSideHere, type SlowQuestions } from '../graph/slow-questions.ts';
import type { MemoryGraph } from '../memory-graph/memory-graph.ts';
import { isMemoryName } from '../memory-graph/node-names.ts';
import type { Side } from '../memory-graph/sides.ts';
import type { NodeReference } from '../store/nodes.ts';
import type { AskedPaths } from './asked-paths.ts';
import { linkTo } from './link-place.ts';
import { timeOf } from './revision-time.ts';

export interface NearParts {
  readonly graph: GraphQueries;
  readonly slow: SlowQuestions;
  readonly memory?: MemoryGraph | undefined;
  readonly asked: AskedPaths;
}

/** With more nodes looked at than this, all of `near/` is told. */
const MAX_LOOKED = 20_000;

/** A node of the docs at which somebody looked: by which names, and what was remembered of it at which sides. */
interface Looked {
  readonly names: Set<string>;
  sides: readonly string[];
}

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
  /** Nodes that somebody looked at: folders that show what is remembered of them have no time that tells. */
  readonly #looked = new Map<NodeKey, Looked>();
  /** The version of the graph of memory of which all was told. */
  #toldVersion: number | undefined;

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
    const modifiedNs = timeOf({ revision: node.revision, nowMs: node.changedMs });
    this.#note(name, node);
    if (side === undefined) {
      const remembered = () => this.#memory?.sides(node.key) ?? [];
      const list = () =>
        entriesOf('directory', [...this.#graph.sides(node.id).map(folderName), ...remembered()]);
      return { kind: 'directory', modifiedNs, list };
    }
    const memories = this.#memory?.side(node.key, side);
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
  changed(): Awaitable<SubPath[]> {
    const memory = this.#memory;
    if (memory === undefined || this.#toldVersion === undefined) return [];
    return recover(
      () => after(memory.settle(), () => this.#changedIn(memory)),
      // Where memory cannot be read any may have changed; why it cannot is told to who reads it next.
      () => ['near' as SubPath],
    );
  }

  #changedIn(memory: MemoryGraph): SubPath[] {
    const since = this.#toldVersion ?? 0;
    this.#toldVersion = memory.revision();
    const edges = memory.edgesSince(since);
    if (edges === undefined || this.#looked.size > MAX_LOOKED) return ['near' as SubPath];
    const paths = new Set<string>();
    for (const { source, type, target, sourceName, targetName } of edges) {
      this.#addChange(paths, source, type, targetName);
      this.#addChange(paths, target, `${type}_of`, sourceName);
    }
    for (const key of new Set(edges.flatMap(({ source, target }) => [source, target]))) {
      const looked = this.#looked.get(key);
      if (looked !== undefined) looked.sides = memory.sides(key);
    }
    return Array.from(paths, (path) => path as SubPath);
  }

  /** @param other name at the other end; undefined for a node of the docs, which may have had another */
  #addChange(paths: Set<string>, key: NodeKey, side: string, other: string | undefined): void {
    const looked = this.#looked.get(key);
    if (looked === undefined) return;
    const sides = this.#memory?.sides(key) ?? [];
    const hasTurned = sides.includes(side) !== looked.sides.includes(side);
    for (const name of looked.names) {
      if (other !== undefined) paths.add(`near/${name}/${side}/${other}`);
      if (hasTurned || other === undefined) paths.add(`near/${name}/${side}`);
    }
  }

  /** The first look counts: what it saw may still be shown. */
  #note(name: string, { key }: NodeReference): void {
    if (this.#memory === undefined || this.#looked.size > MAX_LOOKED) return;
    this.#toldVersion ??= this.#memory.revision();
    const looked = this.#looked.get(key);
    if (looked !== undefined) looked.names.add(name);
    else this.#looked.set(key, { names: new Set([name]), sides: this.#memory.sides(key) });
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
    return {
      kind: 'directory',
      modifiedNs,
      list: () => entriesOf('link', memories.names()),
      isPrivate: true,
    };
  }
  const memory = memories.get(name);
  const home = memory?.home === 'docs' ? 'nodes' : 'memory/nodes';
  return memory && linkTo(`../../../${home}/${memory.name}`, modifiedNs, beyond);
}
