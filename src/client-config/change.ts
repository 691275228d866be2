import { isDeepStrictEqual } from 'node:util';
import type { InstallNote } from '../config/install-notes.ts';
import { UserError } from '../core/errors.ts';
import { textDiff } from '../text/text-diff.ts';
import type { ClientFile } from './client-files.ts';
import { type EntryPlace, entryIn, insertEntry, isEmpty, removeEntry } from './entry-edit.ts';

/** How a client starts the server. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** A planned change of a config file. */
export interface ConfigChange {
  readonly file: string;
  readonly kind: 'add' | 'update' | 'remove' | 'none';
  /** Undefined if there is no file. */
  readonly before: string | undefined;
  /** Undefined if the file is to be removed. */
  readonly after: string | undefined;
  /** The note to store; undefined if there is none. */
  readonly note: InstallNote | undefined;
  /** A unified diff; empty if nothing changes. */
  readonly diff: string;
}

/** The name of our entry. */
const NAME = 'kgraphfs';

/**
 * Adds the server to a config file.
 * @param noted the note of when it was added before
 * @throws UserError if the file is broken, or has an entry of our name that is not ours and this is not forced
 */
export function enterServer(
  client: ClientFile,
  text: string | undefined,
  { command, args }: ServerEntry,
  { noted, force }: { readonly noted: InstallNote | undefined; readonly force: boolean },
): ConfigChange {
  const place = placeOf(client);
  const entry = { ...(client.saysType ? { type: 'stdio' } : {}), command, args };
  const there = entryIn(text ?? '', place);
  if (there !== undefined && isSame(there, entry)) return unchanged(client, text, noted);
  if (there !== undefined && noted === undefined && !force) {
    throw new UserError(
      `${client.file}: there is another "${NAME}" in "${client.list}" already, which was not added by this command; --force replaces it`,
    );
  }
  const bare =
    there === undefined ? text : removeEntry(text ?? '', place, noted?.piece, noted?.madeList ?? false);
  const { text: after, piece } = insertEntry(bare ?? '', entry, place);
  const note = {
    file: client.file,
    piece,
    madeFile: there === undefined ? text === undefined : (noted?.madeFile ?? false),
    madeList: piece
      .trimStart()
      .replace(/^\{\s*/, '')
      .startsWith(`${JSON.stringify(client.list)}:`),
    ...(noted?.madeFolder === undefined ? {} : { madeFolder: noted.madeFolder }),
  };
  return change(client, there === undefined ? 'add' : 'update', text, after, note);
}

/**
 * Removes the server: everything else in the file stays, and a file that was made for it is removed.
 * @throws UserError if the file is broken, or has an entry of our name that is not ours and this is not forced
 */
export function takeOutServer(
  client: ClientFile,
  text: string | undefined,
  { noted, force }: { readonly noted: InstallNote | undefined; readonly force: boolean },
): ConfigChange {
  const place = placeOf(client);
  if (text === undefined || entryIn(text, place) === undefined) return unchanged(client, text, undefined);
  if (noted === undefined && !force) {
    throw new UserError(
      `${client.file}: "${NAME}" in "${client.list}" was not added by this command; --force removes it`,
    );
  }
  const after = removeEntry(text, place, noted?.piece, noted?.madeList ?? false);
  const isGone = noted?.madeFile === true && isEmpty(after);
  return change(client, 'remove', text, isGone ? undefined : after, undefined);
}

function placeOf({ file, list, isLenient }: ClientFile): EntryPlace {
  return { file, list, name: NAME, isLenient };
}

function isSame(there: string, entry: object): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(there), JSON.parse(JSON.stringify(entry)));
  } catch {
    // Somebody has added a comment.
    return false;
  }
}

function unchanged(
  { file }: ClientFile,
  text: string | undefined,
  note: InstallNote | undefined,
): ConfigChange {
  return { file, kind: 'none', before: text, after: text, note, diff: '' };
}

function change(
  { file }: ClientFile,
  kind: ConfigChange['kind'],
  before: string | undefined,
  after: string | undefined,
  note: InstallNote | undefined,
): ConfigChange {
  return { file, kind, before, after, note, diff: textDiff(file.replace(/^\//, ''), before, after) };
}
