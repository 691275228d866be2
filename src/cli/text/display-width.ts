/** ASCII, Latin, dashes, arrows and lines of boxes, whose width is the length. Loading what splits other text into characters takes 10 ms. */
const PLAIN = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2190-\u21ff\u2500-\u257f]*$/;
/** East Asian Width W and F of Unicode's EastAsianWidth.txt, by blocks. */
const WIDE =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Emoji}\u{fe0f}|\p{Regional_Indicator}{2})/u;
/** Marks that are drawn over the preceding character, and characters that are not drawn at all. */
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\u115f\u1160]+$/u;

let segmenter: Intl.Segmenter | undefined;

/** The number of columns that a one-line text takes on a terminal. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of charactersOf(text)) width += characterWidth(character);
  return width;
}

/** The beginning of a text that fits into so many columns, with `…` at the end if something is cut off. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of charactersOf(text)) {
    width += characterWidth(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** The characters of a text as a person sees them. */
function* charactersOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

function characterWidth(character: string): 0 | 1 | 2 {
  if (INVISIBLE.test(character)) return 0;
  return WIDE.test(character) || EMOJI.test(character) ? 2 : 1;
}
