/** The compiled half of fuse-native 2.2.6 (fuse-native.c) with types. The package's JavaScript half is not used. */

/** The arguments of libfuse's requests, after the thread and the operation code. Numbers over 32 bits come as a low and a high half. */
export interface Requests {
  init: [];
  statfs: [path: string];
  getattr: [path: string];
  readdir: [path: string];
  readlink: [path: string];
  open: [path: string, flags: number];
  read: [path: string, handle: number, target: Buffer, sizeBytes: number, low: number, high: number];
  flush: [path: string, handle: number];
  fsync: [path: string, dataOnly: number, handle: number];
  fsyncdir: [path: string, dataOnly: number, handle: number];
  release: [path: string, handle: number];
  getxattr: [path: string, name: string, target: Buffer, position: number];
  listxattr: [path: string, target: Buffer];
  create: [path: string, mode: number];
  write: [path: string, handle: number, bytes: Buffer, sizeBytes: number, low: number, high: number];
  truncate: [path: string, low: number, high: number];
  ftruncate: [path: string, handle: number, low: number, high: number];
  mkdir: [path: string, mode: number];
  rmdir: [path: string];
  unlink: [path: string];
  rename: [from: string, to: string];
  link: [existing: string, path: string];
  symlink: [target: string, path: string];
  mknod: [path: string, mode: number, device: number];
  chmod: [path: string, mode: number];
  chown: [path: string, user: number, group: number];
  /** Milliseconds since 1970. The time of access comes again in place of the time of change, see `TimesInThread`. */
  utimens: [path: string, accessedLow: number, accessedHigh: number, ...again: number[]];
  setxattr: [path: string, name: string, value: Buffer, position: number, flags: number];
  removexattr: [path: string, name: string];
}

export type Operation = keyof Requests;

/**
 * What goes with a result. All of it must be there, whatever the result. A missing or wrongly typed argument throws before the calling thread is woken, which
 * then hangs for good; a buffer that cannot be detached stops the process.
 */
export interface Replies {
  init: [];
  statfs: [figures: Uint32Array];
  getattr: [attributes: Uint32Array];
  readdir: [names: readonly string[], attributes: readonly Uint32Array[]];
  readlink: [target: string];
  open: [handle: number];
  read: [unused: number, target: ArrayBufferLike];
  flush: [];
  fsync: [];
  fsyncdir: [];
  release: [];
  getxattr: [target: ArrayBufferLike];
  listxattr: [target: ArrayBufferLike];
  create: [handle: number];
  write: [unused: number, bytes: ArrayBufferLike];
  truncate: [];
  ftruncate: [];
  mkdir: [];
  rmdir: [];
  unlink: [];
  rename: [];
  link: [];
  symlink: [];
  mknod: [];
  chmod: [];
  chown: [];
  utimens: [];
  setxattr: [value: ArrayBufferLike];
  removexattr: [];
}

export const OPERATIONS = [
  'init',
  'statfs',
  'getattr',
  'readdir',
  'readlink',
  'open',
  'read',
  'flush',
  'fsync',
  'fsyncdir',
  'release',
  'getxattr',
  'listxattr',
  'create',
  'write',
  'truncate',
  'ftruncate',
  'mkdir',
  'rmdir',
  'unlink',
  'rename',
  'link',
  'symlink',
  'mknod',
  'chmod',
  'chown',
  'utimens',
  'setxattr',
  'removexattr',
] as const satisfies readonly Operation[];

/** The memory that stands for one thread of libfuse. It is opaque here. */
export type Thread = object;

/**
 * Wakes the thread with a result (0 or a count; an errno as a negative number) and what goes with it. It must be called exactly once for each request: a second
 * call would answer the thread's next request.
 */
export type Signal<K extends Operation> = (thread: Thread, result: number, ...reply: Replies[K]) => void;
export type Signals = { readonly [K in Operation]: Signal<K> };

/** A function that libfuse calls with the thread, the operation code and the request. */
export type NativeHandler<K extends Operation> = (
  thread: Thread,
  code: number,
  ...request: Requests[K]
) => void;
/** A {@link NativeHandler} for each operation that is served. For the others, the kernel gets ENOSYS. */
export type Handlers = ReadonlyMap<Operation, unknown>;

export interface Binding {
  /** The size of the structure behind a mount. It must stay referenced until the process ends. */
  readonly mountBytes: number;
  readonly signals: Signals;
  /**
   * Mounts and starts libfuse's threads; blocks until mount(2) is done.
   * @param allocate called for each new thread. Its result must stay referenced, too
   * @throws Error without a reason; libfuse or fusermount writes the reason to standard error
   */
  mount(
    point: string,
    options: string,
    memory: Buffer,
    allocate: (sizeBytes: number) => Buffer,
    handlers: Handlers,
  ): void;
  /** Lets the event loop end once the mount is gone. */
  forget(point: string, memory: Buffer): void;
}
