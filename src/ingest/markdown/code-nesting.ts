/** How far a line of JavaScript is within brackets, comments and templates, by its characters alone. */

export interface Nesting {
  /** How many brackets are open. */
  readonly brackets: number;
  /** What ends the template or the comment that the line is in. */
  readonly until: '`' | '*/' | undefined;
}

export const OUTSIDE: Nesting = { brackets: 0, until: undefined };

/**
 * Brackets, and what may have such that do not count: comments, texts and regular expressions. An apostrophe behind a letter is one of the text within an
 * element, and so are the slashes of an address. What has no end on its line goes on to the end of it, so that a line is read once.
 */
const PARTS =
  /\\.|(?<!:)\/\/.*|\/\*|`|(?<!\w)"(?:[^"\\]|\\.)*"?|(?<!\w)'(?:[^'\\]|\\.)*'?|(?<=[=(,:!&|?[{;]\s?)\/(?:[^/\\[\s]|\\.|\[(?:[^\]\\]|\\.){1,50}\]|[ ]){1,100}\/|[()[\]{}]/g;
const ENDS = { '`': /\\.|`/g, '*/': /\*\//g };

/** @param line without its break */
export function nestingAfter(line: string, before: Nesting): Nesting {
  let { brackets, until } = before;
  let at = 0;
  while (at < line.length) {
    const pattern = until === undefined ? PARTS : ENDS[until];
    pattern.lastIndex = at;
    const part = pattern.exec(line)?.[0];
    if (part === undefined) break;
    at = pattern.lastIndex;
    if (until !== undefined) {
      if (part === until) until = undefined;
    } else if (part === '`') until = '`';
    else if (part === '/*') until = '*/';
    else if ('([{'.includes(part)) brackets += 1;
    else if (')]}'.includes(part)) brackets -= 1;
  }
  return { brackets, until };
}
