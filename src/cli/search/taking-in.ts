import type { App } from '../../app/app.ts';
import type { Output } from '../io.ts';
import { type ProgressBar, progressBar } from '../progress.ts';

/**
 * Shows on a terminal how much of memory a search still has to take in before it can answer, which takes a while after an import. The line is removed when
 * nothing is left. Nothing is shown if that takes only a moment.
 * @returns what `act` does
 */
export async function showingTakingIn<T>(
  output: Output,
  { onTakenIn }: Pick<App, 'onTakenIn'>,
  act: () => Promise<T>,
): Promise<T> {
  if (!output.isTerminal) return act();
  let shown: { readonly bar: ProgressBar; readonly total: number } | undefined;
  const hide = () => {
    shown?.bar.end();
    shown = undefined;
  };
  const end = onTakenIn((left) => {
    if (left === 0) return hide();
    shown ??= { bar: progressBar(output, 'indexing memory'), total: left };
    shown.bar.update({ done: shown.total - left, total: shown.total });
  });
  try {
    return await act();
  } finally {
    end();
    hide();
  }
}
