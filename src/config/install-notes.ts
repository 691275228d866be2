import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import { jsonText } from '../core/json-text.ts';
import { parseConfig } from './load.ts';
import { ownConfigFolder, readOwnFile, writeOwnFile } from './own-file.ts';

const noteSchema = z.strictObject({
  /** The absolute path of the file. */
  file: z.string(),
  /** The text that was put in, exactly. */
  piece: z.string(),
  /** Whether there was no file before. */
  madeFile: z.boolean(),
  /** Whether there was no list of servers before. */
  madeList: z.boolean(),
  /** The first folder that was made for the file; absent if none was. */
  madeFolder: z.string().optional(),
});

/** What was put into a client's config file, so that exactly this can be removed again. It contains nothing that was in the file before. */
export type InstallNote = Readonly<z.infer<typeof noteSchema>>;

/** Notes of what `mcp install` has done, in the user's own config folder. */
export class InstallNotes {
  readonly #file: string;

  constructor(variables: NodeJS.ProcessEnv) {
    this.#file = join(ownConfigFolder(variables), 'mcp-installs.json');
  }

  /** @throws UserError if the notes cannot be used */
  of(file: string): InstallNote | undefined {
    return this.#all().find((note) => note.file === file);
  }

  /** @throws UserError if the notes cannot be written */
  put(note: InstallNote): void {
    this.#write([...this.#all().filter(({ file }) => file !== note.file), note]);
  }

  /** @throws UserError if the notes cannot be written */
  forget(file: string): void {
    const notes = this.#all();
    if (notes.some((note) => note.file === file)) this.#write(notes.filter((note) => note.file !== file));
  }

  #all(): InstallNote[] {
    const { text, problem } = readOwnFile(this.#file);
    if (problem !== undefined) throw new UserError(problem);
    return text === undefined ? [] : parseConfig(z.array(noteSchema), text, this.#file);
  }

  /** Writes the whole file or nothing. */
  #write(notes: readonly InstallNote[]): void {
    writeOwnFile(this.#file, jsonText(notes));
  }
}
