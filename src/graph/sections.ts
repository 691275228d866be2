/**
 * Sections of documents as nodes of the graph. The store has no rows for them: the structure of a document says what its sections are and where their
 * links lead, and links to them are found in the structures of the documents that link to theirs.
 */
import { type EdgeType, MAX_WEIGHT } from '../core/graph-model.ts';
import { groupBy } from '../core/group.ts';
import { documentKey, documentPathOf } from '../core/identity.ts';
import { targetsOfLink } from '../core/link-target.ts';
import type { Outline, OutlineSection } from '../core/outline.ts';
import type { Revision } from '../store/nodes.ts';
import type { StoredOutline } from '../store/outlines.ts';
import type { Store } from '../store/store.ts';
import { sectionOfAnchor } from './section-anchors.ts';

/** A relation of a section, seen from the section. */
export interface SectionRelation {
  readonly type: EdgeType;
  /** The other end: the path of a document, or of a section with `#` and its anchor. */
  readonly id: string;
  /** Whether the other end is a document, rather than a section. */
  readonly isDocument: boolean;
  /** How the other end is shown: the label of a document, or the id of a section. */
  readonly display: string;
  readonly weight: number;
  readonly confidence: number;
  readonly evidence: readonly string[];
}

export interface SectionNode extends Omit<OutlineSection, 'parent'> {
  /** `charges/create.md#errors` */
  readonly id: string;
  readonly outgoing: readonly SectionRelation[];
  readonly incoming: readonly SectionRelation[];
}

export interface DocumentSections {
  readonly path: string;
  /** The id of the document's node. */
  readonly nodeId: number | undefined;
  /** In document order. */
  readonly sections: readonly SectionNode[];
  /** The paths of all documents whose structure this depends on. */
  readonly basedOn: readonly string[];
  /** When one of those last changed. */
  readonly changed: Revision;
}

function sectionId(path: string, anchor: string): string {
  return `${path}#${anchor}`;
}

/** The sections of the document at a path; undefined if there is none. */
export function sectionsOf(store: Store, path: string): DocumentSections | undefined {
  const own = store.outlines.of(path);
  return own && new SectionReader(store, own).read();
}

/** Reading the structures of this many linking documents takes about ten milliseconds. */
const MANY_DOCUMENTS = 100;
/** Following this many links takes as long. */
const MANY_STATEMENTS = 1000;

/** The same; undefined if it would take more than a few milliseconds. */
export function sectionsUnlessMany(store: Store, path: string): DocumentSections | undefined {
  const { contributions, keys } = store;
  const id = keys.find(documentKey(path));
  const linking = id === undefined ? [] : contributions.documentsLinkingTo(id, MANY_DOCUMENTS);
  if (linking.length === MANY_DOCUMENTS) return undefined;
  let statements = 0;
  for (const read of new Set([path, ...linking])) {
    statements += contributions.countOf(read);
    if (statements >= MANY_STATEMENTS) return undefined;
  }
  return sectionsOf(store, path);
}

/** The sections of all documents, in the order of their paths. */
export function* allSections(store: Store): Generator<DocumentSections> {
  for (const { path } of store.documents.all()) {
    const sections = sectionsOf(store, path);
    if (sections !== undefined) yield sections;
  }
}

const STRUCTURE_CONFIDENCE = 1;
const LINK_CONFIDENCE = 0.9;

/** A link from one document or section to another. */
interface Reference {
  readonly from: string;
  readonly to: string;
  readonly evidence: string;
}

class SectionReader {
  readonly #store: Store;
  readonly #own: StoredOutline;
  readonly #outlines = new Map<string, StoredOutline | undefined>();
  /** How documents that links lead to or come from are shown, by path. */
  readonly #displays = new Map<string, string>();

  constructor(store: Store, own: StoredOutline) {
    this.#store = store;
    this.#own = own;
    this.#outlines.set(own.path, own);
  }

  read(): DocumentSections {
    const { path, outline } = this.#own;
    const references = [
      ...this.#referencesIn(this.#own),
      ...this.#linkingHere().flatMap((other) => this.#referencesIn(other, path)),
    ];
    const bySource = groupBy(references, ({ from }) => from);
    const byTarget = groupBy(references, ({ to }) => to);
    const byParent = groupBy(outline.sections, ({ parent }) => parent);
    const sections = outline.sections.map((section, index): SectionNode => {
      const { parent, ...shown } = section;
      const id = sectionId(path, section.anchor);
      const children = byParent.get(index) ?? [];
      return {
        ...shown,
        id,
        outgoing: [
          ...children.map((child) =>
            this.#structural('parent_of', sectionId(path, child.anchor), child.line),
          ),
          ...this.#relations(bySource.get(id) ?? [], 'to'),
        ],
        incoming: [...this.#relations(byTarget.get(id) ?? [], 'from'), this.#above(section)].sort(byRank),
      };
    });
    const based = [...this.#outlines.values()].flatMap((outline) => outline ?? []);
    return {
      path,
      nodeId: this.#store.keys.find(documentKey(path)),
      sections,
      basedOn: based.map((stored) => stored.path),
      changed: based.reduce<Revision>(
        (last, { revision, changedMs }) => (revision > last.revision ? { revision, nowMs: changedMs } : last),
        { revision: 0, nowMs: 0 },
      ),
    };
  }

  /** The relation to what contains the section. */
  #above({ parent, line }: OutlineSection): SectionRelation {
    const { path, outline } = this.#own;
    const above = outline.sections[parent];
    return above === undefined
      ? this.#structural('contains', this.#documentId(path), line)
      : this.#structural('parent_of', sectionId(path, above.anchor), line);
  }

  #structural(type: 'contains' | 'parent_of', id: string, line: number): SectionRelation {
    const evidence = [`${this.#own.path}:${line}`];
    return { type, ...this.#end(id), weight: 1, confidence: STRUCTURE_CONFIDENCE, evidence };
  }

  /** One relation for each place that is linked to, or that links here. */
  #relations(references: readonly Reference[], side: 'from' | 'to'): SectionRelation[] {
    const evidenceOf = new Map<string, Set<string>>();
    for (const reference of references) {
      const id = reference[side];
      const evidence = evidenceOf.get(id) ?? new Set();
      evidenceOf.set(id, evidence.add(reference.evidence));
    }
    const relations = Array.from(evidenceOf, ([id, evidence]): SectionRelation => {
      const weight = Math.min(MAX_WEIGHT, evidence.size);
      return {
        type: 'references',
        ...this.#end(id),
        weight,
        confidence: LINK_CONFIDENCE,
        evidence: [...evidence],
      };
    });
    return relations.sort(byRank);
  }

  #end(id: string): Pick<SectionRelation, 'id' | 'isDocument' | 'display'> {
    const display = this.#displays.get(id);
    return { id, isDocument: display !== undefined, display: display ?? id };
  }

  /** The id of a document that is an end of a relation. */
  #documentId(path: string): string {
    if (!this.#displays.has(path)) {
      this.#displays.set(path, this.#store.nodes.byKey(documentKey(path))?.display ?? path);
    }
    return path;
  }

  #linkingHere(): StoredOutline[] {
    const { contributions, keys } = this.#store;
    const id = keys.find(documentKey(this.#own.path));
    const paths = id === undefined ? [] : contributions.documentsLinkingTo(id, Number.MAX_SAFE_INTEGER);
    return paths.flatMap((path) => (path === this.#own.path ? [] : (this.#outlineOf(path) ?? [])));
  }

  /** The links of a document. @param only if given, those to this document */
  #referencesIn({ path, outline }: StoredOutline, only?: string): Reference[] {
    const resolved = this.#store.contributions.resolvedIn(path);
    const paths = new Map<string, string | undefined>();
    const pathOf = (key: string) => {
      if (!paths.has(key)) paths.set(key, this.#resolve(key, path, resolved));
      return paths.get(key);
    };
    return outline.links.flatMap((link) => {
      const target = targetsOfLink(link, path).find(({ key }) => pathOf(key) !== undefined);
      const document = target && pathOf(target.key);
      if (target === undefined || document === undefined) return [];
      if (only !== undefined && document !== only) return [];
      const section = outline.sections[link.section];
      const from = section === undefined ? this.#documentId(path) : sectionId(path, section.anchor);
      const to = this.#placeOf(document, target.anchor);
      return from === to ? [] : [{ from, to, evidence: `${path}:${link.line}` }];
    });
  }

  /** The path of the document that a link in another one means. @param resolved what link targets stand for */
  #resolve(key: string, from: string, resolved: ReadonlyMap<number, number>): string | undefined {
    const own = documentPathOf(key);
    if (own !== undefined) return own;
    const { keys } = this.#store;
    // With several docs roots, `/page` is a page of the same root.
    for (const candidate of [key, key.replace('link:', `link:${from.split('/', 1)[0]}/`)]) {
      const targetId = keys.find(candidate);
      const resolvedId = targetId === undefined ? undefined : resolved.get(targetId);
      const path = resolvedId === undefined ? undefined : documentPathOf(keys.keyOf(resolvedId));
      if (path !== undefined) return path;
    }
    return undefined;
  }

  /** The section that contains an anchor of a document, or the document itself. */
  #placeOf(path: string, anchor: string | undefined): string {
    const outline = anchor === undefined ? undefined : this.#outlineOf(path)?.outline;
    const section = anchor === undefined || outline === undefined ? undefined : sectionIn(outline, anchor);
    return section === undefined ? this.#documentId(path) : sectionId(path, section.anchor);
  }

  #outlineOf(path: string): StoredOutline | undefined {
    if (!this.#outlines.has(path)) this.#outlines.set(path, this.#store.outlines.of(path));
    return this.#outlines.get(path);
  }
}

function sectionIn(outline: Outline, anchor: string): OutlineSection | undefined {
  const index = sectionOfAnchor(outline, anchor);
  return index === undefined ? undefined : outline.sections[index];
}

const RANK: readonly EdgeType[] = ['parent_of', 'references', 'contains'];

function byRank(a: SectionRelation, b: SectionRelation): number {
  return (
    RANK.indexOf(a.type) - RANK.indexOf(b.type) ||
    b.weight - a.weight ||
    (a.display === b.display ? Number(a.id > b.id) - Number(a.id < b.id) : a.display < b.display ? -1 : 1)
  );
}
