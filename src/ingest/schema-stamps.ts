import { hash } from 'node:crypto';
import { type DocsSelection, placeOf } from '../core/docs-selection.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { RuleMatcher } from '../schema/matching.ts';
import type { DocumentRow } from '../store/documents.ts';
import type { Store } from '../store/store.ts';

const matchers = new WeakMap<SchemaRules, Map<string, RuleMatcher>>();
const NO_RULES: SchemaRules = { rules: [] };

/** Finds the rules for documents of a docs root; undefined if there are none. @param rootName empty for the only root */
export function matcherOf({ schema }: DocsSelection, rootName: string): RuleMatcher | undefined {
  if (schema === undefined || schema.rules.length === 0) return undefined;
  const ofSchema = matchers.get(schema) ?? new Map<string, RuleMatcher>();
  matchers.set(schema, ofSchema);
  const known = ofSchema.get(rootName) ?? new RuleMatcher(schema, rootName);
  ofSchema.set(rootName, known);
  return known;
}

/**
 * Returns a test for documents to which other rules of the schema map apply than when they were read. If the index was brought up to date with this very map,
 * no document need be looked at.
 */
export function readOtherwise(store: Store, docs: DocsSelection): (row: DocumentRow) => boolean {
  if ((store.meta('schema') ?? '') === digest(docs)) return () => false;
  const withoutRules = new RuleMatcher(NO_RULES);
  return ({ path, schemaStamp }) => {
    const outline = store.outlines.of(path)?.outline;
    if (outline === undefined) return true;
    const place = placeOf(docs, path);
    const matcher = matcherOf(docs, place?.root.name ?? '') ?? withoutRules;
    return matcher.stampFor(place?.path ?? path, outline) !== schemaStamp;
  };
}

/** Notes that all documents were read with the map. */
export function noteSchema(store: Store, docs: DocsSelection): void {
  const text = JSON.stringify(docs.schema ?? NO_RULES);
  const now = digest(docs);
  if ((store.meta('schema') ?? '') === now && (store.meta('schema_rules') ?? NO_RULES_TEXT) === text) return;
  store.transact(() => {
    store.setMeta('schema', now);
    store.setMeta('schema_rules', text);
  });
}

const NO_RULES_TEXT = JSON.stringify(NO_RULES);

/** The rules by which all documents were last read; undefined if there were none. */
export function lastRules(store: Store): SchemaRules | undefined {
  const text = store.meta('schema_rules');
  const last: SchemaRules = text === undefined ? NO_RULES : JSON.parse(text);
  return last.rules.length === 0 ? undefined : last;
}

function digest({ schema }: DocsSelection): string {
  const rules = schema?.rules ?? [];
  return rules.length === 0 ? '' : hash('sha1', JSON.stringify(rules)).slice(0, 16);
}
