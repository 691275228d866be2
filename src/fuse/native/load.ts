import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { EXIT, reasonOf, UserError } from '../../core/errors.ts';
import { type Binding, type Handlers, OPERATIONS, type Operation, type Signals } from './binding.ts';

/** The codes `op_…` in fuse-native.c are below this. */
const CODE_COUNT = 35;

/** Loads the compiled library into the process. A test brings its own loader. */
export interface Loader {
  /** @throws Error as `require` of a `.node` file does */
  loadAddon(): unknown;
  /** Loads the libfuse that comes with the packages of fuse-native. */
  preloadLibrary(): void;
}

/** From glibc's dlfcn.h. Node has no name for it. */
const RTLD_NODELETE = 0x1000;

let loaded: Binding | undefined;

/**
 * Returns the compiled half of fuse-native, which is loaded at the first call. It needs the system's libfuse.so.2. If there is none, the bundled one (which
 * gets no security updates) is loaded first, and the linker then finds it by its soname.
 * @throws UserError if neither can be loaded
 */
export function loadBinding(loader: Loader = packageLoader()): Binding {
  loaded ??= adapt(loadAddon(loader));
  return loaded;
}

function loadAddon(loader: Loader): unknown {
  try {
    return loader.loadAddon();
  } catch (error) {
    if (!/libfuse/.test(reasonOf(error))) throw cannotLoad(error);
  }
  loader.preloadLibrary();
  try {
    return loader.loadAddon();
  } catch (error) {
    throw cannotLoad(error);
  }
}

function cannotLoad(cause: unknown): UserError {
  const help = 'install libfuse 2 (apt-get install libfuse2, on newer systems libfuse2t64)';
  return new UserError(`fuse-native cannot be loaded: ${reasonOf(cause)}; ${help}`, EXIT.cannotMount, {
    cause,
  });
}

/**
 * Loads the package that is installed here.
 * @param require finds the package; a test brings one that does not
 * @throws UserError if the package is not installed
 */
export function packageLoader(require = createRequire(import.meta.url)): Loader {
  const folder = packageFolder(require);
  const requireThere = createRequire(join(folder, 'package.json'));
  return {
    loadAddon() {
      const find: unknown = requireThere('node-gyp-build');
      if (typeof find !== 'function') throw new Error('node-gyp-build is not what it was');
      return find(folder);
    },
    preloadLibrary() {
      const library = join(
        dirname(requireThere.resolve('fuse-shared-library-linux/package.json')),
        'libfuse/lib/libfuse.so',
      );
      const { RTLD_NOW, RTLD_GLOBAL } = constants.dlopen;
      try {
        process.dlopen({ exports: {} }, library, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
      } catch {
        // This always throws, as the library is no addon of Node. RTLD_NODELETE keeps it loaded.
      }
    },
  };
}

function packageFolder(require: NodeJS.Require): string {
  try {
    return dirname(require.resolve('fuse-native/package.json'));
  } catch (cause) {
    const help = 'run "npm install" again in the folder of kgraphfs, or mount with --driver linux';
    throw new UserError(`fuse-native is not installed; ${help}`, EXIT.cannotMount, { cause });
  }
}

type AddonFunction = (...args: unknown[]) => unknown;

/** @throws UserError if the addon is of another version than the one that this is written for */
function adapt(addon: unknown): Binding {
  const members = new Map(Object.entries(typeof addon === 'object' && addon !== null ? addon : {}));
  const mount = functionOf(members, 'fuse_native_mount');
  const unmount = functionOf(members, 'fuse_native_unmount');
  const codes = codesOf(members);
  return {
    mountBytes: numberOf(members, 'sizeof_fuse_thread_t'),
    signals: signalsOf(members),
    mount(point, options, memory, allocate, handlers) {
      mount(point, options, memory, {}, allocate, ...tablesOf(handlers, codes));
    },
    forget(point, memory) {
      unmount(point, memory);
    },
  };
}

/** Two tables by operation code: the handlers, and a 1 for each operation with a handler. */
function tablesOf(handlers: Handlers, codes: Readonly<Record<Operation, number>>): [unknown[], Uint32Array] {
  const byCode: unknown[] = Array.from({ length: CODE_COUNT }, () => () => {});
  const implemented = new Uint32Array(CODE_COUNT);
  for (const [operation, handler] of handlers) {
    byCode[codes[operation]] = handler;
    implemented[codes[operation]] = 1;
  }
  return [byCode, implemented];
}

function codesOf(members: ReadonlyMap<string, unknown>): Record<Operation, number> {
  const codes: Partial<Record<Operation, number>> = {};
  for (const operation of OPERATIONS) codes[operation] = numberOf(members, `op_${operation}`);
  if (!isComplete(codes)) throw wrongVersion('op_');
  return codes;
}

function signalsOf(members: ReadonlyMap<string, unknown>): Signals {
  const signals: Partial<Record<Operation, AddonFunction>> = {};
  for (const operation of OPERATIONS) {
    signals[operation] = functionOf(members, `fuse_native_signal_${operation}`);
  }
  if (!isComplete(signals)) throw wrongVersion('fuse_native_signal_');
  return signals;
}

function isComplete<T>(table: Partial<Record<Operation, T>>): table is Record<Operation, T> {
  return OPERATIONS.every((operation) => table[operation] !== undefined);
}

function functionOf(members: ReadonlyMap<string, unknown>, name: string): AddonFunction {
  const member = members.get(name);
  if (!isFunction(member)) throw wrongVersion(name);
  return member;
}

function isFunction(value: unknown): value is AddonFunction {
  return typeof value === 'function';
}

function numberOf(members: ReadonlyMap<string, unknown>, name: string): number {
  const member = members.get(name);
  if (typeof member !== 'number') throw wrongVersion(name);
  return member;
}

function wrongVersion(name: string): UserError {
  return new UserError(`fuse-native has no ${name}: it is not version 2.2.6`, EXIT.cannotMount);
}
