/** With one of these signs before or after it, the word is a name: `@everyone`, `nobody:nogroup`. */
const PRONOUN = /(?<![\w@#`"'/:.-])(?:any|every|no|some)(?:body|one)(?![\w`"/:-])/gi;

/** What follows here tells which one is meant, so it does not count: "the one I read", but not "the one time password". */
const THE_ONE =
  /(?<=\b(?:the|this|that|which|another|each|every)\s)ones?(?=\s+(?:i|we|you|he|she|it|they|that|which|who|whose|with|for|of|from|in|on|at|to|is|are|was|were|has|had)\b|\s*[,.;:!?)]|\s*$)/gi;

/**
 * The words of a text that stand for any person, or for what another word names, in lower case: "can somebody else read it" is "can others read it",
 * and in "which notes lead to the one I read" the one is a note.
 */
export function pronounsIn(text: string): Set<string> {
  const found = [...(text.match(PRONOUN) ?? []), ...(text.match(THE_ONE) ?? [])];
  return new Set(found.map((word) => word.toLowerCase()));
}
