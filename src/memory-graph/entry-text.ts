/** How much of an entry is searched for names. */
const MAX_READ_BYTES = 64 << 10;
const MAX_DESCRIPTION_LENGTH = 280;
/** YAML front matter, which is metadata and not a part of what the entry says. Text without a key between two rules is prose. */
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?\r?\n)??(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const KEY_LINE = /^["']?[\w-]+["']?[ \t]*:/m;

export interface EntryText {
  /** The text without front matter; empty for an entry that is not text. */
  readonly text: string;
  /** The line of the entry in which `text` begins, 1-based. */
  readonly firstLine: number;
}

export function entryText(content: Uint8Array): EntryText {
  const head = Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, MAX_READ_BYTES));
  const whole = head.toString('utf8').replace(/^\uFEFF/, '');
  if (whole.includes('\0')) return { text: '', firstLine: 1 };
  const [block = '', keys = ''] = (whole.startsWith('---') && FRONT_MATTER.exec(whole)) || [];
  const front = keys === '' || KEY_LINE.test(keys) ? block : '';
  return { text: whole.slice(front.length), firstLine: 1 + lineFeedsIn(front) };
}

/** The beginning of a text, on one line. */
export function descriptionOf(text: string): string {
  const head = text.slice(0, 4 * MAX_DESCRIPTION_LENGTH).trim();
  const folded = /[^\S ]| {2}/.test(head) ? head.replace(/\s+/g, ' ') : head;
  if (folded.length <= MAX_DESCRIPTION_LENGTH) return folded;
  return `${folded
    .slice(0, MAX_DESCRIPTION_LENGTH)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}

function lineFeedsIn(text: string): number {
  return text.split('\n').length - 1;
}
