import { hash } from 'node:crypto';
import { after, isPromiseLike } from '../core/awaitable.ts';
import { entriesOf, notFolder, type Page, type Place } from '../core/generated-tree.ts';
import { decodeName, encodeName } from '../core/names.ts';
import type { SubPath } from '../core/paths.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { GraphChanges } from '../graph/changes.ts';
import type { GraphQueries } from '../graph/queries.ts';
import { sectionText } from '../graph/section-view.ts';
import type { DocumentSections } from '../graph/sections.ts';
import type { SlowQuestions } from '../graph/slow-questions.ts';
import { timeOf } from './revision-time.ts';

/** For how many documents it is remembered what was seen: the latest ones. Of others it is only known that there are some. */
const MAX_SEEN = 300;
/** If more documents have changed, they are not compared one by one. */
const MAX_CHANGED = 500;

const TOP = 'sections';

/** The sections of a document as they are shown. */
interface ShownDocument {
  /** The path as names below `sections/`. */
  readonly path: string;
  readonly revision: number;
  readonly nodeId: number | undefined;
  readonly basedOn: ReadonlySet<string>;
  readonly modifiedNs: bigint;
  /** Pages by file name. */
  readonly pages: ReadonlyMap<string, Page>;
}

export interface SectionPagesParts {
  readonly graph: Pick<GraphQueries, 'revision' | 'docsAt' | 'sectionsUnlessMany' | 'structuresChangedSince'>;
  readonly slow: Pick<SlowQuestions, 'sectionsOf'>;
  /** When folders that list nothing last changed. */
  readonly foldersModifiedNs: () => bigint;
}

/**
 * `graph/sections/<path of a document>/<anchor>`: folders on the way list nothing, and a document lists its sections. A page depends on the structure
 * of several documents. So for each document that was looked at, it is remembered what was shown: a page that is the same as before keeps its time.
 */
export class SectionPages {
  readonly #graph: SectionPagesParts['graph'];
  readonly #slow: SectionPagesParts['slow'];
  /** By the path of the document. */
  readonly #seen = new Map<string, ShownDocument>();
  /** Folders on the way that were looked at. */
  readonly #folders = new Set<string>();
  readonly #foldersModifiedNs: () => bigint;
  #hasForgotten = false;
  #toldRevision: number;

  constructor({ graph, slow, foldersModifiedNs }: SectionPagesParts) {
    this.#graph = graph;
    this.#slow = slow;
    this.#foldersModifiedNs = foldersModifiedNs;
    this.#toldRevision = graph.revision();
  }

  /** @param names below `sections/` @throws FsError ENOTDIR below a section */
  place(names: readonly string[]): Awaitable<Place | undefined> {
    const path = pathOf(names);
    const found = path === '' ? 'folder' : path === undefined ? undefined : this.#graph.docsAt(path);
    if (path === undefined || found === undefined) return this.#placeOfSection(names);
    if (found === 'folder') {
      if (path !== '') this.#rememberFolder(path);
      return { kind: 'directory', modifiedNs: this.#foldersModifiedNs(), list: () => [] };
    }
    return after(
      this.#shown(path),
      (shown): Place | undefined =>
        shown && {
          kind: 'directory',
          modifiedNs: shown.modifiedNs,
          list: () => entriesOf('file', shown.pages.keys()),
        },
    );
  }

  #placeOfSection(names: readonly string[]): Awaitable<Place | undefined> {
    const folders = names.slice(0, -1);
    const path = pathOf(folders);
    const name = names.at(-1);
    if (name === undefined || path === '') return undefined;
    if (path !== undefined && this.#graph.docsAt(path) === 'document')
      return after(this.#shown(path), (shown) => shown?.pages.get(name));
    return after(this.#placeOfSection(folders), (page) => page && notFolder(name));
  }

  /** Paths at which something else is shown now. @param changes undefined if it is not known what has changed */
  changed(changes: GraphChanges | undefined): SubPath[] {
    const since = this.#toldRevision;
    this.#toldRevision = this.#graph.revision();
    if (this.#seen.size + this.#folders.size === 0) return [];
    const structures = this.#graph.structuresChangedSince(since, MAX_CHANGED + 1);
    if (changes === undefined || structures.length > MAX_CHANGED || this.#hasForgotten) {
      this.#seen.clear();
      this.#folders.clear();
      this.#hasForgotten = false;
      return [TOP as SubPath];
    }
    const changed = new Set(structures);
    const changedNodes = new Set(changes.nodes.map(({ id }) => id));
    const mayDiffer = (path: string, { nodeId, basedOn }: ShownDocument) =>
      changed.has(path) ||
      // If a linked document is added, removed or renamed, the edges of this one change.
      (nodeId !== undefined && changedNodes.has(nodeId)) ||
      [...basedOn].some((other) => changed.has(other)) ||
      this.#graph.docsAt(path) !== 'document';
    const pages = [...this.#seen].flatMap(([path, before]) =>
      mayDiffer(path, before) ? this.#compare(path, before) : [],
    );
    return changes.listed.length > 0 ? [...pages, ...this.#goneFolders()] : pages;
  }

  #goneFolders(): SubPath[] {
    const gone = [...this.#folders].filter((path) => this.#graph.docsAt(path) !== 'folder');
    for (const path of gone) this.#folders.delete(path);
    return gone.map((path) => `${TOP}/${namesOf(path)}` as SubPath);
  }

  #compare(path: string, before: ShownDocument): SubPath[] {
    const folder = `${TOP}/${before.path}`;
    const now = this.#shown(path);
    if (isPromiseLike(now)) return [folder as SubPath];
    const pages = now === undefined ? new Map<string, Page>() : now.pages;
    const names = new Set([...before.pages.keys(), ...pages.keys()]);
    const differing = [...names].filter(
      (name) => before.pages.get(name)?.pageKey !== pages.get(name)?.pageKey,
    );
    if (now === undefined) this.#seen.delete(path);
    const isListedAnew = now?.modifiedNs !== before.modifiedNs;
    const paths = differing.map((name) => `${folder}/${name}`);
    return [...(isListedAnew ? [folder] : []), ...paths].map((told) => told as SubPath);
  }

  #shown(path: string): Awaitable<ShownDocument | undefined> {
    const revision = this.#graph.revision();
    const before = this.#seen.get(path);
    if (before?.revision === revision) return before;
    const here = this.#graph.sectionsUnlessMany(path);
    return after(here ?? this.#slow.sectionsOf(path), (sections) => {
      if (sections === undefined) return undefined;
      const shown = shownOf(sections, revision, before);
      this.#remember(path, shown);
      return shown;
    });
  }

  #rememberFolder(path: string): void {
    if (this.#folders.size < MAX_SEEN) this.#folders.add(path);
    else if (!this.#folders.has(path)) this.#hasForgotten = true;
  }

  #remember(path: string, shown: ShownDocument): void {
    this.#seen.delete(path);
    this.#seen.set(path, shown);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size <= MAX_SEEN || oldest === undefined) return;
    this.#seen.delete(oldest);
    this.#hasForgotten = true;
  }
}

function shownOf(
  { path, nodeId, sections, basedOn, changed }: DocumentSections,
  revision: number,
  before: ShownDocument | undefined,
): ShownDocument {
  const changedNs = timeOf(changed);
  const pages = new Map<string, Page>();
  for (const section of sections) {
    const name = encodeName(section.anchor);
    const text = sectionText(path, section);
    const pageKey = `section ${hash('sha1', text)}`;
    const known = before?.pages.get(name);
    const isSame = known?.pageKey === pageKey;
    pages.set(name, isSame ? known : { kind: 'file', modifiedNs: changedNs, pageKey, render: () => text });
  }
  const isSameList =
    before !== undefined && [...pages.keys()].join('/') === [...before.pages.keys()].join('/');
  return {
    path: namesOf(path),
    revision,
    nodeId,
    basedOn: new Set(basedOn),
    modifiedNs: isSameList ? before.modifiedNs : changedNs,
    pages,
  };
}

/** The path of the docs that names stand for; undefined if a name is not written as it is shown. */
function pathOf(names: readonly string[]): string | undefined {
  const parts = names.map(decodeName);
  const isShown = parts.every((part, index) => !part.includes('/') && encodeName(part) === names[index]);
  return isShown ? parts.join('/') : undefined;
}

/** The names under which a path of the docs is shown. */
function namesOf(path: string): string {
  return path.split('/').map(encodeName).join('/');
}
