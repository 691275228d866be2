/** With one of these signs before or after it, the word is a name: `@everyone`, `nobody:nogroup`. */
const PRONOUN = /(?<![\w@#`"'/:.-])(?:any|every|no|some)(?:body|one)(?![\w`"/:-])/gi;

/** The words of a text that stand for any person, in lower case: "can somebody else read it" is "can others read it". */
export function pronounsIn(text: string): Set<string> {
  return new Set(text.match(PRONOUN)?.map((word) => word.toLowerCase()));
}
