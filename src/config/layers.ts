/** Where the value of a setting comes from. */
export type Origin = 'flag' | 'environment' | 'trusted project config' | 'user config' | 'default';

/** The settings that one origin gives. */
export interface Layer<Fields> {
  readonly origin: Origin;
  readonly fields: Fields;
}

/** The origin of each setting. One that is absent has its default. */
export type Origins<Fields> = { readonly [Name in keyof Fields]?: Origin };

/** Combines several sets of settings: each setting has the value of the last layer that gives one. */
export function layered<Fields extends object>(
  layers: readonly Layer<Fields>[],
): { readonly fields: Partial<Fields>; readonly origins: Origins<Fields> } {
  let fields: Partial<Fields> = {};
  let origins: Origins<Fields> = {};
  for (const layer of layers) {
    const said = Object.entries(layer.fields).filter(([, value]) => value !== undefined);
    fields = { ...fields, ...Object.fromEntries(said) };
    origins = { ...origins, ...Object.fromEntries(said.map(([name]) => [name, layer.origin])) };
  }
  return { fields, origins };
}
