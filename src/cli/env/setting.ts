import type { Origin, Origins } from '../../config/layers.ts';

/** Who said what a setting is. `config file`: the project's, which is followed in this without being trusted. */
export type SettingOrigin = Origin | 'config file';

/** A setting in force, and who said it. */
export interface Setting<Value> {
  readonly value: Value;
  readonly from: SettingOrigin;
}

/** Settings by the names that JSON shows, with who said each. */
export function settingOf<Fields, Name extends keyof Fields>(
  fields: Fields,
  origins: Origins<Fields>,
  name: Name,
): Setting<Fields[Name]> {
  return { value: fields[name], from: origins[name] ?? 'default' };
}
