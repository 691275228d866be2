import { type AnyArguments, COMMON_OPTIONS } from './command.ts';

/** What produced an answer that was computed: every such `--json` answer has it. */
export interface Provenance {
  /** The command with its own arguments, as given or by default; where docs and state are on this machine is left out. */
  readonly call: { readonly command: string; readonly args: AnyArguments };
  readonly duration_ms: number;
  /** Of the docs' graph, as it was when the answer was made; null where the answer is of something else, such as what is staged. */
  readonly revision: number | null;
}

/** Counts the time from now on. What it gives back is called when the answer is there. */
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
