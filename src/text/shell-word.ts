import { printableName } from './printable.ts';

/** As one word of a command line, quoted where a shell would take it otherwise. */
export function shellWord(text: string): string {
  return /^[\w./@%+:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** As {@link shellWord}, where somebody reads it and pastes it: nothing in it moves the cursor. */
export function shownShellWord(text: string): string {
  const shown = printableName(text);
  return shown === text ? shellWord(text) : shown;
}
