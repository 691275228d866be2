import type { ContextManifest } from '../context/manifest.ts';
import { citedPlaces } from './cited-places.ts';
import { citationText, type Place, placeNamed } from './place.ts';

interface LineRange {
  readonly line: number;
  readonly endLine: number;
}

/** Fields of a tool's answer that contain the text of files, whoever has written it, rather than its place, or that only repeat the question. */
const NO_PLACES = new Set(['text', 'snippet', 'content', 'call', 'more', 'error', 'duration_ms', 'revision']);
/** Fields in which each text is a place, with or without a line. */
const PLACES = new Set(['path', 'evidence', 'sources', 'source_paths']);
/** A place after a statement: `Invoice creates Charge (charges/create-charge.md:31)`. */
const PLACE_AT_END = /\(([^()]+:\d+(?:-\d+)?)\)$/;
const MADE = /^\/(?:graph|search|context\/for|context\/summary)\//;
const MAX_DEPTH = 8;

/** The places of everything that a model was shown, which it may cite. */
export class ShownPlaces {
  /** By path, in the order in which they were shown. Without ranges: the whole file, or just that it exists. */
  readonly #byPath = new Map<string, LineRange[]>();

  /** @param manifest of the context that the model was given */
  addContext({ selected, facts, paths }: ContextManifest): void {
    for (const { path, line, endLine } of selected)
      this.#add({ ...placeNamed(path), ...(line > 0 ? { line, endLine } : {}) });
    for (const { evidence } of [...paths.flatMap(({ steps }) => steps), ...facts])
      for (const text of evidence) this.#add(placeNamed(text));
  }

  /** @param reply of a tool */
  addReply(reply: Readonly<Record<string, unknown>>): void {
    this.#addFrom(reply, undefined, 0);
    const { path, text } = reply;
    // Pages that are made from graph and search cite the places of their content.
    if (typeof path === 'string' && typeof text === 'string' && MADE.test(path))
      for (const place of citedPlaces(text)) this.#add(place);
  }

  /** The place as it was shown; undefined if it was not. A place without folders means the only file with that name. */
  shown(place: Place): Place | undefined {
    const path = this.#byPath.has(place.path) ? place.path : this.#onlyOneNamed(place.path);
    const ranges = path === undefined ? undefined : this.#byPath.get(path);
    if (path === undefined || ranges === undefined) return undefined;
    const { line, endLine } = place;
    if (line === undefined) return { path };
    const isShown = ranges.some((range) => range.line <= (endLine ?? line) && line <= range.endLine);
    return isShown ? { ...place, path } : undefined;
  }

  /** All places in the order in which they were shown. */
  list(): string[] {
    return [...this.#byPath].flatMap(([path, ranges]) =>
      ranges.length === 0 ? [path] : ranges.map(({ line }) => citationText({ path, line })),
    );
  }

  #onlyOneNamed(name: string): string | undefined {
    const [found, other] = [...this.#byPath.keys()].filter((path) => path.endsWith(`/${name}`));
    return other === undefined ? found : undefined;
  }

  #add({ path, line, endLine = line }: Place): void {
    const ranges = this.#byPath.get(path) ?? [];
    this.#byPath.set(path, ranges);
    if (line === undefined || endLine === undefined) return;
    if (!ranges.some((range) => range.line === line && range.endLine >= endLine))
      ranges.push({ line, endLine });
  }

  #addFrom(value: unknown, field: string | undefined, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (typeof value === 'string') this.#addText(value, field);
    else if (Array.isArray(value)) for (const item of value) this.#addFrom(item, field, depth + 1);
    else if (typeof value === 'object' && value !== null) {
      const fields = Object.fromEntries(Object.entries(value));
      const place = quotedPlace(fields);
      if (place !== undefined) this.#add(place);
      for (const [name, item] of Object.entries(fields)) {
        if (NO_PLACES.has(name) || (name === 'path' && place !== undefined)) continue;
        this.#addFrom(item, name, depth + 1);
      }
    }
  }

  #addText(text: string, field: string | undefined): void {
    if (field !== undefined && PLACES.has(field)) {
      this.#add(placeNamed(text));
      return;
    }
    const place = PLACE_AT_END.exec(text)?.[1];
    if (place !== undefined) this.#add(placeNamed(place));
  }
}

/** The lines of a file that are quoted beside its path: as many as the text has, from the given line on. */
function quotedPlace(fields: Readonly<Record<string, unknown>>): Place | undefined {
  const { path, line, text, snippet } = fields;
  if (typeof path !== 'string') return undefined;
  const quoted = typeof text === 'string' ? text : snippet;
  const place = placeNamed(path);
  const first = typeof line === 'number' ? line : place.line;
  if (first === undefined || first < 1 || typeof quoted !== 'string') return undefined;
  const endLine = Math.max(first + quoted.split('\n').length - 1, place.endLine ?? first);
  return { path: place.path, line: first, endLine };
}
