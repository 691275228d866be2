/** What the environment says about how to print. */
export interface Environment {
  /** `NO_COLOR` is set (https://no-color.org), or the terminal is a dumb one. */
  readonly noColour: boolean;
  /** `KGRAPHFS_DEBUG=1`: a bug is reported with its stack. */
  readonly debug: boolean;
}

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return {
    noColour: (variables['NO_COLOR'] ?? '') !== '' || variables['TERM'] === 'dumb',
    debug: variables['KGRAPHFS_DEBUG'] === '1',
  };
}
