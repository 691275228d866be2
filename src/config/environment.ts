/** What the environment says about printing, about who acts, and about the editor. */
export interface Environment {
  /** Whether `NO_COLOR` is set (https://no-color.org), or the terminal is a dumb one. */
  readonly noColour: boolean;
  /** `KGRAPHFS_DEBUG=1`: bugs are reported with their stack. */
  readonly debug: boolean;
  /** `KGRAPHFS_ACTOR`: the name under which things are done. */
  readonly actor: string | undefined;
  /** `KGRAPHFS_SESSION`: the session in which things are done. */
  readonly session: string | undefined;
  /** `VISUAL`, else `EDITOR`: a shell command to which a file name is added. */
  readonly editor: string | undefined;
  /** The whole environment, for the parts of `src/config` that read more of it. */
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

/**
 * Threads of libuv's pool: two always wait, for requests and for changes of the docs, and up to three for disks that do not answer
 * (`system/found-place.ts`).
 */
const POOL_THREADS = 8;
/** The number of threads that libuv has by default. */
const USUAL_POOL_THREADS = 4;
/** How many arenas malloc uses. Memory that is free in one is of no use to a thread that uses another. */
const MALLOC_ARENAS = '2';

/**
 * The environment in which a daemon is started: that of this process, with variables that Node and the C library read when they start. The user may
 * ask for more threads, but not for fewer.
 */
export function daemonEnvironment(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const UV_THREADPOOL_SIZE = String(Math.max(POOL_THREADS, poolThreads(variables)));
  return { MALLOC_ARENA_MAX: MALLOC_ARENAS, ...variables, UV_THREADPOOL_SIZE };
}

/** The number of threads in libuv's pool of this process. */
export function poolThreads(variables: NodeJS.ProcessEnv = process.env): number {
  return Number.parseInt(variables['UV_THREADPOOL_SIZE'] ?? '', 10) || USUAL_POOL_THREADS;
}

/** The whole environment, for a program that is started and reads its own part of it. */
export function wholeEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env };
}
