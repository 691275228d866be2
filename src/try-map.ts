import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IndexOptions, updateIndex } from './ingest/indexer.ts';
import { openStore, type Store } from './store/store.ts';

/** Nodes as `label (Type)`, edges as `source type target`. */
interface Changes {
  readonly gained: readonly string[];
  readonly lost: readonly string[];
  readonly changed: readonly string[];
}

export interface MapChange {
  readonly nodes: Changes;
  readonly edges: Changes;
  readonly documents_read: number;
}

/**
 * What bringing the index up to date by other settings would change, found out in a copy of it.
 * @throws UserError where docs or index cannot be used
 */
export async function tryMap(indexFile: string, how: Omit<IndexOptions, 'store'>): Promise<MapChange> {
  const folder = mkdtempSync(join(tmpdir(), 'kgraphfs-schema-'));
  try {
    const copy = join(folder, 'index.sqlite');
    for (const end of ['', '-wal']) {
      if (existsSync(`${indexFile}${end}`)) copyFileSync(`${indexFile}${end}`, `${copy}${end}`);
    }
    const store = openStore(copy);
    try {
      const before = { nodes: nodesOf(store), edges: edgesOf(store) };
      const { added, changed } = await updateIndex({ ...how, store });
      return {
        nodes: compare(before.nodes, nodesOf(store)),
        edges: compare(before.edges, edgesOf(store)),
        documents_read: added + changed,
      };
    } finally {
      store.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Shown {
  readonly name: string;
  readonly content: string;
}

function nodesOf(store: Store): Map<string, Shown> {
  return new Map(
    Array.from(store.nodes.all(), ({ key, type, label, description, properties }) => [
      key,
      { name: `${label} (${type})`, content: JSON.stringify([type, label, description, properties]) },
    ]),
  );
}

function edgesOf(store: Store): Map<string, Shown> {
  return new Map(
    Array.from(store.edges.all(), ({ sourceId, targetId, sourceDisplay, type, targetDisplay, evidence }) => [
      `${sourceId} ${type} ${targetId}`,
      { name: `${sourceDisplay} ${type} ${targetDisplay}`, content: JSON.stringify(evidence) },
    ]),
  );
}

function compare(before: ReadonlyMap<string, Shown>, after: ReadonlyMap<string, Shown>): Changes {
  const gained: string[] = [];
  const changed: string[] = [];
  for (const [key, { name, content }] of after) {
    const was = before.get(key);
    if (was === undefined) gained.push(name);
    else if (was.content !== content) changed.push(was.name === name ? name : `${was.name} -> ${name}`);
  }
  const lost = [...before].flatMap(([key, { name }]) => (after.has(key) ? [] : [name]));
  return { gained: gained.sort(), lost: lost.sort(), changed: changed.sort() };
}
