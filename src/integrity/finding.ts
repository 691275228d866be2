/** What of a state folder a finding is about. */
export type CheckedPart = 'index' | 'docs' | 'graph' | 'search' | 'memory' | 'history' | 'commits' | 'state';

/** Something that is wrong with a state folder. */
export interface Finding {
  readonly part: CheckedPart;
  /** A name for programs, such as `document-behind`. */
  readonly problem: string;
  /** A sentence without a full stop. */
  readonly message: string;
  /** What it is about, the first of it: paths, names. */
  readonly items: readonly string[];
  /** Count of all that it is about. */
  readonly count: number;
  readonly mended: boolean;
  /** What to do where it is not mended. */
  readonly remedy: string;
}

const MAX_ITEMS = 20;
const REPAIR = 'kgraphfs check --repair';
/** The remedy of what is not mended under a daemon. */
export const STOP_AND_REPAIR = `end the daemons (kgraphfs stop --all), then ${REPAIR}`;

/** A finding that is not mended, about each of these once. */
export function finding(
  part: CheckedPart,
  problem: string,
  message: string,
  about: Iterable<string>,
  remedy = REPAIR,
): Finding {
  const items = [...new Set(about)].sort();
  return {
    part,
    problem,
    message,
    items: items.slice(0, MAX_ITEMS),
    count: items.length,
    mended: false,
    remedy,
  };
}

export function mended(one: Finding): Finding {
  return { ...one, mended: true };
}
