import { after } from '../../core/awaitable.ts';
import { PERMISSION_BITS } from '../../core/file-modes.ts';
import { parsePath, type VfsPath } from '../../core/paths.ts';
import { newNode } from '../request-values.ts';
import { isHiddenName } from './hidden-files.ts';
import { inAllNames, NOTHING_BUT_DONE, type Serve, type Served } from './operations.ts';

/** Serves making, moving and removing names, and making that survive a power cut. */
export function serveNameChanges(serve: Serve, serveNames: Serve, served: Served): void {
  const { vfs, view, hidden, invalidateNow } = served;
  serve<'fsyncdir', void>('fsyncdir', {
    ...NOTHING_BUT_DONE,
    run: (context, text) => vfs.syncFolder(parsePath(text), context),
  });
  serveNames<'mkdir', void>('mkdir', {
    ...NOTHING_BUT_DONE,
    run: (context, text, mode) => vfs.makeFolder(parsePath(text), mode & PERMISSION_BITS, context),
  });
  serveNames<'rmdir', void>('rmdir', {
    ...NOTHING_BUT_DONE,
    run: (context, text) => vfs.removeFolder(parsePath(text), context),
  });
  serveNames<'unlink', void>('unlink', {
    ...NOTHING_BUT_DONE,
    run: (context, text) => {
      const path = parsePath(text);
      // At the last close of a hidden file this gives ENOENT, which nobody sees.
      return inAllNames(served, path, vfs.remove(path, context));
    },
  });
  serveNames<'link', void>('link', {
    ...NOTHING_BUT_DONE,
    run: (context, existingText, text) => {
      const existing = parsePath(existingText);
      return after(vfs.link(existing, parsePath(text), context), () => {
        view.link(existing);
        invalidateNow(existing);
      });
    },
  });
  // The target of a link is free text, and not a path of the tree.
  serveNames<'symlink', void>('symlink', {
    ...NOTHING_BUT_DONE,
    run: (context, target, text) => vfs.symlink(target, parsePath(text), context),
  });
  serveNames<'mknod', void>('mknod', {
    ...NOTHING_BUT_DONE,
    run: (context, text, mode, device) => {
      const path = parsePath(text);
      return vfs.makeNode(path, newNode(path, mode, device), context);
    },
  });
  serve<'rename', void>('rename', {
    run(context, fromText, toText) {
      const from = parsePath(fromText);
      const to = parsePath(toText);
      if (isHiddenName(to))
        return after(hidden.before(from), () => inAllNames(served, from, hidden.hide(from, to, context)));
      return after(hidden.before(to, true), () =>
        after(vfs.rename(from, to, context), () => noteMove(served, from, to)),
      );
    },
    ...NOTHING_BUT_DONE,
  });
}

function noteMove({ view, files, invalidateNow }: Served, from: VfsPath, to: VfsPath): void {
  files.move(from, to);
  const wasLinked = view.hasOtherNames(from) || view.hasOtherNames(to);
  view.move(from, to);
  if (wasLinked) invalidateNow(to);
}
