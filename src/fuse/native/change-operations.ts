import { after } from '../../core/awaitable.ts';
import { parsePath, type VfsPath } from '../../core/paths.ts';
import type { Awaitable } from '../../core/resolver.ts';
import { PERMISSION_BITS } from '../mode-bits.ts';
import { attributeUseOf, newNode, requireUserAttribute } from '../request-values.ts';
import { type HiddenFiles, isHiddenName } from './hidden-files.ts';
import type { OpenFiles } from './open-files.ts';
import type { Serve, Served } from './operations.ts';
import { modifiedMsOf } from './times-in-thread.ts';

const TWO_TO_32 = 2 ** 32;
const NS_PER_MS = 1_000_000n;
/** `(uid_t) -1` of chown(2): stays as it is. */
const UNCHANGED = 0xff_ff_ff_ff;

/** For operations that answer nothing but that they are done. */
const DONE = { encode: (): [number] => [0], blank: (): [] => [] };

/** Changes of names and attributes. */
export function serveChanges(
  serve: Serve,
  serveNames: Serve,
  { vfs, view, forgetNow }: Served,
  files: OpenFiles,
  hidden: HiddenFiles,
): void {
  /** Other names of a file know nothing of a change made by this one. */
  function inAllNames(path: VfsPath, changed: Awaitable<void>): Awaitable<void> {
    if (!view.hasOtherNames(path)) return changed;
    return after(changed, () => forgetNow(path));
  }

  serveNames<'truncate', void>('truncate', {
    ...DONE,
    run: (context, text, low, high) => {
      const path = parsePath(text);
      const sizeBytes = low + high * TWO_TO_32;
      // O_TRUNC, which libfuse sends behind the opening, and without its handle.
      const justOpened = sizeBytes === 0 ? files.lastWriterAt(path) : undefined;
      const cut = justOpened?.empty ? justOpened.empty() : vfs.truncate(path, sizeBytes, context);
      const truncated = after(cut, () => view.tell(path, sizeBytes, view.generation));
      return inAllNames(path, truncated);
    },
  });
  serve<'fsyncdir', void>('fsyncdir', {
    ...DONE,
    run: (context, text) => vfs.syncFolder(parsePath(text), context),
  });
  serveNames<'mkdir', void>('mkdir', {
    ...DONE,
    run: (context, text, mode) => vfs.makeFolder(parsePath(text), mode & PERMISSION_BITS, context),
  });
  serveNames<'rmdir', void>('rmdir', {
    ...DONE,
    run: (context, text) => vfs.removeFolder(parsePath(text), context),
  });
  serveNames<'unlink', void>('unlink', {
    ...DONE,
    run: (context, text) => {
      const path = parsePath(text);
      // At the last close of a file that is gone already this is ENOENT, and nobody is told.
      return inAllNames(path, vfs.remove(path, context));
    },
  });
  serveNames<'link', void>('link', {
    ...DONE,
    run: (context, existingText, text) => {
      const existing = parsePath(existingText);
      return after(vfs.link(existing, parsePath(text), context), () => {
        view.link(existing);
        forgetNow(existing);
      });
    },
  });
  // The target of a link is free text.
  serveNames<'symlink', void>('symlink', {
    ...DONE,
    run: (context, target, text) => vfs.symlink(target, parsePath(text), context),
  });
  serveNames<'mknod', void>('mknod', {
    ...DONE,
    run: (context, text, mode, device) => {
      const path = parsePath(text);
      return vfs.makeNode(path, newNode(path, mode, device), context);
    },
  });
  serveNames<'chmod', void>('chmod', {
    ...DONE,
    run: (context, text, mode) => {
      const path = parsePath(text);
      return inAllNames(path, vfs.changeMode(path, mode & PERMISSION_BITS, context));
    },
  });
  serveNames<'chown', void>('chown', {
    ...DONE,
    run: (context, text, user, group) => {
      const path = parsePath(text);
      const owner = { ...(user === UNCHANGED ? {} : { user }), ...(group === UNCHANGED ? {} : { group }) };
      return inAllNames(path, vfs.changeOwner(path, owner, context));
    },
  });
  serveNames<'removexattr', void>('removexattr', {
    ...DONE,
    run: (context, text, name) => {
      const path = parsePath(text);
      requireUserAttribute(path, name);
      return vfs.removeAttribute(path, name, context);
    },
  });
  serve<'rename', void>('rename', {
    run(context, fromText, toText) {
      const from = parsePath(fromText);
      const to = parsePath(toText);
      if (isHiddenName(to))
        return after(hidden.settle(), () => inAllNames(from, hidden.hide(from, to, context)));
      return after(hidden.settle(to), () =>
        after(vfs.rename(from, to, context), () => {
          files.move(from, to);
          const wasLinked = view.hasOtherNames(from) || view.hasOtherNames(to);
          view.move(from, to);
          if (wasLinked) forgetNow(to);
        }),
      );
    },
    ...DONE,
  });
  serveNames<'utimens', void>('utimens', {
    run(context, text, accessedLow, accessedHigh) {
      const path = parsePath(text);
      const accessedMs = accessedLow + accessedHigh * TWO_TO_32;
      const modifiedMs = modifiedMsOf(context, accessedMs);
      const times = {
        accessedNs: BigInt(accessedMs) * NS_PER_MS,
        modifiedNs: BigInt(modifiedMs) * NS_PER_MS,
      };
      return inAllNames(path, vfs.changeTimes(path, times, context));
    },
    ...DONE,
  });
  serveNames<'setxattr', void>('setxattr', {
    run(context, text, name, value, _position, flags) {
      const path = parsePath(text);
      requireUserAttribute(path, name);
      // The bytes are libfuse's and gone with the answer.
      return vfs.setAttribute(path, name, Uint8Array.from(value), attributeUseOf(flags), context);
    },
    encode: (_, _path, _name, value) => [0, value.buffer],
    blank: (_path, _name, value) => [value.buffer],
  });
}
