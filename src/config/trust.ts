import { hash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import { isoTime } from '../core/iso-time.ts';
import { jsonText } from '../core/json-text.ts';
import { readConfigFile } from './config-file.ts';
import { parseConfig } from './load.ts';
import { ownConfigFolder, readOwnFile, writeOwnFile } from './own-file.ts';

const trustSchema = z.strictObject({
  /** Trusted files by their real paths. */
  files: z.record(
    z.string(),
    z.strictObject({
      sha256: z.string(),
      trusted_at: z.string(),
      /** The hashes of the code that the file names, by absolute path. */
      code: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

/** A config file in the state in which the user has trusted it. */
export interface TrustedFile {
  readonly file: string;
  /** The hash of its text. */
  readonly sha256: string;
  /** ISO 8601. */
  readonly trustedAt: string;
  /** The SHA-256 of the code that it names, by absolute path. */
  readonly code: Readonly<Record<string, string>>;
}

/**
 * The config files of projects that may decide what is sent out, and to whom. The list is in the user's own config folder, and has each file as it
 * was when the user trusted it. A file that was edited since is not trusted any more.
 */
export class Trust {
  readonly #file: string;

  constructor(variables: NodeJS.ProcessEnv = process.env) {
    this.#file = join(ownConfigFolder(variables), 'trusted.json');
  }

  /** @throws UserError if the list of trusted files is unusable */
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

  /** The SHA-256 that the code which the file names must have, by absolute path. Undefined if the file is not trusted. @throws UserError as `list` */
  codeOf(file: string, text: string): Readonly<Record<string, string>> | undefined {
    const path = realpathSync(file);
    return this.list().find((trusted) => trusted.file === path && trusted.sha256 === textHash(text))?.code;
  }

  /** @throws UserError if the list cannot be written */
  add(file: string, text: string, nowMs: number, code: TrustedFile['code'] = {}): void {
    const path = realpathSync(file);
    const trusted = { file: path, sha256: textHash(text), trustedAt: isoTime(nowMs), code };
    this.#write([...this.list().filter((other) => other.file !== path), trusted]);
  }

  /** @returns whether any version of it was trusted */
  remove(file: string): boolean {
    const path = existsSync(file) ? realpathSync(file) : file;
    const before = this.list();
    const after = before.filter((other) => other.file !== path);
    if (after.length === before.length) return false;
    this.#write(after);
    return true;
  }

  /** Writes the whole file or nothing: half a file would not be a list. */
  #write(trusted: readonly TrustedFile[]): void {
    const files = Object.fromEntries(
      trusted.map(({ file, sha256, trustedAt, code }) => [
        file,
        { sha256, trusted_at: trustedAt, ...(Object.keys(code).length === 0 ? {} : { code }) },
      ]),
    );
    writeOwnFile(this.#file, jsonText({ files }));
  }
}

/** Whether the file is still what was trusted. @throws UserError if it cannot be read */
export function trustState({ file, sha256 }: TrustedFile): 'trusted' | 'edited since' | 'gone' {
  const { text } = existsSync(file) ? readConfigFile(dirname(file), file) : {};
  if (text === undefined) return 'gone';
  return textHash(text) === sha256 ? 'trusted' : 'edited since';
}

/** The hash by which a trusted file is recognized. */
function textHash(text: string): string {
  return hash('sha256', text, 'hex');
}
