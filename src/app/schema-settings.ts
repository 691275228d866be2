import { existsSync } from 'node:fs';
import type { Settings } from '../config/settings.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { lastRules } from '../ingest/schema-stamps.ts';
import { loadSchemaMap } from '../schema/load-map.ts';
import { SchemaMapError } from '../schema/map-error.ts';
import { liveDaemons } from '../state/daemons.ts';
import { stateFolderAt } from '../state/state-folder.ts';
import { openStore } from '../store/store.ts';

export interface BrokenMap {
  /** Whether a broken map always leaves the one with which the docs were last read in force. Default: only if a daemon runs, which does the same. */
  readonly keepsLast?: boolean;
  /** Is told what is wrong if the map is broken and another one is used. */
  readonly onBroken?: (reason: string) => void;
}

/** The settings with which the docs are read under the project's schema map. @throws SchemaMapError if the map is wrong */
export function withSchema(settings: Settings, { keepsLast = false, onBroken }: BrokenMap = {}): Settings {
  if (settings.schemaMap === undefined) return settings;
  try {
    return withRules(settings, loadSchemaMap(settings.schemaMap));
  } catch (error) {
    if (!(error instanceof SchemaMapError)) throw error;
    const { indexFile, ...state } = stateFolderAt(settings.state);
    if (!keepsLast && liveDaemons({ indexFile, ...state }).length === 0) throw error;
    onBroken?.(error.message);
    return withRules(settings, lastRulesIn(indexFile));
  }
}

function withRules(settings: Settings, schema: SchemaRules | undefined): Settings {
  return { ...settings, selection: { ...settings.selection, schema } };
}

function lastRulesIn(indexFile: string): SchemaRules | undefined {
  if (!existsSync(indexFile)) return undefined;
  const store = openStore(indexFile, { readOnly: true });
  try {
    return lastRules(store);
  } finally {
    store.close();
  }
}
