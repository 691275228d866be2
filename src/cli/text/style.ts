/** The start and end of each look, as SGR codes of ECMA-48. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

type Look = keyof typeof CODES;

/** Gives a text a look if the output shows looks; otherwise returns it unchanged. */
export type Style = (look: Look, text: string) => string;

export function styleFor(isColoured: boolean): Style {
  if (!isColoured) return (_look, text) => text;
  return (look, text) => {
    const [start, end] = CODES[look];
    return `\u001b[${start}m${text}\u001b[${end}m`;
  };
}
