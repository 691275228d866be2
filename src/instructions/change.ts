import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { textDiff } from '../text/text-diff.ts';
import { type Blocks, blocksIn, withBlock, withoutBlocks } from './block.ts';
import { checkWritable, readInstructionFile, writeInstructionFile } from './instruction-file.ts';

/** Files that agents read at the root of a project. */
const USUAL_FILES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const;

/** Which files of a project a command is about. */
export interface ChosenFiles {
  /** Absolute. */
  readonly project: string;
  /** Those that somebody named, absolute; empty for the usual ones. */
  readonly named: readonly string[];
}

/** Files in which the block is to be changed. */
export interface BlockRequest extends ChosenFiles {
  /** Whether it is changed also where somebody edited it. */
  readonly force: boolean;
}

/** What a block is to say. */
export interface BlockText {
  readonly text: string;
  /** Whether it is not known where the mount is: a block that is there may know better. */
  readonly isGuess: boolean;
}

/** What is to become of a file, or became of it. */
export interface Change {
  /** As it was named or found. Absolute. */
  readonly file: string;
  /** Further names of the same file. */
  readonly also: readonly string[];
  readonly kind: 'add' | 'update' | 'remove' | 'none' | 'left';
  /** Why it is left. */
  readonly reason?: string;
  /** Empty where nothing changes. */
  readonly diff: string;
  /** Where the bytes are, as they are and as they are to be; undefined where there is no file. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** How a file is. */
export interface BlockState {
  readonly file: string;
  readonly also: readonly string[];
  readonly state: 'installed' | 'not installed' | 'other text' | 'edited' | 'broken';
}

/**
 * What brings the block into the files: those of the usual ones that are there, or AGENTS.md. Changes nothing.
 * @throws UserError where a file cannot be read or written
 */
export function planInstall(asked: BlockRequest, wanted: BlockText): Change[] {
  return filesOf(asked, usualFiles(asked.project)).map((found) => {
    const { text } = found;
    const blocks = blocksIn(text ?? '');
    const after = isAsWanted(blocks, wanted) ? text : withBlock(text, wanted.text);
    const isLeft = whyLeft(blocks, asked.force && !blocks.isBroken);
    if (text !== after && isLeft !== undefined) return left(found, isLeft);
    return changeOf(found, after, blocks.count === 0 ? 'add' : 'update', asked.project);
  });
}

/**
 * What takes the block out of all files that have it. Changes nothing.
 * @throws UserError where a file cannot be read or written
 */
export function planUninstall(asked: BlockRequest): Change[] {
  return filesOf(asked, filesWithBlock(asked.project)).map((found) => {
    const { text } = found;
    if (text === undefined) return changeOf(found, text, 'none', asked.project);
    const blocks = blocksIn(text);
    const isLeft = whyLeft(blocks, asked.force && !blocks.isBroken);
    if (isLeft !== undefined) return left(found, isLeft);
    return changeOf(found, withoutBlocks(text), 'remove', asked.project);
  });
}

/** Does what was planned: all of it, or nothing. @throws UserError, which names what the disk did not let be put back, too */
export function carryOut(changes: readonly Change[]): void {
  const done: Change[] = [];
  try {
    for (const change of changes) {
      if (change.before === change.after) continue;
      writeInstructionFile(change.path, change.after);
      done.push(change);
    }
  } catch (error) {
    const stuck = done.flatMap((change) => whyNotPutBack(change) ?? []);
    if (stuck.length === 0) throw error;
    const why = `${reasonOf(error)}; and what was written before could not be put back: ${stuck.join('; ')}`;
    throw new UserError(`${why}; when that is mended, run it again`, EXIT.failed, { cause: error });
  }
}

function whyNotPutBack({ path, before }: Change): string | undefined {
  try {
    writeInstructionFile(path, before);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** @param wanted what the block would say if it were written now */
export function blockStates(meant: ChosenFiles, wanted: BlockText): BlockState[] {
  const { project } = meant;
  const candidates = [...new Set([...usualFiles(project), ...filesWithBlock(project)])];
  return filesOf(meant, candidates).map(({ file, also, text }) => ({
    file,
    also,
    state: stateOf(blocksIn(text ?? ''), wanted),
  }));
}

function stateOf(blocks: Blocks, wanted: BlockText): BlockState['state'] {
  if (blocks.isBroken) return 'broken';
  if (blocks.count === 0) return 'not installed';
  if (blocks.isEdited) return 'edited';
  return isAsWanted(blocks, wanted) ? 'installed' : 'other text';
}

function isAsWanted({ count, body, isEdited, isBroken }: Blocks, { text, isGuess }: BlockText): boolean {
  return count === 1 && !isEdited && !isBroken && (isGuess || body === text);
}

interface Found {
  readonly file: string;
  readonly also: readonly string[];
  readonly path: string;
  readonly text: string | undefined;
}

/** Two names of one file are one. */
function filesOf({ project, named }: ChosenFiles, usual: readonly string[]): Found[] {
  const found = new Map<string, { file: string; also: string[]; path: string; text: string | undefined }>();
  for (const file of named.length > 0 ? named : usual) {
    const { path, text, identity } = readInstructionFile(file, project);
    const same = found.get(identity);
    if (same === undefined) found.set(identity, { file, also: [], path, text });
    else if (same.file !== file) same.also.push(file);
  }
  return [...found.values()];
}

function usualFiles(project: string): string[] {
  const there = readdirSync(project).filter((name) => USUAL_FILES.some((usual) => usual === name));
  return (there.length > 0 ? there.sort() : [USUAL_FILES[0]]).map((name) => join(project, name));
}

/** Of all markdown at the root, and not below: a project has many files. */
function filesWithBlock(project: string): string[] {
  return readdirSync(project, { withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.md') && (entry.isFile() || entry.isSymbolicLink()))
    .map(({ name }) => join(project, name))
    .filter((file) => existsSync(file) && hasMark(file))
    .sort();
}

function hasMark(file: string): boolean {
  try {
    const { count, isBroken } = blocksIn(readFileSync(file, 'utf8'));
    return count > 0 || isBroken;
  } catch {
    // What cannot be read, or is a folder behind a link, was not written by us.
    return false;
  }
}

function whyLeft({ isEdited, isBroken }: Blocks, force: boolean): string | undefined {
  if (isBroken) return 'one of the two marks is gone; take out by hand what is left of the block';
  return isEdited && !force ? 'the block was edited by hand; --force does it all the same' : undefined;
}

function left({ file, also, path, text }: Found, reason: string): Change {
  return { file, also, path, before: text, after: text, kind: 'left', reason, diff: '' };
}

function changeOf(
  { file, also, path, text }: Found,
  after: string | undefined,
  kind: Change['kind'],
  project: string,
): Change {
  if (text === after) return { file, also, path, before: text, after, kind: 'none', diff: '' };
  checkWritable(file, path);
  const diff = textDiff(relative(project, file), text, after);
  return { file, also, path, before: text, after, kind, diff };
}

/** @throws UserError where it is no folder */
export function projectFolder(path: string, workingFolder: string): string {
  const project = resolve(workingFolder, path);
  try {
    readdirSync(project);
    return project;
  } catch (error) {
    throw new UserError(`${project}: ${whyNotListed(project, error)} (--project)`, EXIT.failed, {
      cause: error,
    });
  }
}

function whyNotListed(path: string, error: unknown): string {
  if (!existsSync(path)) return 'there is no such folder';
  return systemCodeOf(error) === 'ENOTDIR' ? 'this is no folder' : reasonOf(error);
}
