/** Kinds of names that a command can list for completion in a shell. */
export type NameSource = 'nodes' | 'memories' | 'sessions';

/** A verb for completion scripts only: `kgraphfs __names nodes Inv --docs docs` prints names that begin with `Inv`, one on each line. */
export const NAMES_VERB = '__names';
