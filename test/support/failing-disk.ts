import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Teardown } from './temporary.ts';

/** A disk that fails to read some of what is on it, for this thread alone. */
export interface FailingDisk {
  /** From now on. @param paths real ones, of files and folders; none: all can be read */
  failAt(...paths: readonly string[]): void;
}

export function failingDisk(t: Teardown): FailingDisk {
  const { readSync, readFileSync, readdirSync, readlinkSync } = fs;
  let failing: ReadonlySet<string> = new Set();
  function refuse(call: string, place: unknown): void {
    if (failing.size === 0) return;
    const link = typeof place === 'number' ? `/proc/self/fd/${place}` : String(place);
    const path = link.startsWith('/proc/self/fd/') ? readlinkSync(link) : link;
    if (!failing.has(path)) return;
    const refusal = { code: 'EIO', errno: -5, syscall: call };
    throw Object.assign(new Error(`EIO: i/o error, ${call}`), refusal);
  }
  const failingAs = <T extends (...args: never[]) => unknown>(call: string, read: T): T =>
    new Proxy(read, {
      apply(target, self, args) {
        refuse(call, args[0]);
        return Reflect.apply(target, self, args);
      },
    });
  fs.readSync = failingAs('read', readSync);
  fs.readFileSync = failingAs('read', readFileSync);
  fs.readdirSync = failingAs('scandir', readdirSync);
  syncBuiltinESMExports();
  t.teardown(() => {
    Object.assign(fs, { readSync, readFileSync, readdirSync });
    syncBuiltinESMExports();
  });
  return {
    failAt(...paths) {
      failing = new Set(paths);
    },
  };
}
