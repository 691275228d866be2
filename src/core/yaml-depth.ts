/** The parts of the package yaml that read a text without composing it. */
export interface YamlReading {
  readonly Lexer: new () => { lex(source: string): Iterable<string> };
  readonly Parser: new () => { readonly stack: readonly unknown[]; next(lexeme: string): Iterable<unknown> };
}

/** Nothing that people write is nested as deeply. */
const MAX_DEPTH = 200;
/** Each level of nesting takes at least one of these characters. */
const LEVEL_MARKS = /[[{?:-]/g;

export const TOO_DEEP_YAML = `it is nested more than ${MAX_DEPTH} levels deep`;

/**
 * Whether YAML is nested too deeply to be composed. The composer recurses at each level, and if V8 has to compile a regular expression with almost no
 * stack left, it ends the whole process, so catching an error would be no way out.
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
