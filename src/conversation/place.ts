/** A place of the docs or of the tree. */
export interface Place {
  /** Of a document, relative to the docs; else of the tree, without a slash before it. */
  readonly path: string;
  /** 1-based. */
  readonly line?: number | undefined;
  /** Inclusive. */
  readonly endLine?: number | undefined;
}

const LINES = /(?::(\d+)(?:[-–](\d+))?|#L(\d+)(?:-L?(\d+))?)$/;

/** What `docs/charges/create-charge.md:31`, `/docs/charges/create-charge.md#L31-L33` and `charges/create-charge.md` name. */
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

/** As evidence names it: `charges/create-charge.md:31`. */
export function citationText({ path, line, endLine }: Place): string {
  if (line === undefined) return path;
  return endLine === undefined || endLine <= line ? `${path}:${line}` : `${path}:${line}-${endLine}`;
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
