import { setTimeout as delay } from 'node:timers/promises';
import type { WritableFile } from '../../src/core/changes.ts';
import { partsOf, type VfsPath } from '../../src/core/paths.ts';
import type { Awaitable } from '../../src/core/resolver.ts';
import type { Vfs } from '../../src/vfs/vfs.ts';

/** How long what is late takes. */
export const LATE_MS = 1500;

/**
 * A tree whose changes succeed late, after more than they may take, by the last name of the path: of one that begins with `create` the making, with
 * `change` what SETATTR does, with `write` the writes.
 */
export function lateChanges(tree: Vfs): Vfs {
  return over<Vfs>(tree, {
    create: (path, ...rest) => late('create', path, () => tree.create(path, ...rest)),
    truncate: (path, ...rest) => late('change', path, () => tree.truncate(path, ...rest)),
    changeMode: (path, ...rest) => late('change', path, () => tree.changeMode(path, ...rest)),
    async openToWrite(path, ...rest) {
      const file = await tree.openToWrite(path, ...rest);
      return over<WritableFile>(file, {
        truncate: (...cut) => late('change', path, () => file.truncate(...cut)),
        write(bytes, ...place) {
          const kept = Uint8Array.from(bytes);
          return late('write', path, () => file.write(kept, ...place));
        },
      });
    },
  });
}

function late<T>(operation: string, path: VfsPath, action: () => Awaitable<T>): Awaitable<T> {
  const name = partsOf(path).at(-1) ?? '';
  return name.startsWith(operation) ? delay(LATE_MS).then(action) : action();
}

/** An object, with some of its methods replaced. */
function over<T extends object>(original: T, methods: Partial<T>): T {
  return new Proxy(original, {
    get(target, key) {
      const value: unknown = Reflect.get(key in methods ? methods : target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
