import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { reasonOf, systemCodeOf } from '../../core/errors.ts';
import { removeMade } from '../../disk/remove.ts';
import { writeKept } from '../kept-files.ts';

const callSchema = z.object({
  tool: z.string(),
  given: z.string(),
  answer: z.string(),
  atMs: z.number(),
});

/** A call that was made last. */
export type Call = z.infer<typeof callSchema>;

const BEGINNING = 'call-';

/** The last call of each tool, in files, so that a command reads what another one wrote; in memory where the disk takes no file. */
export class McpCalls {
  readonly #folder: string;
  readonly #unkept = new Map<string, Call>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get(tool: string): Call | undefined {
    return this.#unkept.get(tool) ?? this.#read(nameOf(tool));
  }

  /** Tools that were called. */
  tools(): string[] {
    const names = readdirSync(this.#folder).filter(
      (name) => name.startsWith(BEGINNING) && name.endsWith('.json'),
    );
    return [...new Set([...names.flatMap((name) => this.#read(name)?.tool ?? []), ...this.#unkept.keys()])];
  }

  /** @returns why it is in memory only; undefined where it is kept */
  keep(call: Call): string | undefined {
    const file = join(this.#folder, nameOf(call.tool));
    try {
      writeKept(file, JSON.stringify(call));
      this.#unkept.delete(call.tool);
      return undefined;
    } catch (error) {
      // The tool has run: who is told that the call failed makes it again.
      if (systemCodeOf(error) === undefined) throw error;
      this.#unkept.set(call.tool, call);
      // Others would take the answer before for the one to this call.
      removeMade(file);
      return reasonOf(error);
    }
  }

  /** What cannot be read was no call of ours. */
  #read(name: string): Call | undefined {
    try {
      return callSchema.parse(JSON.parse(readFileSync(join(this.#folder, name), 'utf8')));
    } catch {
      return undefined;
    }
  }
}

function nameOf(tool: string): string {
  return `${BEGINNING}${hash('sha256', tool).slice(0, 32)}.json`;
}
