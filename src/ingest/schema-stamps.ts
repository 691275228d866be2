import { hash } from 'node:crypto';
import { type DocsSelection, placeOf } from '../core/docs-selection.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { RuleMatcher } from '../schema/matching.ts';
import type { DocumentRow } from '../store/documents.ts';
import type { Store } from '../store/store.ts';

const matchers = new WeakMap<SchemaRules, RuleMatcher>();
const NO_RULES: SchemaRules = { rules: [] };

/** What finds the rules for documents of these docs; undefined where there are none. */
export function matcherOf({ schema }: DocsSelection): RuleMatcher | undefined {
  if (schema === undefined || schema.rules.length === 0) return undefined;
  const known = matchers.get(schema);
  if (known !== undefined) return known;
  const matcher = new RuleMatcher(schema);
  matchers.set(schema, matcher);
  return matcher;
}

/**
 * Finds the documents about which the schema map says something else than the one under which they were read, or no longer the same. Where the
 * index was brought up to date with this very map, no document need be looked at.
 */
export function readOtherwise(store: Store, docs: DocsSelection): (row: DocumentRow) => boolean {
  if ((store.meta('schema') ?? '') === digest(docs)) return () => false;
  const matcher = matcherOf(docs) ?? new RuleMatcher(NO_RULES);
  return ({ path, schemaStamp }) => {
    const outline = store.outlines.of(path)?.outline;
    if (outline === undefined) return true;
    return matcher.stampFor(placeOf(docs, path)?.path ?? path, outline) !== schemaStamp;
  };
}

/** Notes that all documents were read under the map. */
export function noteSchema(store: Store, docs: DocsSelection): void {
  const now = digest(docs);
  if ((store.meta('schema') ?? '') !== now) store.transact(() => store.setMeta('schema', now));
}

function digest({ schema }: DocsSelection): string {
  const rules = schema?.rules ?? [];
  return rules.length === 0 ? '' : hash('sha1', JSON.stringify(rules)).slice(0, 16);
}
