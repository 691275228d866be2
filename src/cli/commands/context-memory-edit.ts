import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { EXIT, isFsError, reasonOf, systemCodeOf, UserError } from '../../core/errors.ts';
import { PRIVATE_FILE_MODE } from '../../core/file-modes.ts';
import { type MemoryEntry, placeText } from '../../core/memory-entry.ts';
import { baseName, MAX_NAME_BYTES } from '../../core/paths.ts';
import { removeTree } from '../../disk/remove.ts';
import { printableName } from '../../text/printable.ts';
import { shownShellWord } from '../../text/shell-word.ts';
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
    'The editor is that of VISUAL or EDITOR, else vi on a terminal. An entry does not change if you save no change, or if the editor\n' +
    'ends with an error (:cq in vim). If saved text cannot be taken into memory, it is kept in the file that the message names.',
  positionals: {
    entry: { summary: 'such as fact/refunds, or only refunds if no other entry has that name' },
  },
  options: {},
  example: 'kgraphfs context memory edit refunds --docs docs/sample',
  run: (args, io) =>
    withMemory(args, io, async ({ memory }) => {
      const context = callerContext(io);
      const before = namedEntry(memory, args.entry);
      const name = placeText(before);
      if (io.environment.editor === undefined && !isTyped(io)) {
        throw new UserError(
          `there is no terminal for the editor ${DEFAULT_EDITOR}, and neither VISUAL nor EDITOR names another; kgraphfs vfs write ${shownShellWord(`/context/memory/${name}`)} - replaces the entry with what is piped in`,
        );
      }
      const file = temporaryFile(before);
      let kept: string | undefined;
      try {
        const edited = await editedContent(file, io);
        if (edited.equals(before.content)) {
          io.out.write(`${printableName(name)} is unchanged\n`);
          return 0;
        }
        memory.transact(() => {
          if (!isSameVersion(memory.get(before), before))
            throw new UserError(
              `${printableName(name)} was changed or removed by somebody else in the meantime`,
            );
          return memory.replace(before, edited, context);
        });
        io.out.write(`changed ${printableName(name)}\n`);
        return 0;
      } catch (error) {
        kept = keptText(file, before);
        if (kept === undefined) throw error;
        if (isFsError(error) || error instanceof UserError)
          throw new UserError(`${error.message}\n  ${kept}`, EXIT.failed, { cause: error });
        io.err.write(`${kept}\n`);
        throw error;
      } finally {
        if (kept === undefined) removeTree(dirname(file));
      }
    }),
});

/** Whether the entry is still the same version. Ids are compared too: an entry that was made anew at the same place counts its versions from the first again. */
function isSameVersion(now: MemoryEntry | undefined, before: MemoryEntry): boolean {
  return now?.id === before.id && now.version === before.version;
}

/**
 * Writes the entry to a file that nobody else can read, with a name from which editors recognise the format. @throws UserError if it cannot be written; then
 * nothing is left of it
 */
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

/**
 * Tells where the edited text is, and how to make it the entry; undefined if nothing was written. An editor that dies may have left an emergency copy beside
 * the file.
 */
function keptText(file: string, before: MemoryEntry): string | undefined {
  const folder = dirname(file);
  const { names, isEdited } = lookAt(file, before);
  if (isEdited) {
    const place = shownShellWord(`/context/memory/${placeText(before)}`);
    return `what you wrote is kept in ${file}; kgraphfs vfs write ${place} --from ${shownShellWord(file)} puts it there`;
  }
  return names.length > 0
    ? `what the editor left is kept in ${folder}: ${names.map(printableName).join(', ')}`
    : undefined;
}

/** Looks at the files beside the copy, and whether its content has, or may have, changed. */
function lookAt(
  file: string,
  { content }: MemoryEntry,
): { readonly names: readonly string[]; readonly isEdited: boolean } {
  let names: string[] = [];
  try {
    names = readdirSync(dirname(file)).filter((name) => name !== basename(file));
    return { names, isEdited: !readFileSync(file).equals(content) };
  } catch (error) {
    // A file that cannot be read now may be readable later.
    return { names, isEdited: systemCodeOf(error) !== 'ENOENT' };
  }
}

/** Lets the user edit the file. @throws UserError if the editor failed */
async function editedContent(file: string, { environment }: Io): Promise<Buffer> {
  const editor = environment.editor ?? DEFAULT_EDITOR;
  const end = await runEditor(editor, file);
  if (end === NOT_FOUND) {
    throw new UserError(
      `the editor "${editor}" was not found; set VISUAL or EDITOR to one that is installed. Nothing was changed`,
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
