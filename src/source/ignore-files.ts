import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { hasTooManyGlobstars, MAX_GLOBSTARS } from '../core/globstars.ts';
import { isHeld } from '../disk/held-file.ts';
import type { ContentStatus } from '../system/file-status.ts';
import { diskReasonOf, isDiskFailure, isOutOfFiles, refusalOf } from './disk-error.ts';
import type { DiskFolder } from './disk-folder.ts';
import type { Report } from './docs-problem.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { isSettled } from './settled.ts';

/** In the order of reading: later lines win. */
export const IGNORE_FILES = ['.gitignore', '.kgraphfsignore'] as const;

/** Whether a change of a file with this name can change which other files are shown. */
export function isIgnoreFile(name: string): boolean {
  return IGNORE_FILES.some((ignoreFile) => ignoreFile === name);
}

export const MAX_IGNORE_FILE_BYTES = 1024 * 1024;
const MAX_REMEMBERED_FOLDERS = 50_000;

interface Remembered {
  readonly above: IgnoreRules | undefined;
  readonly rules: IgnoreRules | undefined;
  /** The state of the folder itself; undefined while it may not be trusted. */
  readonly folder: string | undefined;
  /** The state of each ignore file: `absent`, or undefined while it may not be trusted. */
  readonly files: readonly (string | undefined)[];
}

const ABSENT = 'absent';

/** The ignore files of the docs root. Each is parsed again when it has changed on disk. */
export class IgnoreFiles {
  readonly #remembered = new Map<string, Remembered>();
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  /**
   * The rules that exclude files in a folder; undefined if there are none. The same object comes back until an ignore file here or above changes. If an ignore
   * file is held by another program, or the disk fails to read it, what it has hidden so far stays hidden.
   * @throws FsError EBUSY or EIO for such a file if it was never read before; the disk's own errors
   */
  rulesOf(folder: DiskFolder, path: string, above: IgnoreRules | undefined): IgnoreRules | undefined {
    const known = this.#remembered.get(path);
    const folderState = settledStateOf(folder.status());
    const sameEntries = folderState !== undefined && folderState === known?.folder;
    const files = IGNORE_FILES.map((name, index) => {
      // A folder that has not changed has got no new entry. This spares a system call.
      if (sameEntries && known?.files[index] === ABSENT) return ABSENT;
      const status = folder.statusOf(name);
      return status === undefined ? ABSENT : settledStateOf(status);
    });
    const isCurrent =
      known !== undefined &&
      known.above === above &&
      files.every((state, index) => state !== undefined && state === known.files[index]);
    let rules: IgnoreRules | undefined;
    try {
      rules = isCurrent ? known.rules : this.#parse(folder, path, files, above);
    } catch (error) {
      const hidNothingYet = files.some((state, index) => state !== ABSENT && known?.files[index] === ABSENT);
      const isForNow = isHeld(error) || isDiskFailure(error);
      if (!isForNow || known === undefined || known.above !== above || hidNothingYet) throw error;
      // The file is read at the next use.
      return known.rules;
    }
    if (!isCurrent || known.folder !== folderState) {
      if (this.#remembered.size >= MAX_REMEMBERED_FOLDERS) this.#remembered.clear();
      this.#remembered.set(path, { above, rules, folder: folderState, files });
    }
    return rules;
  }

  #parse(
    folder: DiskFolder,
    path: string,
    files: readonly (string | undefined)[],
    above: IgnoreRules | undefined,
  ): IgnoreRules | undefined {
    const present = IGNORE_FILES.filter((_, index) => files[index] !== ABSENT);
    if (present.length === 0) return above;
    return IgnoreRules.of(path, present.map((name) => this.#textOf(folder, path, name)).join('\n'), above);
  }

  #textOf(folder: DiskFolder, folderPath: string, name: string): string {
    const path = folderPath === '' ? name : `${folderPath}/${name}`;
    try {
      return this.#withoutCostly(readIgnoreFile(folder, name), path);
    } catch (error) {
      // Without its patterns, hidden files would be shown, and for as long as the ignore file does not change.
      if (isOutOfFiles(error)) throw error;
      const refusal = refusalOf(error, path);
      if (isHeld(refusal) || isDiskFailure(refusal)) throw refusal;
      const message = `this ignore file has no effect: ${diskReasonOf(error)}`;
      this.#report({ path, line: 0, code: 'ignore-file', message });
      return '';
    }
  }

  #withoutCostly(text: string, path: string): string {
    return withoutCostly(text, (line) => {
      const message = `this pattern has no effect: it has more than ${MAX_GLOBSTARS} of \`**\``;
      this.#report({ path, line, code: 'ignore-file', message });
    });
  }
}

/** The text of an ignore file without the patterns that are too costly. @param told called with the line of each such pattern, from 1 */
export function withoutCostly(text: string, told: (line: number) => void): string {
  const lines = text.split('\n').map((line, index) => {
    if (line.startsWith('#') || !hasTooManyGlobstars(line)) return line;
    told(index + 1);
    return '';
  });
  return lines.join('\n');
}

function readIgnoreFile(folder: DiskFolder, name: string): string {
  const descriptor = folder.openFile(name);
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error('it is not a regular file');
    if (status.size > MAX_IGNORE_FILE_BYTES) throw new Error('it is larger than 1 MiB');
    return readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, '');
  } finally {
    closeSync(descriptor);
  }
}

/** The state of a file or folder; undefined while it may not be trusted. Whatever changes a file or folder moves its ctime, which no program can set. */
function settledStateOf(status: ContentStatus): string | undefined {
  if (!isSettled(status.changedNs)) return undefined;
  return `${status.disk}:${status.inode}:${status.changedNs}`;
}
