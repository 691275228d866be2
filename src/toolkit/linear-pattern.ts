import { RE2JS, RE2JSSyntaxException } from 're2js';
import { EXIT, UserError } from '../core/errors.ts';
import type { PathPattern } from '../core/search.ts';

/**
 * A regular expression in the syntax of RE2, which takes time in proportion to the text. The expression comes from a model, and one such as `(a+)+$`
 * would keep a RegExp busy for hours.
 * @throws UserError if it is not a regular expression
 */
export function linearPattern(source: string): PathPattern {
  try {
    const pattern = RE2JS.compile(source);
    return { source, flags: 're2', test: (text) => pattern.matcher(text).find() };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw new UserError(
      `path_regex: ${error.message}; the syntax is that of RE2, without look-around`,
      EXIT.wrongUsage,
      {
        cause: error,
      },
    );
  }
}
