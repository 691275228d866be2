import { UserError } from '../core/errors.ts';
import { placeInFile } from '../text/place-in-text.ts';
import { type JsonNode, type Member, parseJsonc } from './jsonc.ts';

/** The place of an entry in a file, and how that file is written. */
export interface EntryPlace {
  /** For messages. */
  readonly file: string;
  /** The key of the object that contains the entries: `mcpServers`. */
  readonly list: string;
  /** The entry's own name. */
  readonly name: string;
  /** Whether the client accepts comments. */
  readonly isLenient: boolean;
}

/** A text in which an entry was inserted. */
export interface Inserted {
  readonly text: string;
  /** What was inserted, in one piece: without it, the text is as before, byte for byte. */
  readonly piece: string;
}

type ObjectNode = Extract<JsonNode, { kind: 'object' }>;

const USUAL_INDENT = '  ';

/**
 * The text of the entry's value; undefined if there is no such entry.
 * @throws UserError if the text is broken, or has another structure
 */
export function entryIn(text: string, place: EntryPlace): string | undefined {
  const found = find(text, place);
  return found?.entry && text.slice(found.entry.value.start, found.entry.value.end);
}

/** Inserts an entry that does not exist yet. @throws UserError as `entryIn` */
export function insertEntry(text: string, value: unknown, place: EntryPlace): Inserted {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (isEmpty(text)) {
    const piece = `${JSON.stringify({ [place.list]: { [place.name]: value } }, null, USUAL_INDENT)}\n`;
    return inserted(text, text.length, piece.replaceAll('\n', eol));
  }
  const { root, list } = requireFound(find(text, place));
  const unit = indentUnit(text, root);
  const outer = list?.value.kind === 'object' ? list.value : root;
  const member = list === undefined ? [place.list, { [place.name]: value }] : [place.name, value];
  const depth = list === undefined ? 1 : 2;
  const [name, content] = member;
  const written = `${JSON.stringify(name)}: ${JSON.stringify(content, null, unit)}`;
  const indent = eol + unit.repeat(depth);
  return insertFirst(text, outer, indent + written.replaceAll('\n', indent), eol + unit.repeat(depth - 1));
}

/**
 * Removes an entry from a text that may have been edited since.
 * @param piece as it was inserted
 * @param withList also removes the list if it is empty then
 * @throws UserError as `entryIn`
 */
export function removeEntry(
  text: string,
  place: EntryPlace,
  piece: string | undefined,
  withList: boolean,
): string {
  const at = piece === undefined ? -1 : text.indexOf(piece);
  if (piece !== undefined && at !== -1) {
    const without = text.slice(0, at) + text.slice(at + piece.length);
    if (isEmpty(without) || isWhole(without, place)) return without;
  }
  const { root, list, entry } = find(text, place) ?? {};
  if (root === undefined || list?.value.kind !== 'object' || entry === undefined) return text;
  if (withList && list.value.members.length === 1) return withoutMember(text, root, list);
  return withoutMember(text, list.value, entry);
}

/** Whether a file contains nothing but white space. */
export function isEmpty(text: string): boolean {
  return /^[\s\uFEFF]*$/.test(text);
}

function isWhole(text: string, place: EntryPlace): boolean {
  try {
    return find(text, place)?.entry === undefined;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

interface FoundEntry {
  readonly root: ObjectNode;
  readonly list: Member | undefined;
  readonly entry: Member | undefined;
}

function find(text: string, { file, list: listName, name, isLenient }: EntryPlace): FoundEntry | undefined {
  if (isEmpty(text)) return undefined;
  const root = parseJsonc(text, file, isLenient);
  if (root.kind !== 'object') throw wrongShape(text, file, root, 'an object');
  const list = memberOf(root, listName);
  if (list === undefined) return { root, list, entry: undefined };
  if (list.value.kind !== 'object') throw wrongShape(text, file, list.value, `"${listName}" as an object`);
  return { root, list, entry: memberOf(list.value, name) };
}

/** Of two members with one name the last one counts, as for JSON.parse. */
function memberOf({ members }: ObjectNode, name: string): Member | undefined {
  return members.findLast((member) => member.name === name);
}

function requireFound(found: FoundEntry | undefined): FoundEntry {
  if (found === undefined) throw new Error('the text is not empty');
  return found;
}

function wrongShape(text: string, file: string, { start }: JsonNode, expected: string): UserError {
  return new UserError(
    `${placeInFile(file, text, start)}: ${expected} was expected here; the file is left as it is`,
  );
}

/**
 * In one piece, at the beginning: after the last member, the comma would have to come before a comment and the member after it. A comment on the line
 * of the bracket stays there.
 */
function insertFirst(
  text: string,
  { start, members }: ObjectNode,
  written: string,
  closing: string,
): Inserted {
  const rest = /^[^\S\r\n]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/[^\S\r\n]*)?(?=\r?\n)/.exec(
    text.slice(start + 1),
  )?.[0];
  const at = start + 1 + (rest?.length ?? 0);
  const comma = members.length > 0 ? ',' : '';
  const end = rest !== undefined ? '' : members.length > 0 ? /^\s*/.exec(written)?.[0] : closing;
  return inserted(text, at, written + comma + end);
}

function inserted(text: string, at: number, piece: string): Inserted {
  return { text: text.slice(0, at) + piece + text.slice(at), piece };
}

/** The indentation of the first member of the whole. */
function indentUnit(text: string, { members }: ObjectNode): string {
  const [first] = members;
  const before = first === undefined ? '' : text.slice(0, first.start);
  return /\n([ \t]+)$/.exec(before)?.[1] ?? USUAL_INDENT;
}

/** Removes a member with the white space before it, and the comma between it and its neighbour. */
function withoutMember(text: string, { members }: ObjectNode, member: Member): string {
  const from = text.slice(0, member.start).trimEnd().length;
  if (member.comma !== undefined) return cut(text, from, member.comma + 1);
  const before = members[members.indexOf(member) - 1];
  const rest = cut(text, from, member.value.end);
  return before?.comma === undefined ? rest : cut(rest, before.comma, before.comma + 1);
}

function cut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}
