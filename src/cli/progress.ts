import { clearTimeout, setTimeout } from 'node:timers';
import type { Output } from './io.ts';

/** How far a long task is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** A line that shows the progress of a task, on a terminal and only if the task takes a moment. */
export interface ProgressBar {
  update(progress: Progress): void;
  /** Removes the line. */
  end(): void;
}

/** A task that is done sooner shows no bar. */
const SHOWN_AFTER_MS = 500;
const BAR_CHARACTERS = 30;

/** @param startMs when the task began, on the clock of `performance.now()` */
export function progressBar(output: Output, label: string, startMs = performance.now()): ProgressBar {
  let isShown = false;
  let latest: Progress = { done: 0, total: 0 };
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    isShown = true;
    output.write(`\r\u001b[K${barText(label, latest)}`);
  };
  return {
    update(progress) {
      if (!output.isTerminal) return;
      latest = progress;
      const waitMs = startMs + SHOWN_AFTER_MS - performance.now();
      if (waitMs <= 0) show();
      // The next update may be seconds away.
      else timer ??= setTimeout(show, waitMs).unref();
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
      if (isShown) output.write('\r\u001b[K');
      isShown = false;
    },
  };
}

/** The text of a bar: `indexing ██████░░░░ 640 of 1000`. */
export function barText(label: string, { done, total }: Progress): string {
  const full = total === 0 ? BAR_CHARACTERS : Math.floor((done / total) * BAR_CHARACTERS);
  return `${label} ${'█'.repeat(full)}${'░'.repeat(BAR_CHARACTERS - full)} ${done} of ${total}`;
}
