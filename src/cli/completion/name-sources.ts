/** What a command knows the names of, for a shell that completes one. */
export type NameSource = 'nodes' | 'memories' | 'sessions';

/** Not for people: `kgraphfs __names nodes Inv --docs docs` prints names that begin so, one a line. */
export const NAMES_VERB = '__names';
