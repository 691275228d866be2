/** Which files of the program are started by themselves, as processes or threads. */

/** The bundles, each with its programs. Commands load nearly the same code; a daemon and each kind of thread load what they need. */
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

/** This program imports its user's code, which kept code cannot do: V8 does not keep with it who imports for it. */
export const WITH_IMPORTS = 'modules/module-main';
