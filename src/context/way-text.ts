import { printableName } from '../text/printable.ts';
import type { FactPath } from './manifest.ts';

/** `Subscription → Invoice ← Customer`: a step that is walked against its direction is written as `←`. */
export function wayText({ nodes, steps }: FactPath): string {
  return nodes
    .map((node, index) => {
      const step = steps[index];
      const name = printableName(node);
      return step === undefined ? name : `${name} ${step.from === node ? '→' : '←'}`;
    })
    .join(' ');
}
