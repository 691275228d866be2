import { readFileSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isRecent } from '../core/clock.ts';
import { PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { nsToMs } from '../core/node-info.ts';
import type { SubPath } from '../core/paths.ts';
import type { Resolver } from '../core/resolver.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { removeFile, removeTree } from '../disk/remove.ts';
import { withCommas } from '../text/with-commas.ts';
import { clearOfLinks, makeOwnFolder, writeKept } from './kept-files.ts';
import { notesFileOf } from './module-folders.ts';

/** The module whose texts are mirrored. */
export interface MirroredModule {
  readonly tree: Pick<Resolver, 'list' | 'open' | 'stat'>;
  /** Changes whenever the texts do; undefined if the module cannot tell. */
  revision(): Promise<string | undefined>;
  /** Has all answers so far asked for again: they may be older than the revision. */
  askAnew(): void;
  /** Called each time when the module has more texts than can be stored. */
  onLeftOut(message: string): void;
}

/** The limits of what is searched of a module. Files beyond them are left out. */
const MAX_FILES = 20_000;
const MAX_MEBIBYTES = 256;
/** Larger files are data rather than texts for people. */
const MAX_FILE_BYTES = 2 << 20;
const MAX_DEPTH = 32;
/** A module without a revision is read again after this long. */
const READ_AGAIN_MS = 300_000;

const noteSchema = z.object({
  revision: z.string().nullable(),
  readMs: z.number(),
  /** Versions of files by their paths. */
  files: z.record(z.string(), z.string()),
});
type Note = z.infer<typeof noteSchema>;

/** Stores the texts that a module shows as files of a folder, so that they are indexed and searched like docs, even while the module is away. */
export class Mirror {
  readonly #module: MirroredModule;
  readonly #folder: string;
  readonly #noteFile: string;
  readonly #isChecked = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  /** @param folder made if it is missing; a file of notes lies beside it */
  constructor(module: MirroredModule, folder: string) {
    this.#module = module;
    this.#folder = folder;
    this.#noteFile = notesFileOf(folder);
  }

  /**
   * Brings the folder up to date with the module. Updates run one after the other: otherwise one that read first and wrote last would leave old
   * texts.
   * @returns paths of files that were added, changed or removed
   * @throws FsError if the module gives no answer; then nothing is removed
   */
  update(): Promise<string[]> {
    const updated = this.#last.then(() => this.#updateNow());
    this.#last = updated.catch(() => undefined);
    return updated;
  }

  async #updateNow(): Promise<string[]> {
    this.#checkFolder();
    const note = this.#note();
    const revision = (await this.#module.revision()) ?? null;
    const isSame = revision === null ? isRecent(note.readMs, READ_AGAIN_MS) : revision === note.revision;
    if (isSame) return [];
    this.#module.askAnew();
    const found = await this.#found();
    const gone = Object.keys(note.files).filter((path) => !found.has(path as SubPath));
    for (const path of gone) removeFile(join(this.#folder, path));
    const changed = [...found].filter(([path, { version }]) => note.files[path] !== version);
    for (const [path, { modifiedNs }] of changed) await this.#copy(path, nsToMs(modifiedNs));
    const files = Object.fromEntries([...found].map(([path, { version }]) => [path, version]));
    this.#write(this.#noteFile, JSON.stringify({ revision, readMs: Date.now(), files } satisfies Note));
    return [...gone, ...changed.map(([path]) => path)];
  }

  /** The files of the module, up to the limits. */
  async #found(): Promise<Map<SubPath, FileFacts>> {
    const found = new Map<SubPath, FileFacts>();
    let sizeBytes = 0;
    for await (const [path, facts] of this.#files('' as SubPath, 0)) {
      sizeBytes += facts.sizeBytes;
      if (found.size >= MAX_FILES || sizeBytes > MAX_MEBIBYTES << 20) {
        const most = `${withCommas(MAX_FILES)} files and ${MAX_MEBIBYTES} MiB`;
        this.#module.onLeftOut(
          `of its texts, up to ${most} are searched: not ${path}, nor what comes after it`,
        );
        break;
      }
      found.set(path, facts);
    }
    return found;
  }

  async *#files(path: SubPath, depth: number): AsyncGenerator<[SubPath, FileFacts]> {
    if (depth > MAX_DEPTH) return;
    for (const { name, kind } of await this.#module.tree.list(path, {})) {
      const child = (path === '' ? name : `${path}/${name}`) as SubPath;
      if (kind === 'directory') yield* this.#files(child, depth + 1);
      if (kind !== 'file') continue;
      const { version, sizeBytes, modifiedNs } = await this.#module.tree.stat(child, {});
      // A file without a version can be written to: it is for questions to the module, and not one of its texts.
      if (version !== undefined && sizeBytes <= MAX_FILE_BYTES)
        yield [child, { version, sizeBytes, modifiedNs }];
    }
  }

  async #copy(path: SubPath, modifiedMs: number): Promise<void> {
    const opened = await this.#module.tree.open(path, {});
    const bytes = Buffer.alloc(opened.sizeBytes);
    await opened.read(bytes, 0);
    opened.close();
    const file = join(this.#folder, path);
    this.#write(file, bytes);
    utimesSync(file, modifiedMs / 1000, modifiedMs / 1000);
  }

  /** Checked once: after that, only this program writes there. */
  #checkFolder(): void {
    if (this.#isChecked.has(this.#folder)) return;
    clearOfLinks(this.#folder);
    makeOwnFolder(this.#folder);
    this.#isChecked.add(this.#folder);
  }

  #note(): Note {
    try {
      return noteSchema.parse(JSON.parse(readFileSync(this.#noteFile, 'utf8')));
    } catch {
      // Without readable notes nothing in the folder can be trusted, so everything is read again.
      removeTree(this.#folder);
      makeOwnFolder(this.#folder);
      return { revision: null, readMs: 0, files: {} };
    }
  }

  /** Writes a whole file or none, since it may be read at this moment. */
  #write(file: string, content: string | Uint8Array): void {
    makeFolders(dirname(file), PRIVATE_FOLDER_MODE);
    // The temporary file is not made among the texts, where it would be indexed.
    writeKept(file, content, dirname(this.#noteFile));
  }
}

interface FileFacts {
  readonly sizeBytes: number;
  readonly modifiedNs: bigint;
  readonly version: string;
}
