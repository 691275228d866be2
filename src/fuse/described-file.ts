import type { DescribableFile } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import { isWritable } from '../core/open-file.ts';
import type { Awaitable, OpenFile } from '../core/resolver.ts';

/** What may be changed beside the bytes. */
export type Description = Required<
  Pick<
    DescribableFile,
    'changeMode' | 'changeOwner' | 'changeTimes' | 'attributes' | 'setAttribute' | 'removeAttribute'
  >
>;

/** An open file that stays open until what is done with it has ended. */
interface Held {
  readonly file: OpenFile;
  during<T>(use: () => Awaitable<T>): Awaitable<T>;
}

export function isDescribable(file: OpenFile): file is DescribableFile {
  return 'changeMode' in file || isWritable(file);
}

/**
 * The description of an open file, for when its name is gone. What the file does not offer is ENOTSUP.
 * @returns undefined for a document, and a text that was generated
 */
export function descriptionOf(opened: Held | undefined): Description | undefined {
  const file = opened?.file;
  if (opened === undefined || file === undefined || !isDescribable(file)) return undefined;
  const missing = (): never => {
    throw new FsError('ENOTSUP', '', 'a file that has no name any more cannot be changed so');
  };
  return {
    changeMode: (mode, context) =>
      opened.during(() => (file.changeMode ? file.changeMode(mode, context) : missing())),
    changeOwner: (owner, context) =>
      opened.during(() => (file.changeOwner ? file.changeOwner(owner, context) : missing())),
    changeTimes: (times, context) =>
      opened.during(() => (file.changeTimes ? file.changeTimes(times, context) : missing())),
    attributes: (context) => opened.during(() => file.attributes?.(context) ?? new Map()),
    setAttribute: (name, value, use, context) =>
      opened.during(() => (file.setAttribute ? file.setAttribute(name, value, use, context) : missing())),
    removeAttribute: (name, context) =>
      opened.during(() => (file.removeAttribute ? file.removeAttribute(name, context) : missing())),
  };
}
