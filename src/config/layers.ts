/** Who said what a setting is. */
export type Origin = 'flag' | 'environment' | 'trusted project config' | 'user config' | 'default';

/** What one of those who may say it says. */
export interface Layer<Fields> {
  readonly origin: Origin;
  readonly fields: Fields;
}

/** Who said each; one that nobody named is the default. */
export type Origins<Fields> = { readonly [Name in keyof Fields]?: Origin };

/** One set of settings of several: of each setting what the last layer says that says anything. */
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
