import { type DocsFolder, type DocsSelection, placeOf } from '../core/docs-selection.ts';
import { baseName } from '../core/paths.ts';
import { readBlob } from '../git/blobs.ts';
import type { DocsInTree } from '../git/tree-files.ts';
import { hiddenIn } from '../source/excluded-folders.ts';
import { FileChoice } from '../source/file-choice.ts';
import { contentKindOf } from '../source/file-kind.ts';
import { isIgnoreFile, MAX_IGNORE_FILE_BYTES } from '../source/ignore-files.ts';
import { TreeChoice } from '../source/tree-choice.ts';

/** The settings that say what the docs are, in addition to what Git has. */
export interface DocsSettings {
  readonly selection: DocsSelection;
  /** Absolute paths of folders inside the docs that are no docs. */
  readonly excluded: readonly string[];
  /** Larger documents are shown but not read. */
  readonly maxBytes: number;
}

/** The part of a tree's file that decides whether it is shown. */
interface ListedFile {
  readonly path: string;
  readonly object: string;
  readonly mode: string;
}

/** Which files of a tree in Git the docs show, according to the ignore files of that tree. */
export class TreeView {
  readonly #choices: ReadonlyMap<DocsFolder, TreeChoice>;
  readonly #selection: DocsSelection;

  /** @param ignoreFiles the ignore files of the tree */
  constructor({ repository }: DocsInTree, settings: DocsSettings, ignoreFiles: Iterable<ListedFile>) {
    const { selection, excluded } = settings;
    const objects = new Map(Array.from(ignoreFiles, ({ path, object }) => [path, object]));
    this.#selection = selection;
    this.#choices = new Map(
      selection.folders.map((root) => {
        const others = selection.folders.filter((other) => other !== root).map(({ folder }) => folder);
        const isHidden = hiddenIn(root.folder, [...excluded, ...others]);
        const choice = FileChoice.of(selection, root.name);
        const inRoot = (path: string) => (root.name === '' ? path : `${root.name}/${path}`);
        return [
          root,
          new TreeChoice({
            ignoreFiles: [...objects.keys()].flatMap((path) => {
              const place = placeOf(selection, path);
              return place?.root === root ? [place.path] : [];
            }),
            textOf(path) {
              const object = objects.get(inRoot(path));
              if (object === undefined) return undefined;
              const content = readBlob(repository, object, MAX_IGNORE_FILE_BYTES);
              return typeof content === 'string' ? undefined : content;
            },
            isChosen: (path, kind) => !isHidden(path) && (choice === undefined || choice.shows(path, kind)),
          }),
        ];
      }),
    );
  }

  /** Whether a path is a regular file that is shown. */
  shows({ path, mode }: ListedFile): boolean {
    const place = placeOf(this.#selection, path);
    if (place === undefined || !isRegular(mode)) return false;
    return this.#choices.get(place.root)?.shows(place.path) ?? false;
  }

  /** Whether a path is a document that is read into the graph. */
  isDocument(file: ListedFile): boolean {
    return contentKindOf(file.path) === 'markdown' && this.shows(file);
  }
}

/** Whether this file decides which other files are shown. */
export function decides(path: string): boolean {
  return isIgnoreFile(baseName(path));
}

function isRegular(mode: string): boolean {
  return mode.startsWith('100');
}
