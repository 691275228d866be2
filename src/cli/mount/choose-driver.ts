import { EXIT, UserError } from '../../core/errors.ts';

/**
 * The driver that mounts: the one that was asked for, in any case; otherwise the first that can run here.
 * @param order never empty
 * @param whyNot what a driver lacks here, with the way out; undefined if it can run
 * @throws UserError with what each driver lacks
 */
export async function chooseDriver<Name extends string>(
  asked: Name | undefined,
  order: readonly Name[],
  whyNot: (name: Name) => Promise<string | undefined>,
): Promise<Name> {
  if (asked !== undefined) return asked;
  const lacks = new Map<Name, string>();
  for (const name of order) {
    const reason = await whyNot(name);
    if (reason === undefined) return name;
    lacks.set(name, reason);
  }
  throw new UserError(
    `${nothingRuns(lacks)}\nkgraphfs doctor checks everything that a mount needs`,
    EXIT.cannotMount,
  );
}

/** The error if no driver can run. What all of them lack is said once. */
function nothingRuns(lacks: ReadonlyMap<string, string>): string {
  const reasons = new Set(lacks.values());
  if (reasons.size === 1) return `nothing can be mounted here: ${[...reasons].join()}`;
  const lines = Array.from(lacks, ([name, reason]) => `  driver ${name}: ${reason}`);
  return `nothing can be mounted here; one of these has to be fixed:\n${lines.join('\n')}`;
}
