/** Turns of a conversation as an entry of memory: markdown in which search finds who said what and when, and from which the messages can be read back. */
import { isoTime, isTime } from '../../core/iso-time.ts';
import { jsonOrUndefined } from '../../core/json-text.ts';
import { bestSentences } from '../extract.ts';
import { type ChatMessage, messageSchema, textOfMessage } from '../messages.ts';

/** Consecutive turns, numbered from 1 within their conversation. */
export interface Page {
  readonly conversation: string;
  readonly first: number;
  readonly turns: readonly (readonly ChatMessage[])[];
}

export interface ReadPage extends Page {
  readonly summary: string;
}

const TITLE =
  /^# Conversation (?<conversation>\S+), turns? (?<first>\d+)(?: to \d+)?\n\n(?:Summary: (?<summary>[^\n]*)\n\n)?/;
const HEADING = /^## Turn (\d+), ([^\n]*)\n\n/gm;
/** A line of a message that looks like a heading of ours gets one more backslash. */
const LIKE_HEADING = /^(\\*)(?=## Turn )/gm;
const WHOLE = /\n\n```json message\n([^\n]*)\n```$/;
const SUMMARY_SENTENCES = 3;
const MAX_SUMMARY_LENGTH = 500;
const MAX_HEADING_LENGTH = 120;

export function pageText({ conversation, first, turns }: Page): string {
  const last = first + turns.length - 1;
  const range = last === first ? `turn ${first}` : `turns ${first} to ${last}`;
  const summary = summaryOf(turns);
  const head = `# Conversation ${conversation}, ${range}\n\n${summary === '' ? '' : `Summary: ${summary}\n\n`}`;
  const said = turns.flatMap((messages, index) =>
    messages.map((message) => `## Turn ${first + index}, ${speakerOf(message)}\n\n${bodyOf(message)}\n\n`),
  );
  return head + said.join('');
}

/** Reads a page; undefined if it is not such an entry. */
export function readPage(text: string): ReadPage | undefined {
  const title = TITLE.exec(text);
  const { conversation, first, summary = '' } = title?.groups ?? {};
  if (title === null || conversation === undefined || first === undefined) return undefined;
  const headings = [...text.matchAll(HEADING)];
  const turns: ChatMessage[][] = [];
  for (const [index, heading] of headings.entries()) {
    const number = Number(heading[1]) - Number(first);
    const body = text.slice(heading.index + heading[0].length, headings[index + 1]?.index ?? text.length);
    const message = messageOf(body.replace(/\n\n$/, ''), heading[2] ?? '');
    if (message === undefined || number < 0 || number > turns.length) return undefined;
    const turn = turns[number];
    if (turn === undefined) turns.push([message]);
    else turn.push(message);
  }
  return { conversation, first: Number(first), turns, summary };
}

/** The role, the name if there is one, and when it was said, as far as the message says. */
export function speakerOf(message: ChatMessage): string {
  const { role, name } = message;
  const parts = [role, name, timeOf(message)].filter((part) => part !== undefined && part !== '');
  return parts.join(', ').replace(/\s+/g, ' ').slice(0, MAX_HEADING_LENGTH);
}

function timeOf(message: ChatMessage): string | undefined {
  const value = ['timestamp', 'created_at', 'date', 'time']
    .map((key) => message[key])
    .find((one) => one !== undefined);
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  // Values below are seconds (until the year 5138), larger ones milliseconds (since 1973).
  const ms = value < 1e11 ? value * 1000 : value;
  return isTime(ms) ? isoTime(ms) : undefined;
}

/** The text; if that is not all of the message, also its JSON. */
function bodyOf(message: ChatMessage): string {
  const { role, content, ...rest } = message;
  const isPlain = typeof content === 'string' && content.isWellFormed() && speakerOf(message) === role;
  const text = textOfMessage(message).toWellFormed().replace(LIKE_HEADING, '$1\\');
  if (isPlain && Object.keys(rest).length === 0 && !WHOLE.test(`\n\n${text}`)) return text;
  const calls = (message.tool_calls ?? []).map((call) => `calls ${callText(call)}`);
  return `${[text, ...calls].filter((part) => part !== '').join('\n')}\n\n\`\`\`json message\n${JSON.stringify(message)}\n\`\`\``;
}

function callText(call: Readonly<Record<string, unknown>>): string {
  const { function: called } = call;
  const has = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null;
  return has(called) ? `${called['name']} ${called['arguments']}` : `${call['id']}`;
}

function messageOf(body: string, speaker: string): ChatMessage | undefined {
  const whole = WHOLE.exec(`\n\n${body}`)?.[1];
  if (whole === undefined) return { role: speaker, content: body.replace(/^\\(?=\\*## Turn )/gm, '') };
  const read = messageSchema.safeParse(jsonOrUndefined(whole));
  return read.success ? read.data : undefined;
}

function summaryOf(turns: Page['turns']): string {
  const text = turns
    .flat()
    .filter(({ role }) => role !== 'tool')
    .map(textOfMessage)
    .join('\n\n');
  const sentences = bestSentences(text, { limit: SUMMARY_SENTENCES }).sort((a, b) => a.line - b.line);
  return sentences
    .map((sentence) => sentence.text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .slice(0, MAX_SUMMARY_LENGTH)
    .toWellFormed()
    .trim();
}
