import { z } from 'zod';
import { printable, printableName } from '../../text/printable.ts';

const entrySchema = z.looseObject({
  timestamp: z.string(),
  event_type: z.string(),
  actor: z.string(),
  path: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  session_id: z.string(),
});
type Entry = z.infer<typeof entrySchema>;

/** How many paths of a burst fit on a line. */
const SHOWN_PATHS = 3;
const TYPE_WIDTH = 8;

/** Parses an entry of the history. @throws Error if it is none */
export function parseEntry(line: string): Entry {
  return entrySchema.parse(JSON.parse(line));
}

/** An entry for a person to read: when, what, where and who, with a line feed. */
export function historyLine(line: string): string {
  const { timestamp, ...event } = parseEntry(line);
  return `${printable(timestamp)} ${eventLine(event)}\n`;
}

/** What, where and who, on one line. */
export function eventLine({
  event_type,
  actor,
  path,
  data = {},
}: Pick<Entry, 'event_type' | 'actor' | 'path' | 'data'>): string {
  const parts = [
    event_type.padEnd(TYPE_WIDTH),
    path === undefined ? burstText(data) : printableName(path),
    `by ${actor}`,
    detail(data),
  ];
  return printable(parts.filter((part) => part !== '').join('  '));
}

function burstText({ paths, count }: Readonly<Record<string, unknown>>): string {
  if (!Array.isArray(paths)) return '';
  const shown = paths.slice(0, SHOWN_PATHS).join(' ');
  return paths.length > SHOWN_PATHS || Number(count) > paths.length ? `${shown} … (${count} in all)` : shown;
}

function detail({ query, to, from, version }: Readonly<Record<string, unknown>>): string {
  if (typeof query === 'string') return `"${query}"`;
  if (typeof to === 'string') return `to ${to}`;
  if (typeof from === 'string') return `from ${from}`;
  return typeof version === 'number' ? `version ${version}` : '';
}
