import type { Outline, OutlineSection } from '../core/outline.ts';
import { NearNames } from '../text/near-names.ts';

type Part = Pick<Outline, 'sections' | 'anchors' | 'isOpenEnded'>;

/** The names of everything in one document that a link can lead to. */
export class AnchorNames {
  readonly #outline: Part;
  readonly #exact = new Set<string>();
  #folded: ReadonlySet<string> | undefined;
  #generated: ReadonlyMap<string, number> | undefined;
  #titles: ReadonlySet<string> | undefined;
  #nearAnchors: NearNames | undefined;
  #nearTitles: NearNames | undefined;

  /** @param parts the document's own, and those of documents that it includes */
  constructor(parts: readonly Part[]) {
    const sections = parts.flatMap((part) => part.sections);
    const anchors = parts.flatMap((part) => part.anchors);
    this.#outline = { sections, anchors, isOpenEnded: parts.some((part) => part.isOpenEnded) };
    for (const { anchor } of [...sections, ...anchors]) this.#exact.add(anchor);
  }

  /** Whether there may be more anchors than are known. */
  get isOpenEnded(): boolean {
    return this.#outline.isOpenEnded;
  }

  /** The name that is most similar to this one. */
  nearestTo(anchor: string): string | undefined {
    this.#nearAnchors ??= new NearNames(this.#exact);
    return this.#nearAnchors.nearestTo(anchor);
  }

  titleNearestTo(title: string): string | undefined {
    this.#nearTitles ??= new NearNames(this.#outline.sections.map((section) => section.title));
    return this.#nearTitles.nearestTo(title);
  }

  /** Whether there is an anchor with this name, be it the one of GitHub, of the document itself, or of another common site generator. */
  has(anchor: string): boolean {
    const name = anchor.replace(/^user-content-/, '');
    return this.#exact.has(name) || this.#exact.has(name.normalize('NFC')) || this.#isGenerated(name);
  }

  hasInAnyCase(anchor: string): boolean {
    this.#folded ??= new Set(Array.from(this.#exact, (name) => name.toLowerCase()));
    return this.#folded.has(anchor.toLowerCase());
  }

  /** Whether there is the heading that a wikilink names: by its text, by each part of `A#B`, or as an anchor. */
  hasHeading(name: string): boolean {
    this.#titles ??= new Set(this.#outline.sections.map(({ title }) => foldTitle(title)));
    const titles = this.#titles;
    return name.split('#').every((part) => titles.has(foldTitle(part)) || this.has(part));
  }

  #isGenerated(name: string): boolean {
    this.#generated ??= generatedNames(this.#outline.sections);
    const numbered = /^(.+?)[-_](\d+)$/.exec(name);
    const count = this.#generated.get(name) ?? 0;
    if (count > 0) return true;
    if (numbered === null) return false;
    const [, base = '', number] = numbered;
    // Generators number all ids of one name together, including those of terms and elements.
    const others = this.#outline.anchors.filter(({ anchor }) => anchor === base).length;
    return (this.#generated.get(base) ?? 0) + others > Number(number);
  }
}

/** How often each name occurs among those that Python-Markdown, VitePress, kramdown or GitLab give to headings. */
function generatedNames(sections: readonly OutlineSection[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const { title } of sections) {
    for (const name of new Set(namesOf(title))) names.set(name, (names.get(name) ?? 0) + 1);
  }
  return names;
}

function namesOf(title: string): string[] {
  const lower = title.trim().toLowerCase();
  const words = lower.replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, '').trim();
  const withoutAccents = lower.normalize('NFKD').replace(/\p{M}/gu, '');
  return [
    // Python-Markdown, GitLab
    words.replace(/[-\s]+/g, '-'),
    withoutAccents
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/[-\s]+/g, '-'),
    // VitePress, VuePress
    withoutAccents
      // biome-ignore lint/suspicious/noControlCharactersInRegex: VitePress treats them like this
      .replace(/[\u0000-\u001f]/g, '')
      .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .replace(/^(\d)/, '_$1'),
    // goldmark, which makes names from the source text
    escapeElements(lower)
      .replace(/[^a-z\d\s_-]/g, '')
      .replace(/[\s_]/g, '-'),
    // Mintlify
    lower.replace(/\s+/g, '-'),
    // kramdown
    lower
      .replace(/^[^\p{L}]+/u, '')
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
    // @sindresorhus/slugify and lodash
    splitWords(title)
      .normalize('NFKD')
      .replace(/['’\p{M}]/gu, '')
      .toLowerCase()
      .replace(/[^a-z\d]+/g, '-')
      .replace(/^-|-$/g, ''),
  ];
}

/** Makes `mount Task Setup MFA` of `mountTaskSetupMFA`. */
function splitWords(title: string): string {
  return title.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z\d])/g, '$1 $2');
}

function escapeElements(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Obsidian leaves out characters that would have a meaning in a link. */
function foldTitle(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replace(/\(\)$/, '')
    .replace(/[!"#$%&()*+,.:;<=>?@^_`{|}~/[\]\\]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
