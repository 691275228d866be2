import { isoTime } from '../../core/iso-time.ts';
import { type MemoryEntry, type MemoryLink, type MemoryPlace, placeText } from '../../core/memory-entry.ts';
import { contentView } from '../../exchange/export-memory.ts';
import type { MemoryVersion } from '../../memory/memory.ts';
import { entryText } from '../../memory-graph/entry-text.ts';
import { counted } from '../../text/counted.ts';
import { printable, printableName } from '../../text/printable.ts';
import type { Output } from '../io.ts';
import { cutToWidth } from './display-width.ts';
import { writePairs, writeTable } from './table.ts';

/** Much of the first line of a content, even in a pipe: an entry of one line may be a whole page. */
const FIRST_LINE_COLUMNS = 200;

/** A relation of an entry as JSON shows it. `out` leads from the entry, `in` to it. */
export interface RelationView {
  readonly relation: string;
  readonly direction: 'out' | 'in';
  readonly entry: string;
  readonly weight: number;
}

/** An entry as JSON shows it. Metadata that was not given is null. */
export function entryView(entry: MemoryEntry) {
  return {
    key: entry.key,
    memory_type: entry.type,
    ...contentView(entry.content),
    size_bytes: entry.content.byteLength,
    confidence: entry.confidence ?? null,
    tags: entry.tags,
    source_paths: entry.sourcePaths,
    provenance: entry.provenance,
    ttl: entry.ttlSeconds ?? null,
    access_count: entry.accessCount,
    created_at: isoTime(entry.createdMs),
    updated_at: isoTime(entry.updatedMs),
    expires_at: isoTime(entry.expiresMs) ?? null,
    removed_at: isoTime(entry.removedMs) ?? null,
    session: entry.session ?? null,
    actor: entry.actor ?? null,
    reviewer: entry.reviewer ?? null,
    reviewed_at: isoTime(entry.reviewedMs) ?? null,
    version: entry.version,
    duplicate_of: nameOf(entry.duplicateOf),
    superseded_by: nameOf(entry.supersededBy),
  };
}

/** A replaced content as JSON shows it. */
export function versionView({ version, content, updatedMs, replacedMs }: MemoryVersion) {
  return {
    version,
    ...contentView(content),
    written_at: isoTime(updatedMs),
    replaced_at: isoTime(replacedMs),
  };
}

/** The relations of an entry, outgoing ones first. */
export function relationViews(place: MemoryPlace, links: readonly MemoryLink[]): RelationView[] {
  const name = placeText(place);
  const out = links.filter(({ from }) => placeText(from) === name);
  const into = links.filter(({ to }) => placeText(to) === name);
  return [
    ...out.map((link) => relationView(link, 'out', link.to)),
    ...into.map((link) => relationView(link, 'in', link.from)),
  ];
}

function relationView(
  { relation, weight }: MemoryLink,
  direction: 'out' | 'in',
  other: MemoryPlace,
): RelationView {
  return { relation, direction, entry: placeText(other), weight };
}

export function writeEntryTable(output: Output, entries: readonly MemoryEntry[]): void {
  writeTable(output, entries, [
    { title: 'entry', value: placeText, isName: true },
    { title: 'confidence', value: ({ confidence }) => confidence ?? '' },
    { title: 'tags', value: ({ tags }) => tags.join(', ') },
    { title: 'updated', value: ({ updatedMs }) => minuteOf(updatedMs) },
    { title: 'bytes', value: ({ content }) => content.byteLength },
    { title: 'content', value: firstLine },
  ]);
}

/** Writes all that is known of an entry, for a person to read. */
export function writeEntryPage(
  output: Output,
  entry: MemoryEntry,
  relations: readonly RelationView[],
  earlierVersions: number,
): void {
  output.write(`${output.style('bold', printableName(placeText(entry)))}\n`);
  writePairs(output, factsOf(entry, earlierVersions));
  for (const { relation, direction, entry: other, weight } of relations) {
    const arrow = direction === 'out' ? '→' : '←';
    output.write(
      `${output.style('cyan', relation)} ${arrow} ${printableName(other)} ${output.style('dim', `${weight}`)}\n`,
    );
  }
  output.write(`\n${shownContent(entry.content)}\n`);
}

function factsOf(entry: MemoryEntry, earlierVersions: number): [string, string | number][] {
  const { confidence, tags, sourcePaths, provenance, ttlSeconds, expiresMs, duplicateOf, supersededBy } =
    entry;
  const { actor, session, createdMs, updatedMs, reviewer, reviewedMs, version, accessCount } = entry;
  const made = [
    minuteOf(createdMs),
    ...(actor ? [`by ${actor}`] : []),
    ...(session ? [`in session ${session}`] : []),
  ];
  const facts: [string, string | number | undefined][] = [
    ['confidence', confidence],
    ['tags', tags.join(', ')],
    ['sources', sourcePaths.join(', ')],
    ...Object.entries(provenance),
    ['made', made.join(' ')],
    ['changed', `${minuteOf(updatedMs)}, version ${version}`],
    ['kept', earlierVersions === 0 ? undefined : counted(earlierVersions, 'earlier content')],
    ['read', counted(accessCount, 'time')],
    [
      'expires',
      expiresMs === undefined ? undefined : `${minuteOf(expiresMs)}, ${ttlSeconds} s after a change`,
    ],
    ['accepted', reviewedMs === undefined ? undefined : `${minuteOf(reviewedMs)} by ${reviewer}`],
    ['same as', nameOf(duplicateOf) ?? undefined],
    ['superseded by', nameOf(supersededBy) ?? undefined],
  ];
  return facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]]));
}

/** The lines of a content, with what could move the cursor of a terminal made visible. */
function shownContent(content: Uint8Array): string {
  const { content: text, encoding } = contentView(content);
  if (encoding !== undefined)
    return `(${content.byteLength} bytes that are not text; kgraphfs vfs read prints them)`;
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(printableLine).join('\t'))
    .join('\n');
}

/** A line made safe to print. White space within it is kept. */
function printableLine(text: string): string {
  return text.split(' ').map(printable).join(' ');
}

function firstLine({ content }: MemoryEntry): string {
  const { text } = entryText(content);
  return cutToWidth(text.trimStart().split('\n', 1)[0] ?? '', FIRST_LINE_COLUMNS);
}

function nameOf(place: MemoryPlace | undefined): string | null {
  return place === undefined ? null : placeText(place);
}

/** A time to the minute: `2026-01-31 12:00Z`. */
function minuteOf(ms: number): string {
  return `${isoTime(ms).slice(0, 16).replace('T', ' ')}Z`;
}
