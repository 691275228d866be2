/** The parts of the package yaml that read a text without composing it. */
export interface YamlReading {
  readonly Lexer: new () => { lex(source: string): Iterable<string> };
  readonly Parser: new () => { readonly stack: readonly unknown[]; next(lexeme: string): Iterable<unknown> };
}

/** Nothing that people write is as deep. */
const MAX_DEPTH = 200;
/** A level within another takes one of these at least. */
const LEVEL_MARKS = /[[{?:-]/g;

export const TOO_DEEP_YAML = `it is nested more than ${MAX_DEPTH} levels deep`;

/**
 * Whether YAML is nested so deep that it must not be composed. That calls itself for each level, and where V8 compiles a pattern with next to no stack
 * left, it ends the whole process; so catching what is thrown is no way out.
 */
export function isTooDeepYaml(source: string, { Lexer, Parser }: YamlReading): boolean {
  if ((source.match(LEVEL_MARKS)?.length ?? 0) <= MAX_DEPTH) return false;
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(source)) {
    for (const token of parser.next(lexeme)) void token;
    if (parser.stack.length > MAX_DEPTH) return true;
  }
  return false;
}
