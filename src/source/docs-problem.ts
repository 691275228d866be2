import type { Problem } from '../core/graph-model.ts';

/** Why a file or folder of the docs root is not shown, or not read as a whole. `include`: a pattern of that setting fits no file. */
export type DocsProblemCode =
  | 'binary'
  | 'ignore-file'
  | 'include'
  | 'link-outside'
  | 'link-to-hidden'
  | 'name-not-utf8'
  | 'not-utf8'
  | 'oversize'
  | 'path-too-deep'
  | 'path-too-long'
  | 'unreadable';

/** A problem in the docs root that a person should know of. */
export interface DocsProblem extends Problem {
  readonly code: DocsProblemCode;
  /** Relative to the docs root. */
  readonly path: string;
}

export type Report = (problem: DocsProblem) => void;

/** How many problems are remembered as reported. Beyond that, old ones may be reported again. */
const MAX_REMEMBERED = 10_000;

/** A report that passes each problem of a path and line on once, however often it is met. */
export function reportOnce(report: Report): Report {
  const told = new Set<string>();
  return (problem) => {
    const key = `${problem.code}:${problem.line}:${problem.path}`;
    if (told.has(key)) return;
    if (told.size >= MAX_REMEMBERED) told.clear();
    told.add(key);
    report(problem);
  };
}
