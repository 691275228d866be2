import type { Outline } from '../core/outline.ts';
import { AnchorNames } from './anchor-names.ts';
import { EntityMentions } from './entity-mentions.ts';
import { FileNames } from './file-names.ts';
import { foldCase } from './paths.ts';
import type { LintView } from './view.ts';

/** What lint knows about links in these docs, besides the files themselves. */
export interface LinkSettings {
  /** Where the docs root is on the site, such as `/docs/`, for links that begin with a slash; undefined to find that out from the links. */
  readonly siteRoot: string | undefined;
  /** The name of the folder of the docs root, which links inside of it may contain. */
  readonly rootName: string;
  /** If there are several docs roots: their names, which are the first part of each path. Else none. */
  readonly roots: readonly string[];
}

/** The docs, with everything that rules need again and again. Each part is made when it is first needed. */
export class Docs {
  readonly view: LintView;
  readonly settings: LinkSettings;
  readonly names: FileNames;
  readonly entities: EntityMentions;
  readonly #anchors = new Map<string, AnchorNames>();
  readonly #addresses = new Map<string, readonly string[]>();
  #furtherNames: ReadonlyMap<string, string> | undefined;
  #labels: ReadonlySet<string> | undefined;
  #isDocusaurus: boolean | undefined;

  constructor(view: LintView, settings: LinkSettings) {
    this.view = view;
    this.settings = settings;
    this.names = new FileNames(view.files());
    this.entities = new EntityMentions(view);
  }

  /** The anchors of a document; undefined for a file that is not one. */
  anchorsOf(path: string, read?: Outline): AnchorNames | undefined {
    const known = this.#anchors.get(path);
    if (known !== undefined) return known;
    const outline = read ?? this.view.outline(path);
    if (outline === undefined) return undefined;
    const anchors = new AnchorNames(this.#outlinesIn(path, outline));
    this.#anchors.set(path, anchors);
    return anchors;
  }

  /** The outlines of a document and of those that it includes. For one that is not found, the outline says that there may be more. */
  #outlinesIn(path: string, outline: Outline): Pick<Outline, 'sections' | 'anchors' | 'isOpenEnded'>[] {
    const taken = new Map([[path, outline]]);
    let isOpenEnded = false;
    for (const [from, { includes = [] }] of taken) {
      for (const file of includes) {
        const included = this.names.included(from, file);
        const found = included === undefined ? undefined : this.view.outline(included);
        if (included === undefined || found === undefined) isOpenEnded = true;
        else taken.set(included, taken.get(included) ?? found);
      }
    }
    return [...taken.values(), { sections: [], anchors: [], isOpenEnded }];
  }

  /** The addresses that a document says it has on the site, relative to the root of the site. */
  addressesOf(path: string): readonly string[] {
    const known = this.#addresses.get(path);
    if (known !== undefined) return known;
    const names = this.view.outline(path)?.names ?? [];
    const addresses = names.filter((name) => /^\/[^/]/.test(name)).map((name) => name.slice(1));
    this.#addresses.set(path, addresses);
    return addresses;
  }

  /** The document that has this name in its front matter. */
  calledByItself(name: string): string | undefined {
    this.#furtherNames ??= furtherNamesOf(this.view);
    return this.#furtherNames.get(foldFurtherName(name));
  }

  /** Whether these are docs of Docusaurus, judging by their front matter. */
  get isDocusaurus(): boolean {
    this.#isDocusaurus ??= hasSidebarFields(this.view);
    return this.#isDocusaurus;
  }

  /** Whether any document has a label with this name, to which links from all documents can lead. */
  hasLabel(name: string): boolean {
    this.#labels ??= labelsOf(this.view);
    return this.#labels.has(foldLabel(name));
  }
}

function hasSidebarFields(view: LintView): boolean {
  for (const { outline } of view.outlines())
    if ('sidebar_label' in outline.fields || 'sidebar_position' in outline.fields) return true;
  return false;
}

function labelsOf(view: LintView): ReadonlySet<string> {
  const labels = new Set<string>();
  for (const { outline } of view.outlines())
    for (const label of outline.labels ?? []) labels.add(foldLabel(label));
  return labels;
}

function foldLabel(label: string): string {
  return foldCase(label).replace(/\s+/g, ' ');
}

function furtherNamesOf(view: LintView): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { path, outline } of view.outlines()) {
    for (const name of outline.names) {
      names.set(foldFurtherName(name), path);
      // A slug or an id replaces the last part of the address.
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      if (!name.startsWith('/')) names.set(foldFurtherName(folder + name), path);
    }
  }
  return names;
}

function foldFurtherName(name: string): string {
  return foldCase(name)
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/\.html?$/, '')
    .replace(/^\/+|\/+$/g, '');
}
