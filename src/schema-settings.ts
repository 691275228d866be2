import type { Settings } from './config/settings.ts';
import { loadSchemaMap } from './schema/load-map.ts';

/** Settings by which the docs are read under the project's schema map. @throws UserError where the map is wrong */
export function withSchema(settings: Settings): Settings {
  if (settings.schemaMap === undefined) return settings;
  const schema = loadSchemaMap(settings.schemaMap);
  return { ...settings, selection: { ...settings.selection, schema } };
}
