import type { OutlineFinding } from '../../core/outline.ts';
import { nearest } from '../../text/near.ts';
import type { MarkdownSource } from '../markdown/source.ts';
import type { InlineBlock } from './inline-blocks.ts';
import type { SourceLines } from './source-lines.ts';

/** How many names are compared with definitions to find a suggestion. Beyond that, findings are reported without one. */
const MAX_COMPARED = 1_000_000;

/**
 * `[text][name]` and `[name][]` whose name is defined nowhere, and footnotes without a text in a document that has footnotes. A name alone in brackets is never
 * taken for a link, since most are not meant as one.
 */
export class References {
  readonly #source: MarkdownSource;
  readonly #lines: SourceLines;
  readonly #findings: OutlineFinding[] = [];
  #footnotes: ReadonlySet<string> | undefined;
  #labels: readonly string[] | undefined;
  #compared = 0;

  constructor(source: MarkdownSource, lines: SourceLines) {
    this.#source = source;
    this.#lines = lines;
  }

  add(block: InlineBlock): void {
    for (const { name, start, isBeforeLink } of this.#source.places.missing.get(block.children) ?? []) {
      if (isBeforeLink || !isReferenceName(name) || /[\w$)\]]/.test(block.content.charAt(start - 1)))
        continue;
      this.#report(block, start, name, `no link is defined as [${name}]`, this.#labelNear(name));
    }
    if (block.content.includes('[^')) this.#addFootnotes(block);
  }

  finish(): readonly OutlineFinding[] {
    return this.#findings;
  }

  #addFootnotes(block: InlineBlock): void {
    this.#footnotes ??= footnotesIn(this.#source.body);
    if (this.#footnotes.size === 0) return;
    const text = block.children.reduce(
      (all, { type, content }) => all + (type === 'text' ? content : ''),
      '',
    );
    const starts = new Map<string, number>();
    let after = 0;
    for (const [label, name = ''] of text.matchAll(/\[\^([^\s[\]^]{1,100})\](?!:)/g)) {
      if (this.#footnotes.has(name.toLowerCase())) continue;
      const start = starts.get(label) ?? Math.max(block.content.indexOf(label, after), after);
      starts.set(label, start);
      after = Math.max(after, start);
      this.#report(block, start, `^${name}`, `no footnote is defined as ${label}`);
    }
  }

  /** The name as the definition writes it. */
  #labelNear(name: string): string | undefined {
    this.#labels ??= labelsIn(this.#source, this.#lines);
    this.#compared += this.#labels.length;
    return this.#compared > MAX_COMPARED ? undefined : nearest(name, this.#labels);
  }

  #report(block: InlineBlock, start: number, target: string, message: string, suggestion?: string): void {
    const place = this.#lines.placeOf(block.content, block.line, start);
    const hint = suggestion === undefined ? {} : { suggestion };
    this.#findings.push({ rule: 'unresolved-reference', ...place, message, target, ...hint });
  }
}

/**
 * Whether a person may have defined a name: it is not an index, a task's box, a pattern, an expression, or a symbol that a documentation generator links to.
 */
function isReferenceName(name: string): boolean {
  return (
    /\p{L}[\p{L}\d]/u.test(name) &&
    !/^[!^@]|[{}<>$\\=;|*+()"'`]|::|: |\w\.\w+(?:\.|$)|^\w-\w$|[\\^]/u.test(name)
  );
}

function labelsIn({ places, bodyLine }: MarkdownSource, lines: SourceLines): string[] {
  return places.definitions.flatMap(({ line }) => {
    const label = /^[\s>]*\[((?:[^[\]\\]|\\.)+)\]:/.exec(lines.at(line + bodyLine))?.[1];
    return label === undefined || label.startsWith('^') ? [] : [label];
  });
}

function footnotesIn(body: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, name = ''] of body.matchAll(/^[ \t>]*\[\^([^\s[\]]{1,100})\]:/gm))
    names.add(name.toLowerCase());
  return names;
}
