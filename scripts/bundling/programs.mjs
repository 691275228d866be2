/** Which files of the program are begun by themselves, as processes or threads. */

/** Bundles, each with the programs in it: commands load nearly the same, a daemon and each kind of thread what they need. */
export const BUNDLES = {
  commands: ['cli/main', 'cli/mount-helper', 'hooks/hook-main'],
  daemon: ['cli/mount/daemon-main'],
  'context-thread': ['app/contexts/context-worker'],
  'commit-thread': ['app/threads/commit-worker'],
  'slow-thread': ['app/threads/slow-worker'],
  'vectors-thread': ['app/vectors/vectors-worker'],
  'ingest-thread': ['ingest/ingest-worker'],
  'reader-thread': ['ingest/reader-worker'],
};

/** Imports what its user wrote, which code that is kept cannot: V8 does not keep with it who imports for it. */
export const WITH_IMPORTS = 'modules/module-main';
