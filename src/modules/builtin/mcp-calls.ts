import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { reasonOf, systemCodeOf } from '../../core/errors.ts';
import { jsonOrUndefined } from '../../core/json-text.ts';
import { removeMade } from '../../disk/remove.ts';
import { writeKept } from '../kept-files.ts';

const callSchema = z.object({
  tool: z.string(),
  given: z.string(),
  answer: z.string(),
  atMs: z.number(),
});

/** The last call of a tool. */
export type Call = z.infer<typeof callSchema>;

const BEGINNING = 'call-';

/** The last call of each tool. It is stored in a file, so that one command can read what another has written, and in memory if the disk refuses the file. */
export class McpCalls {
  readonly #folder: string;
  readonly #unkept = new Map<string, Call>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get(tool: string): Call | undefined {
    return this.#unkept.get(tool) ?? this.#read(nameOf(tool));
  }

  /** The names of tools that have been called. */
  tools(): string[] {
    const names = readdirSync(this.#folder).filter(
      (name) => name.startsWith(BEGINNING) && name.endsWith('.json'),
    );
    return [...new Set([...names.flatMap((name) => this.#read(name)?.tool ?? []), ...this.#unkept.keys()])];
  }

  /** @returns why the call is in memory only; undefined if it is stored */
  keep(call: Call): string | undefined {
    const file = join(this.#folder, nameOf(call.tool));
    try {
      writeKept(file, JSON.stringify(call));
      this.#unkept.delete(call.tool);
      return undefined;
    } catch (error) {
      // The tool has run. If this failed, the caller would run it again.
      if (systemCodeOf(error) === undefined) throw error;
      this.#unkept.set(call.tool, call);
      // Other processes would take the answer of the call before for that of this one.
      removeMade(file);
      return reasonOf(error);
    }
  }

  /** A file that cannot be read is not a call that was stored here. */
  #read(name: string): Call | undefined {
    try {
      return callSchema.safeParse(jsonOrUndefined(readFileSync(join(this.#folder, name), 'utf8'))).data;
    } catch (error) {
      if (systemCodeOf(error) === undefined) throw error;
      // The tool is then run again.
      return undefined;
    }
  }
}

function nameOf(tool: string): string {
  return `${BEGINNING}${hash('sha256', tool).slice(0, 32)}.json`;
}
