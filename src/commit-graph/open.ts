import type { Clock } from '../core/clock.ts';
import type { GitCaller } from '../git/repository.ts';
import type { DocsInTree } from '../git/tree-files.ts';
import {
  type CommitStore,
  type CommitStoreOptions,
  openCommitStore,
  seedCommitStore,
} from '../store/commit-store.ts';
import { whyKeptFromWriting } from '../store/disk-state.ts';
import { IN_MEMORY } from '../store/in-memory.ts';
import { CommitGraph } from './commit-graph.ts';
import { docsInGit } from './docs-in-git.ts';
import type { DocsSettings } from './tree-view.ts';

export interface OpenOptions extends CommitStoreOptions {
  /** Where the graph is kept; `:memory:` for one that is thrown away. */
  readonly file: string;
  /** The index of the docs, which a graph that is made now takes what it can from. */
  readonly indexFile: string;
  readonly settings: DocsSettings;
  readonly caller: GitCaller;
  /** Where the docs are in Git; found, unless given. */
  readonly docs?: DocsInTree;
  readonly clock: Clock;
}

export interface OpenCommits {
  readonly graph: CommitGraph;
  readonly store: CommitStore;
  readonly docs: DocsInTree;
  close(): void;
}

/** Opens the graph of commits of the docs. @throws UserError where there is no repository, or the store cannot be used */
export function openCommits(options: OpenOptions): OpenCommits {
  const { file, indexFile, settings, caller, clock, mayBeOnlyRead = false } = options;
  const docs = options.docs ?? docsInGit(settings.selection, caller);
  const isKept = file !== IN_MEMORY && !(mayBeOnlyRead && whyKeptFromWriting(file) !== undefined);
  if (isKept) seedCommitStore(file, indexFile);
  const store = openCommitStore(file, options);
  return {
    graph: new CommitGraph({ store, docs, settings, clock, indexFile }),
    store,
    docs,
    close: () => store.close(),
  };
}
