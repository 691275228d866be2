import { resolve } from 'node:path';
import { EXIT, reasonOf, UserError } from '../../core/errors.ts';
import { PRIVATE_FILE_MODE } from '../../core/file-modes.ts';
import { MEMORY_TYPES } from '../../core/memory-entry.ts';
import { counted } from '../../text/counted.ts';
import { defineCommand } from '../command.ts';
import { type Io, writeJson } from '../io.ts';
import { withMemory } from '../memory.ts';

/** Lines are joined into chunks of about this many characters before they are written. */
const CHUNK_LENGTH = 1 << 20;

export const contextMemoryExport = defineCommand({
  verb: 'context memory export',
  summary: 'write entries as JSON lines',
  details:
    'Writes a line for each entry, by type and key, then a line for each relation; context memory import reads them back. Removed\n' +
    'entries are left out. Only the owner can read a new file, as with memory.',
  positionals: {
    file: {
      summary: 'file to write (default: -, which is standard output)',
      count: 'optional',
      isPath: true,
    },
  },
  options: {
    type: {
      type: 'text',
      value: 'TYPE',
      choices: MEMORY_TYPES,
      summary: 'only entries of this type, and relations between them',
    },
  },
  example: 'kgraphfs context memory export memory.jsonl --docs docs/sample',
  run: (args, io) =>
    withMemory(args, io, async ({ memory }) => {
      const { exportLines } = await import('../../exchange/export-memory.ts');
      const { file = '-' } = args;
      const chunks = chunksOf(exportLines(memory, args.type));
      if (file === '-') {
        for (const { text } of chunks) await io.out.writeBytes(Buffer.from(text));
        return 0;
      }
      const lines = await writeFile(file, chunks, io);
      if (args.json) writeJson(io.out, { file, lines });
      else io.out.write(`${file}: ${counted(lines, 'line')} written\n`);
      return 0;
    }),
});

interface Chunk {
  readonly text: string;
  readonly lines: number;
}

function* chunksOf(lines: Iterable<string>): Generator<Chunk> {
  let chunk = { text: '', lines: 0 };
  for (const line of lines) {
    chunk = { text: `${chunk.text}${line}\n`, lines: chunk.lines + 1 };
    if (chunk.text.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = { text: '', lines: 0 };
  }
  if (chunk.lines > 0) yield chunk;
}

/** Writes the export. @returns how many lines were written. @throws UserError if they cannot be written; then an existing file is unchanged */
async function writeFile(file: string, chunks: Iterable<Chunk>, io: Io): Promise<number> {
  const { replaceWholeFile } = await import('../../user-files/replace-file.ts');
  let written = 0;
  const parts = function* (): Generator<Uint8Array> {
    for (const { text, lines } of chunks) {
      yield Buffer.from(text);
      written += lines;
    }
  };
  try {
    replaceWholeFile(resolve(io.workingFolder(), file), parts(), PRIVATE_FILE_MODE);
    return written;
  } catch (error) {
    const reason = `${file}: cannot be written (after ${written} lines): ${reasonOf(error)}`;
    throw new UserError(reason, EXIT.failed, { cause: error });
  }
}
