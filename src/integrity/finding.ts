/** The part of a state folder that a finding is about. */
export type CheckedPart = 'index' | 'docs' | 'graph' | 'search' | 'memory' | 'history' | 'commits' | 'state';

/** Something that is wrong with a state folder. */
export interface Finding {
  readonly part: CheckedPart;
  /** A name for programs, such as `document-behind`. */
  readonly problem: string;
  /** A sentence without a full stop. */
  readonly message: string;
  /** The first things that it is about: paths or names. */
  readonly items: readonly string[];
  /** The number of all things that it is about. */
  readonly count: number;
  readonly mended: boolean;
  /** What to do if it was not mended. */
  readonly remedy: string;
}

const MAX_ITEMS = 20;
const REPAIR = 'kgraphfs check --repair';
/** The remedy for a finding that cannot be mended while a daemon works. */
export const STOP_AND_REPAIR = `end the daemons (kgraphfs stop --all), then ${REPAIR}`;

/** A finding that is not mended. Duplicates in `about` count once. */
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
