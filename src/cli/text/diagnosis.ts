import type { CheckState } from '../../doctor/check.ts';
import type { Diagnosis } from '../../doctor/diagnose.ts';
import { printable } from '../../text/printable.ts';
import type { Output } from '../io.ts';
import { GAP } from './table.ts';

const LOOKS = { ok: 'green', warning: 'yellow', failure: 'red' } as const satisfies Record<
  CheckState,
  string
>;
const STATE_WIDTH = 'failure'.length;

/** The diagnosis as JSON shows it, with null for what is absent. */
export function diagnosisView({ canMount, driver, checks }: Diagnosis): unknown {
  return {
    can_mount: canMount,
    driver: driver ?? null,
    checks: checks.map(({ check, state, finding, meaning = null, remedy = null }) => ({
      check,
      state,
      finding,
      meaning,
      remedy,
    })),
  };
}

/** Writes a line for each check. Below those that failed it says what that means and how to repair it. */
export function writeDiagnosis(output: Output, { canMount, driver, checks }: Diagnosis): void {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const indent = ' '.repeat(STATE_WIDTH + width + 2 * GAP.length);
  for (const { check, state, finding, meaning, remedy } of checks) {
    const mark = output.style(LOOKS[state], state.padEnd(STATE_WIDTH));
    output.write(`${mark}${GAP}${check.padEnd(width)}${GAP}${printable(finding)}\n`);
    if (meaning !== undefined) output.write(`${indent}${printable(meaning)}\n`);
    if (remedy !== undefined) output.write(`${indent}fix: ${printable(remedy)}\n`);
  }
  output.write(
    canMount
      ? `kgraphfs can mount here, with the driver ${driver}\n`
      : 'kgraphfs cannot mount here until the failures are fixed\n',
  );
}
