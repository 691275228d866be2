import { type AnyArguments, COMMON_OPTIONS } from './command.ts';

/** How a computed answer was made. Every such `--json` answer has it. */
export interface Provenance {
  /** The command with its own arguments, as given or by default. The paths of docs and state on this machine are left out. */
  readonly call: { readonly command: string; readonly args: AnyArguments };
  readonly duration_ms: number;
  /** The revision of the docs' graph when the answer was made; null if the answer is about something else, such as staged files. */
  readonly revision: number | null;
}

/** Starts measuring the time. The returned function is called when the answer is complete. */
export function provenanceOf(command: string, args: AnyArguments): (revision: number | null) => Provenance {
  const startMs = performance.now();
  const own = Object.entries(args).filter(
    ([name, value]) => value !== undefined && !(name in COMMON_OPTIONS),
  );
  return (revision) => ({
    call: { command, args: Object.fromEntries(own) },
    duration_ms: Math.round(performance.now() - startMs),
    revision,
  });
}
