import { createRequire } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { loadBinding, packageLoader } from '../../../src/fuse/native/load.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const missing = () => new Error('libfuse.so.2: cannot open shared object file: No such file or directory');

t.test('where neither libfuse can be loaded, the message says what to install', async (t) => {
  let preloads = 0;
  const loader = {
    loadAddon: () => {
      throw missing();
    },
    preloadLibrary: () => {
      preloads += 1;
    },
  };
  t.throws(() => loadBinding(loader), {
    name: 'UserError',
    exitStatus: 3,
    message: /libfuse\.so\.2.*libfuse2t64/,
  });
  t.equal(preloads, 1);
});

t.test('where the package is not installed, the message names two ways out', async (t) => {
  const require = createRequire(join(temporaryFolder(t), 'program.js'));
  t.throws(() => packageLoader(require), {
    name: 'UserError',
    exitStatus: 3,
    message: /^fuse-native is not installed; run "npm install" again .*--driver linux$/,
  });
});

t.test('another failure is not mistaken for a missing libfuse', async (t) => {
  const loader = {
    loadAddon: () => {
      throw new Error('No native build was found for platform=plan9');
    },
    preloadLibrary: () => t.fail('the bundled library is of no use'),
  };
  t.throws(() => loadBinding(loader), { name: 'UserError', message: /plan9/ });
});

t.test('an addon that is not the expected one is refused', async (t) => {
  const loader = { loadAddon: () => ({ fuse_native_mount() {} }), preloadLibrary() {} };
  t.throws(() => loadBinding(loader), { name: 'UserError', message: /fuse_native_unmount.*2\.2\.6/ });
});

t.test('where the system has no libfuse, the bundled one is loaded first', async (t) => {
  let isPreloaded = false;
  const loader = {
    loadAddon: () => {
      if (!isPreloaded) throw missing();
      return addon();
    },
    preloadLibrary: () => {
      isPreloaded = true;
    },
  };
  t.equal(loadBinding(loader).mountBytes, 1);
});

/** Everything that is looked for. */
function addon(): object {
  return Object.fromEntries(
    ADDON_NAMES.map((name) => [name, name.startsWith('op_') || name.startsWith('sizeof_') ? 1 : () => {}]),
  );
}

const OPERATION_NAMES = (
  'init statfs getattr readdir readlink open read flush fsync fsyncdir release getxattr listxattr create write truncate ftruncate ' +
  'mkdir rmdir unlink rename link symlink mknod chmod chown utimens setxattr removexattr'
).split(' ');
const ADDON_NAMES = [
  'sizeof_fuse_thread_t',
  'fuse_native_mount',
  'fuse_native_unmount',
  ...OPERATION_NAMES.flatMap((name) => [`op_${name}`, `fuse_native_signal_${name}`]),
];
