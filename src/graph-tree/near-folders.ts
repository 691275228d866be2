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

/** If more nodes than this were looked at, all of `near/` is reported. */
const MAX_LOOKED = 20_000;

/** A node of the docs that somebody looked at: the names that were used, and at which sides memory had something about it. */
interface Looked {
  readonly names: Set<string>;
  sides: readonly string[];
}

/**
 * `near/<name>/<edge>/<other>`: links to the neighbours of a node. Incoming edges have the name `<edge>_of`. `near/` itself lists nothing. Besides
 * the folders of the docs there are folders of what memory says about the node, for its owner alone. A name such as `fact/refunds` is a link into
 * `memory/near/`, whether the node exists or not, so that other users cannot find that out.
 */
export class NearFolders {
  readonly #graph: GraphQueries;
  readonly #slow: SlowQuestions;
  readonly #memory: MemoryGraph | undefined;
  readonly #asked: AskedPaths;
  /** Nodes that somebody looked at. The times of folders of memory do not tell of their changes. */
  readonly #looked = new Map<NodeKey, Looked>();
  /** The version of the memory graph up to which everything was reported. */
  #toldVersion: number | undefined;

  constructor({ graph, slow, memory, asked }: NearParts) {
    this.#graph = graph;
    this.#slow = slow;
    this.#memory = memory;
    this.#asked = asked;
  }

  /** A link into memory; undefined if the name is not one of memory. */
  linkToMemory(name: string, modifiedNs: bigint, rest: readonly string[]): Place | undefined {
    if (this.#memory === undefined || !isMemoryName(decodeName(name))) return undefined;
    if (this.#graph.reference(name)?.name === name) return undefined;
    return linkTo(`../memory/near/${name}`, modifiedNs, rest);
  }

  /** What is at `near/<name>` and below, if that name leads to this node. */
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

  /** The paths at which memory shows something else than when somebody looked. */
  changed(): Awaitable<SubPath[]> {
    const memory = this.#memory;
    if (memory === undefined || this.#toldVersion === undefined) return [];
    return recover(
      () => after(memory.settle(), () => this.#changedIn(memory)),
      // If memory cannot be read, anything may have changed. The error is reported to the next reader.
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

  /** @param other the name at the other end; undefined for a node of the docs, which may have had another name */
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

  /** The first look counts: what it has seen may still be cached. */
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

/** `requires` for outgoing edges, and `requires_of` for incoming ones. */
function folderName({ type, direction }: DocsSide): string {
  return direction === 'out' ? type : `${type}_of`;
}

/** What the name of a folder may mean: some types of edges end in `_of` themselves. */
function sidesNamed(name: string): DocsSide[] {
  const incoming = name.replace(/_of$/, '');
  const sides: DocsSide[] = [];
  if (isEdgeType(name)) sides.push({ type: name, direction: 'out' });
  if (incoming !== name && isEdgeType(incoming)) sides.push({ type: incoming, direction: 'in' });
  return sides;
}

/**
 * A folder of what memory says about a node, for its owner alone, or a link in it. It has the time of the node, since others must not see when
 * something was remembered.
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
