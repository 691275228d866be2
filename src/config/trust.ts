import { hash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { isoTime } from '../core/iso-time.ts';
import { jsonText } from '../core/json-text.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { writeWholeFile } from '../disk/whole-file.ts';
import { readConfigFile } from './config-file.ts';
import { parseConfig } from './load.ts';
import { ownConfigFolder, readOwnFile } from './own-file.ts';

const trustSchema = z.strictObject({
  /** By the real path of the config file. */
  files: z.record(
    z.string(),
    z.strictObject({
      sha256: z.string(),
      trusted_at: z.string(),
      /** Of the code that the file names, by absolute path. */
      code: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

/** A config file that the user trusted, as it was then. */
export interface TrustedFile {
  readonly file: string;
  /** Of its text. */
  readonly sha256: string;
  /** ISO 8601. */
  readonly trustedAt: string;
  /** SHA-256 of the code that it names, by absolute path. */
  readonly code: Readonly<Record<string, string>>;
}

/**
 * The config files of projects that may say what is sent out, and to whom: each as it was when the user said so, in the user's own config
 * folder. One that was edited since is trusted no longer.
 */
export class Trust {
  readonly #file: string;

  constructor(variables: NodeJS.ProcessEnv = process.env) {
    this.#file = join(ownConfigFolder(variables), 'trusted.json');
  }

  /** @throws UserError where the list of trusted files is unusable */
  list(): TrustedFile[] {
    const { text, problem } = readOwnFile(this.#file);
    if (problem !== undefined) throw new UserError(problem);
    if (text === undefined) return [];
    const { files } = parseConfig(trustSchema, text, this.#file);
    return Object.entries(files).map(([file, { sha256, trusted_at, code = {} }]) => ({
      file,
      sha256,
      trustedAt: trusted_at,
      code,
    }));
  }

  /** @param text of the file, as it was read @throws UserError as `list` */
  has(file: string, text: string): boolean {
    return this.codeOf(file, text) !== undefined;
  }

  /** What code that the file names has to be, by absolute path: its SHA-256. Undefined where the file is not trusted. @throws UserError as `list` */
  codeOf(file: string, text: string): Readonly<Record<string, string>> | undefined {
    const path = realpathSync(file);
    return this.list().find((trusted) => trusted.file === path && trusted.sha256 === textHash(text))?.code;
  }

  /** @throws UserError where the list cannot be written */
  add(file: string, text: string, nowMs: number, code: TrustedFile['code'] = {}): void {
    const path = realpathSync(file);
    const trusted = { file: path, sha256: textHash(text), trustedAt: isoTime(nowMs), code };
    this.#write([...this.list().filter((other) => other.file !== path), trusted]);
  }

  /** @returns whether it was trusted, in whatever version */
  remove(file: string): boolean {
    const path = existsSync(file) ? realpathSync(file) : file;
    const before = this.list();
    const after = before.filter((other) => other.file !== path);
    if (after.length === before.length) return false;
    this.#write(after);
    return true;
  }

  /** Whole or not at all: what is half written would be no list. */
  #write(trusted: readonly TrustedFile[]): void {
    const files = Object.fromEntries(
      trusted.map(({ file, sha256, trustedAt, code }) => [
        file,
        { sha256, trusted_at: trustedAt, ...(Object.keys(code).length === 0 ? {} : { code }) },
      ]),
    );
    try {
      makeFolders(dirname(this.#file), PRIVATE_FOLDER_MODE);
      writeWholeFile(this.#file, jsonText({ files }), PRIVATE_FILE_MODE);
    } catch (error) {
      throw new UserError(`${this.#file}: cannot be written: ${reasonOf(error)}`, EXIT.failed, {
        cause: error,
      });
    }
  }
}

/** Whether what was trusted is still what is there. @throws UserError where the file cannot be read */
export function trustState({ file, sha256 }: TrustedFile): 'trusted' | 'edited since' | 'gone' {
  const { text } = existsSync(file) ? readConfigFile(dirname(file), file) : {};
  if (text === undefined) return 'gone';
  return textHash(text) === sha256 ? 'trusted' : 'edited since';
}

/** What a trusted file is recognised by. */
function textHash(text: string): string {
  return hash('sha256', text, 'hex');
}
