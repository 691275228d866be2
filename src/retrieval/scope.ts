import type { HitKind, ParsedQuery, SearchOptions } from '../core/search.ts';

/** Folders of the mount that search looks through, and the kind of hits in each. */
const KINDS: readonly (readonly [folder: string, kind: HitKind])[] = [
  ['/docs', 'document'],
  ['/modules', 'document'],
  ['/graph', 'node'],
  ['/context/memory', 'memory'],
  ['/context/history', 'history'],
];

/** The path that a scope means; undefined if nothing that is searched can be in it. `/memory` is short for `/context/memory`. */
export function searchedPath(path: string): string | undefined {
  return [clean(path), clean(`/context/${path}`)].find((one) =>
    KINDS.some(([folder]) => isWithin(one, folder) || isWithin(folder, one)),
  );
}

/** Folders that a scope can name, for messages about an unknown one. */
export const SEARCHED_FOLDERS = KINDS.map(([folder]) => folder);

/** Whether a path is a folder or below it. */
function isWithin(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

/** Where a question is asked. A path has to be within one of the folders of each choice. */
export class Scope {
  /** Each choice is a list of folders, and a path has to be below one of them. */
  readonly #choices: readonly (readonly string[])[];

  constructor({ scopes }: Pick<ParsedQuery, 'scopes'>, { scope }: SearchOptions) {
    const choices = [scopes, [scope ?? []].flat()].map((folders) => folders.map(clean));
    this.#choices = choices.filter((folders) => folders.length > 0 && !folders.includes('/'));
  }

  /** Whether it is the whole mount. */
  get isEverything(): boolean {
    return this.#choices.length === 0;
  }

  holds(path: string): boolean {
    return this.#choices.every((folders) => folders.some((folder) => isWithin(path, folder)));
  }

  /** Whether anything of a kind may be in it. */
  reaches(kind: HitKind): boolean {
    const places = foldersOf(kind);
    return this.#choices.every((folders) =>
      folders.some((scope) => places.some((folder) => isWithin(scope, folder) || isWithin(folder, scope))),
    );
  }

  /** Whether it contains everything of a kind. */
  holdsAll(kind: HitKind): boolean {
    return foldersOf(kind).every((folder) => this.holds(folder));
  }

  /** Whether a folder of a kind, or one inside of it, is named explicitly. */
  names(kind: HitKind): boolean {
    return (
      !this.isEverything &&
      this.reaches(kind) &&
      this.#choices.some((folders) =>
        folders.every((scope) => foldersOf(kind).some((folder) => isWithin(scope, folder))),
      )
    );
  }
}

function foldersOf(kind: HitKind): readonly string[] {
  return KINDS.flatMap(([folder, of]) => (of === kind ? [folder] : []));
}

function clean(path: string): string {
  return `/${path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')}`;
}
