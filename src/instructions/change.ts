import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { textDiff } from '../text/text-diff.ts';
import { type Blocks, blocksIn, withBlock, withoutBlocks } from './block.ts';
import { checkWritable, readInstructionFile, writeInstructionFile } from './instruction-file.ts';

/** Files in the root of a project that agents read. */
const USUAL_FILES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const;

/** The files of a project that a command is about. */
export interface ChosenFiles {
  /** The absolute path of the project. */
  readonly project: string;
  /** The files that the user has named, absolute; empty for the usual ones. */
  readonly named: readonly string[];
}

/** The files in which the block is to be changed. */
export interface BlockRequest extends ChosenFiles {
  /** Whether it is changed even if somebody has edited it. */
  readonly force: boolean;
}

/** The content of a block. */
export interface BlockText {
  readonly text: string;
  /** Whether the place of the mount is not known: then an existing block may know better. */
  readonly isGuess: boolean;
}

/** A planned change of a file, or one that was made. */
export interface Change {
  /** The absolute path, as it was named or found. */
  readonly file: string;
  /** Further names of the same file. */
  readonly also: readonly string[];
  readonly kind: 'add' | 'update' | 'remove' | 'none' | 'left';
  /** Why the file is left as it is. */
  readonly reason?: string;
  /** Empty if nothing changes. */
  readonly diff: string;
  /** The real file with its present and its new text; undefined if there is none. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The state of a file. */
export interface BlockState {
  readonly file: string;
  readonly also: readonly string[];
  readonly state: 'installed' | 'not installed' | 'other text' | 'edited' | 'broken';
}

/**
 * Plans to add the block to the usual files that exist, or to AGENTS.md. Changes nothing.
 * @throws UserError if a file cannot be read or written
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
 * Plans to remove the block from all files that have it. Changes nothing.
 * @throws UserError if a file cannot be read or written
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

/** Carries out all of a plan, or nothing. @throws UserError that also names the files that the disk did not let be restored */
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
    throw new UserError(`${why}; when that is fixed, run it again`, EXIT.failed, { cause: error });
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

/** @param wanted the content that the block would have if it were written now */
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

/** Two names of one file count as one. */
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

/** Looks at all markdown in the root, and not below: a project has many files. */
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
    // Something that cannot be read, or a link to a folder, was not written by this program.
    return false;
  }
}

function whyLeft({ isEdited, isBroken }: Blocks, force: boolean): string | undefined {
  if (isBroken) return 'one of the two marks is gone; remove what is left of the block by hand';
  return isEdited && !force ? 'the block was edited by hand; --force changes it all the same' : undefined;
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

/** @throws UserError if it is not a folder */
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
  return systemCodeOf(error) === 'ENOTDIR' ? 'this is not a folder' : reasonOf(error);
}
