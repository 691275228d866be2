import type { Output } from './io.ts';

/** How far a long work is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** A line that shows how far a work is, on a terminal and only where it takes a moment. */
export interface ProgressBar {
  update(progress: Progress): void;
  /** Takes the line away. */
  end(): void;
}

/** A work that is done sooner shows no bar. */
const SHOWN_AFTER_MS = 500;
const BAR_CHARACTERS = 30;

/** @param startMs when the work began, as `performance.now()` counts */
export function progressBar(output: Output, label: string, startMs = performance.now()): ProgressBar {
  let isShown = false;
  return {
    update(progress) {
      if (!output.isTerminal || performance.now() - startMs < SHOWN_AFTER_MS) return;
      isShown = true;
      output.write(`\r\u001b[K${barText(label, progress)}`);
    },
    end() {
      if (isShown) output.write('\r\u001b[K');
      isShown = false;
    },
  };
}

/** `indexing ██████░░░░ 640 of 1000`. */
export function barText(label: string, { done, total }: Progress): string {
  const full = total === 0 ? BAR_CHARACTERS : Math.floor((done / total) * BAR_CHARACTERS);
  return `${label} ${'█'.repeat(full)}${'░'.repeat(BAR_CHARACTERS - full)} ${done} of ${total}`;
}
