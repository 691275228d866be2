import { after } from '../../core/awaitable.ts';
import { PERMISSION_BITS } from '../../core/file-modes.ts';
import { msToNs } from '../../core/node-info.ts';
import { parsePath, type VfsPath } from '../../core/paths.ts';
import type { Awaitable, OpContext } from '../../core/resolver.ts';
import { attributeUseOf, requireUserAttribute } from '../request-values.ts';
import { Version } from '../version.ts';
import { descriptionAt, inAllNames, NOTHING_BUT_DONE, type Serve, type Served } from './operations.ts';
import { modifiedMsOf } from './times-in-thread.ts';
import { wideNumber } from './wide-numbers.ts';

/** `(uid_t) -1` in chown(2): the owner or the group stays as it is. */
const UNCHANGED = 0xff_ff_ff_ff;

/** Serves changes of attributes, of the length and of extended attributes. */
export function serveAttributeChanges(serveNames: Serve, served: Served): void {
  const { view, files } = served;
  serveNames<'truncate', void>('truncate', {
    ...NOTHING_BUT_DONE,
    run: (context, text, low, high) => {
      const path = parsePath(text);
      const sizeBytes = wideNumber(low, high);
      // libfuse sends O_TRUNC as a truncate after the open, without its handle.
      const justOpened = sizeBytes === 0 ? files.lastWriterAt(path) : undefined;
      const cut = justOpened?.empty ? justOpened.empty() : cutAt(served, path, sizeBytes, context);
      const truncated = after(cut, () => {
        files.resized(path, sizeBytes);
        view.tell(path, sizeBytes, view.generation);
      });
      return inAllNames(served, path, truncated);
    },
  });
  serveNames<'chmod', void>('chmod', {
    ...NOTHING_BUT_DONE,
    run: (context, text, mode) => {
      const path = parsePath(text);
      return inAllNames(
        served,
        path,
        descriptionAt(served, path).changeMode(mode & PERMISSION_BITS, context),
      );
    },
  });
  serveNames<'chown', void>('chown', {
    ...NOTHING_BUT_DONE,
    run: (context, text, user, group) => {
      const path = parsePath(text);
      const owner = { ...(user === UNCHANGED ? {} : { user }), ...(group === UNCHANGED ? {} : { group }) };
      return inAllNames(served, path, descriptionAt(served, path).changeOwner(owner, context));
    },
  });
  serveNames<'utimens', void>('utimens', {
    run(context, text, accessedLow, accessedHigh) {
      const path = parsePath(text);
      // The time is negative before 1970.
      const accessedMs = wideNumber(accessedLow, accessedHigh | 0);
      const modifiedMs = modifiedMsOf(context, accessedMs);
      const times = {
        accessedNs: msToNs(accessedMs),
        modifiedNs: msToNs(modifiedMs),
      };
      return inAllNames(served, path, descriptionAt(served, path).changeTimes(times, context));
    },
    ...NOTHING_BUT_DONE,
  });
  serveNames<'setxattr', void>('setxattr', {
    run(context, text, name, value, _position, flags) {
      const path = parsePath(text);
      requireUserAttribute(path, name);
      // The bytes are copied, since they belong to libfuse, which reuses them after the answer.
      return descriptionAt(served, path).setAttribute(
        name,
        Uint8Array.from(value),
        attributeUseOf(flags),
        context,
      );
    },
    encode: (_, _path, _name, value) => [0, value.buffer],
    blank: (_path, _name, value) => [value.buffer],
  });
  serveNames<'removexattr', void>('removexattr', {
    ...NOTHING_BUT_DONE,
    run: (context, text, name) => {
      const path = parsePath(text);
      requireUserAttribute(path, name);
      return descriptionAt(served, path).removeAttribute(name, context);
    },
  });
}

/** Truncates the open file that has the path as its hidden name, else what the tree has there. */
function cutAt(
  { vfs, hidden }: Served,
  path: VfsPath,
  sizeBytes: number,
  context: OpContext,
): Awaitable<void> {
  const again = hidden.openAgain(path, { append: false });
  if (again === undefined) return vfs.truncate(path, sizeBytes, context);
  const version = new Version(again);
  try {
    return version.during(() => again.truncate(sizeBytes, context));
  } finally {
    version.retire();
  }
}
