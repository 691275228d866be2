import type { Origin, Origins } from '../../config/layers.ts';

/** Where a setting was made. `config file` means that of the project, which is followed in this setting without being trusted. */
export type SettingOrigin = Origin | 'config file';

/** A setting in force, and where it was made. */
export interface Setting<Value> {
  readonly value: Value;
  readonly from: SettingOrigin;
}

/** Settings under the names that JSON shows, each with where it was made. */
export function settingOf<Fields, Name extends keyof Fields>(
  fields: Fields,
  origins: Origins<Fields>,
  name: Name,
): Setting<Fields[Name]> {
  return { value: fields[name], from: origins[name] ?? 'default' };
}
