import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { EXIT, isFsError, reasonOf, UserError } from '../../core/errors.ts';
import { PRIVATE_FILE_MODE } from '../../core/file-modes.ts';
import { type MemoryEntry, placeText } from '../../core/memory-entry.ts';
import { baseName, MAX_NAME_BYTES } from '../../core/paths.ts';
import { printableName } from '../../core/printable.ts';
import { removeTree } from '../../core/remove.ts';
import { shownShellWord } from '../../core/shell-word.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { isTyped } from '../given-question.ts';
import type { Io } from '../io.ts';
import { withMemory } from '../memory.ts';
import { namedEntry } from '../named-entry.ts';
import { DEFAULT_EDITOR, runEditor } from '../run-editor.ts';

const NOT_FOUND = 127;

export const contextMemoryEdit = defineCommand({
  verb: 'context memory edit',
  summary: 'open an entry in an editor',
  details:
    'The editor is that of VISUAL or EDITOR, else vi at a terminal. An entry that is left as it was stays as it is; so does one whose editor\n' +
    'ends with an error (:cq in vim). What memory refuses is kept in the file that the message names.',
  positionals: { entry: { summary: 'such as fact/refunds, or refunds alone where only one is called so' } },
  options: {},
  example: 'kgraphfs context memory edit refunds --docs docs/sample',
  run: (args, io) =>
    withMemory(args, io, async ({ memory }) => {
      const context = callerContext(io);
      const before = namedEntry(memory, args.entry);
      const name = placeText(before);
      if (io.environment.editor === undefined && !isTyped(io)) {
        throw new UserError(
          `there is no terminal for the editor ${DEFAULT_EDITOR}, and neither VISUAL nor EDITOR names another; kgraphfs vfs write ${shownShellWord(`/context/memory/${name}`)} - replaces the entry by what is piped`,
        );
      }
      const file = temporaryFile(before);
      let isKept = false;
      try {
        const edited = await editedContent(file, io);
        if (edited.equals(before.content)) {
          io.out.write(`${printableName(name)} is unchanged\n`);
          return 0;
        }
        isKept = true;
        memory.transact(() => {
          if (!isSameVersion(memory.get(before), before))
            throw new UserError(`${printableName(name)} was changed or removed by somebody else meanwhile`);
          return memory.replace(before, edited, context);
        });
        isKept = false;
        io.out.write(`changed ${printableName(name)}\n`);
        return 0;
      } catch (error) {
        if (!isKept || !(isFsError(error) || error instanceof UserError)) throw error;
        throw new UserError(
          `${error.message}\n  what you wrote is kept in ${file}; kgraphfs vfs write ${shownShellWord(`/context/memory/${name}`)} --from ${shownShellWord(file)} puts it there`,
          EXIT.failed,
          { cause: error },
        );
      } finally {
        if (!isKept) removeTree(dirname(file));
      }
    }),
});

/** One that was made anew at the same place counts its versions from the first again. */
function isSameVersion(now: MemoryEntry | undefined, before: MemoryEntry): boolean {
  return now?.id === before.id && now.version === before.version;
}

/** A copy of the entry that nobody else can read, named so that editors see what it is. @throws UserError where it cannot be written; then nothing of it is there */
function temporaryFile({ key, content }: MemoryEntry): string {
  const last = baseName(key);
  const name = extname(last) === '' ? `${last}.md` : last;
  const folder = mkdtempSync(join(tmpdir(), 'kgraphfs-edit-'));
  const file = join(folder, Buffer.byteLength(name) <= MAX_NAME_BYTES ? name : 'entry.md');
  try {
    writeFileSync(file, content, { mode: PRIVATE_FILE_MODE });
    return file;
  } catch (error) {
    removeTree(folder);
    const why = `cannot be written for the editor: ${reasonOf(error)}; TMPDIR names another folder for it`;
    throw new UserError(`${file}: ${why}`, EXIT.failed, { cause: error });
  }
}

/** @throws UserError where the editor failed */
async function editedContent(file: string, { environment }: Io): Promise<Buffer> {
  const editor = environment.editor ?? DEFAULT_EDITOR;
  const end = await runEditor(editor, file);
  if (end === NOT_FOUND) {
    throw new UserError(
      `the editor "${editor}" is not there; set VISUAL or EDITOR to one. Nothing was changed`,
    );
  }
  if (end !== 0) throw new UserError(`the editor "${editor}" ended with ${end}; nothing was changed`);
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UserError(
      `what the editor saved cannot be read: ${reasonOf(error)}; nothing was changed`,
      EXIT.failed,
      {
        cause: error,
      },
    );
  }
}
