/** What the environment says about how to print, who acts, and with what a person edits. */
export interface Environment {
  /** `NO_COLOR` is set (https://no-color.org), or the terminal is a dumb one. */
  readonly noColour: boolean;
  /** `KGRAPHFS_DEBUG=1`: a bug is reported with its stack. */
  readonly debug: boolean;
  /** `KGRAPHFS_ACTOR`: in whose name things are done. */
  readonly actor: string | undefined;
  /** `KGRAPHFS_SESSION`: the session that things done belong to. */
  readonly session: string | undefined;
  /** `VISUAL`, else `EDITOR`: a command for the shell, to be followed by a file. */
  readonly editor: string | undefined;
  /** All that this was read from, for the parts of `src/config` that read more. */
  readonly variables: NodeJS.ProcessEnv;
}

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const text = (name: string) => variables[name] || undefined;
  return {
    noColour: text('NO_COLOR') !== undefined || variables['TERM'] === 'dumb',
    debug: variables['KGRAPHFS_DEBUG'] === '1',
    actor: text('KGRAPHFS_ACTOR'),
    session: text('KGRAPHFS_SESSION'),
    editor: text('VISUAL') ?? text('EDITOR'),
    variables,
  };
}

/** Threads of libuv's pool: two always wait, for requests and for changes of the docs, and up to three for disks that do not answer (`system/found-place.ts`). */
const POOL_THREADS = 8;
/** As libuv has it where nobody says how many. */
const USUAL_POOL_THREADS = 4;
/** Parts of the C library's memory, of which each thread takes one: what is free in one is of no use to another. */
const MALLOC_ARENAS = '2';

/** The environment that a daemon is started with: that of this process, with what Node and the C library read when they begin. More threads may be asked for, and no fewer. */
export function daemonEnvironment(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const UV_THREADPOOL_SIZE = String(Math.max(POOL_THREADS, poolThreads(variables)));
  return { MALLOC_ARENA_MAX: MALLOC_ARENAS, ...variables, UV_THREADPOOL_SIZE };
}

/** How many threads libuv's pool has in this process. */
export function poolThreads(variables: NodeJS.ProcessEnv = process.env): number {
  return Number.parseInt(variables['UV_THREADPOOL_SIZE'] ?? '', 10) || USUAL_POOL_THREADS;
}

/** The whole environment, for a program that is run and reads its own part of it. */
export function wholeEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env };
}
