/** A place in the docs or in the tree. */
export interface Place {
  /** For a document, relative to the docs; else a path of the tree without its leading slash. */
  readonly path: string;
  /** 1-based. */
  readonly line?: number | undefined;
  /** Inclusive. */
  readonly endLine?: number | undefined;
}

const LINES = /(?::(\d+)(?:[-–](\d+))?|#L(\d+)(?:-L?(\d+))?)$/;

/** The place that `docs/charges/create-charge.md:31`, `/docs/charges/create-charge.md#L31-L33` or `charges/create-charge.md` names. */
export function placeNamed(text: string): Place {
  const [found = '', first, last, firstInMark, lastInMark] = LINES.exec(text) ?? [];
  const path = text
    .slice(0, text.length - found.length)
    .replace(/^(?:\.?\/)+/, '')
    .replace(/^docs\//, '');
  const line = numberIn(first ?? firstInMark);
  const endLine = numberIn(last ?? lastInMark);
  return {
    path,
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { endLine }),
  };
}

/** In the form of evidence: `charges/create-charge.md:31`. */
export function citationText({ path, line, endLine }: Place): string {
  if (line === undefined) return path;
  return endLine === undefined || endLine <= line ? `${path}:${line}` : `${path}:${line}-${endLine}`;
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
