import { LRUCache } from 'lru-cache';
import { documentAt, mountPathOf } from '../core/docs-selection.ts';
import { FsError, isFsError } from '../core/errors.ts';
import type { NodeInfo } from '../core/resolver.ts';
import { WITHIN_NODES } from '../core/tree-points.ts';
import type { StoredNode } from '../store/nodes.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { SourceRow } from '../store/sources.ts';
import type { Store } from '../store/store.ts';
import type { SearchedSource, SourceState, Span } from './corpus.ts';
import { StoredCorpus } from './stored-corpus.ts';

/** The docs as they are on disk. */
export interface DocsFiles {
  /** @throws FsError */
  stat(path: string): NodeInfo;
  /** The text of a file. @throws FsError */
  read(path: string): string;
}

/** Errors of a failing disk, or for lack of descriptors. They do not mean that a document is gone. */
const CANNOT_SAY = ['EIO', 'ENFILE', 'ETIMEDOUT'] as const;

/** Half a kilobyte each. */
const MAX_REMEMBERED_ROWS = 4_000;
/** In characters: how much of the documents is kept while a question is answered. */
const MAX_KEPT_TEXT = 8 << 20;

/** Documents, other text files and nodes of the graph. */
export class DocsCorpus extends StoredCorpus {
  readonly name = 'docs';
  readonly #graph: Store;
  readonly #files: DocsFiles;
  readonly #rows = new LRUCache<string, SourceRow>({ max: MAX_REMEMBERED_ROWS });
  /** The lines of documents that were read for the present answer, which may show several passages of one. */
  #read: LRUCache<string, readonly string[]> | undefined;

  constructor(store: SearchStore, graph: Store, files: DocsFiles) {
    super(store);
    this.#graph = graph;
    this.#files = files;
  }

  override forget(): void {
    super.forget();
    this.#rows.clear();
  }

  override still(body: () => void): void {
    this.#read = new LRUCache({ maxSize: MAX_KEPT_TEXT });
    try {
      super.still(body);
    } finally {
      this.#read = undefined;
    }
  }

  hasSuperseded(): boolean {
    return false;
  }

  *sources(): Generator<SearchedSource> {
    for (const row of this.store.sources.all())
      if (row.kind !== 'none') yield new DocsSource(row, this.#graph);
  }

  source(id: number): SearchedSource | undefined {
    const row = this.row(id);
    return row && new DocsSource(row, this.#graph);
  }

  sourceAt(path: string): SearchedSource | undefined {
    const row = this.#rowAt(path);
    return row && new DocsSource(row, this.#graph);
  }

  state({ kind, path }: Pick<SearchedSource, 'kind' | 'path'>): SourceState {
    if (kind === 'node') return this.#rowAt(path) === undefined ? 'gone' : 'fresh';
    const row = this.#rowAt(path);
    if (row === undefined) return 'gone';
    try {
      const info = this.#files.stat(row.path);
      if (info.kind !== 'file') return 'gone';
      return row.stamp.startsWith(`${info.sizeBytes} ${info.modifiedNs} `) ? 'fresh' : 'stale';
    } catch (error) {
      if (isFsError(error, ...CANNOT_SAY)) return 'stale';
      if (error instanceof FsError) return 'gone';
      throw error;
    }
  }

  text({ kind, path, title }: SearchedSource, { line, endLine }: Span): string | undefined {
    if (kind === 'node') {
      const node = this.#graph.nodes.byName(path.slice(WITHIN_NODES.length));
      return node && (node.description === '' ? title : `${title}: ${node.description}`);
    }
    try {
      const lines = this.#linesOf(documentAt(path) ?? '');
      return lines.slice(Math.max(0, line - 1), endLine).join('\n');
    } catch (error) {
      if (error instanceof FsError && !isFsError(error, ...CANNOT_SAY)) return undefined;
      throw error;
    }
  }

  protected currentRevision(): string {
    return `${this.store.dataVersion()}.${this.#graph.dataVersion()}`;
  }

  #linesOf(document: string): readonly string[] {
    let lines = this.#read?.get(document);
    if (lines === undefined) {
      const text = this.#files.read(document);
      lines = text.split('\n');
      this.#read?.set(document, lines, { size: text.length + 1 });
    }
    return lines;
  }

  #rowAt(path: string): SourceRow | undefined {
    const row = this.#rows.get(path) ?? this.#readRowAt(path);
    if (row !== undefined) this.#rows.set(path, row);
    return row;
  }

  #readRowAt(path: string): SourceRow | undefined {
    const document = documentAt(path);
    if (document !== undefined) return this.store.sources.file(document);
    if (!path.startsWith(WITHIN_NODES)) return undefined;
    const node = this.#graph.nodes.byName(path.slice(WITHIN_NODES.length));
    return node && this.store.sources.node(node.key);
  }
}

/** A source of the docs. Properties of a node that only the graph knows are looked up on demand, and once. */
class DocsSource implements SearchedSource {
  readonly id: number;
  readonly kind: 'document' | 'node';
  readonly title: string;
  readonly type: string;
  readonly tags: readonly string[];
  readonly dateMs: number;
  readonly #row: SourceRow;
  readonly #graph: Store;
  #node: Pick<StoredNode, 'name' | 'type'> | undefined;

  constructor(row: SourceRow, graph: Store) {
    this.id = row.id;
    this.kind = row.kind === 'node' ? 'node' : 'document';
    this.title = row.title;
    this.type = row.type;
    this.tags = row.tags === '' ? [] : row.tags.trim().split('\n');
    this.dateMs = row.dateMs;
    this.#row = row;
    this.#graph = graph;
  }

  get shownType(): string {
    if (this.kind === 'document') return this.type;
    return this.#inGraph()?.type ?? this.type;
  }

  get path(): string {
    if (this.kind === 'document') return mountPathOf(this.#row.path);
    return `${WITHIN_NODES}${this.#inGraph()?.name ?? this.#row.title}`;
  }

  #inGraph(): Pick<StoredNode, 'name' | 'type'> | undefined {
    this.#node ??= this.#graph.nodes.byKey(this.#row.path);
    return this.#node;
  }
}
