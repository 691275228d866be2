import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
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

/** The last call of each tool, in files, so that a command reads what another one wrote. */
export class McpCalls {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get(tool: string): Call | undefined {
    return this.#read(nameOf(tool));
  }

  /** Tools that were called. */
  tools(): string[] {
    const names = readdirSync(this.#folder).filter(
      (name) => name.startsWith(BEGINNING) && name.endsWith('.json'),
    );
    return names.flatMap((name) => this.#read(name)?.tool ?? []);
  }

  keep(call: Call): void {
    writeKept(join(this.#folder, nameOf(call.tool)), JSON.stringify(call));
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
