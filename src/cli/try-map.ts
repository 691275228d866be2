import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SchemaRules } from '../core/schema-rules.ts';
import { removeTree } from '../disk/remove.ts';
import { type IndexOptions, updateIndex } from '../ingest/indexer.ts';
import { lastRules } from '../ingest/schema-stamps.ts';
import { copyDatabaseExplained } from '../store/database.ts';
import { INDEX_SCHEMA, openStore, type Store } from '../store/store.ts';

/** Changed nodes as `label (Type)`, changed edges as `source type target`. */
interface Changes {
  readonly gained: readonly string[];
  readonly lost: readonly string[];
  readonly changed: readonly string[];
}

export interface MapChange {
  readonly nodes: Changes;
  readonly edges: Changes;
  readonly documents_read: number;
  /** The revision of the graph that it is compared with. */
  readonly revision: number;
}

/**
 * Finds out what another schema map would change in the graph. It works on a copy of the index, which is first brought up to date with the previous map, so
 * that later edits of the docs do not count as changes.
 * @throws UserError if docs or index cannot be used
 */
export async function tryMap(
  indexFile: string,
  how: Omit<IndexOptions, 'store'>,
  schema: SchemaRules | undefined,
): Promise<MapChange> {
  const folder = mkdtempSync(join(tmpdir(), 'kgraphfs-schema-'));
  try {
    const copy = join(folder, 'index.sqlite');
    if (existsSync(indexFile)) copyDatabaseExplained(indexFile, copy, INDEX_SCHEMA);
    const store = openStore(copy);
    try {
      const update = (rules: SchemaRules | undefined) =>
        updateIndex({ ...how, docs: { ...how.docs, schema: rules }, store });
      await update(lastRules(store));
      const before = { nodes: nodesOf(store), edges: edgesOf(store), revision: store.revision() };
      const { added, changed } = await update(schema);
      return {
        nodes: compare(before.nodes, nodesOf(store)),
        edges: compare(before.edges, edgesOf(store)),
        documents_read: added + changed,
        revision: before.revision,
      };
    } finally {
      store.close();
    }
  } finally {
    removeTree(folder);
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
