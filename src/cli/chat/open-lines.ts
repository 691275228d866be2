import type { HistoryTable } from '../../store/history-table.ts';
import type { Io } from '../io.ts';
import { type Lines, PipedLines } from './lines.ts';
import { pastQuestions } from './past.ts';
import { SLASH_WORDS } from './slash.ts';
import { TerminalLines } from './terminal-lines.ts';

/** Takes questions from the terminal if a person types them, otherwise from a file or pipe. */
export function openLines(
  { input, out, terminal }: Pick<Io, 'input' | 'out' | 'terminal'>,
  history: Pick<HistoryTable, 'select'>,
): { readonly lines: Lines; readonly isInteractive: boolean } {
  if (terminal === undefined) return { lines: new PipedLines(input), isInteractive: false };
  const lines = new TerminalLines(terminal, {
    prompt: out.style('bold', '> '),
    promptForMore: out.style('bold', '… '),
    history: pastQuestions(history),
    words: SLASH_WORDS,
    hint: '(Ctrl-C again or Ctrl-D ends the chat)',
  });
  return { lines, isInteractive: true };
}
