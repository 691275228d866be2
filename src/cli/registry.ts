import type { Command } from './command.ts';
import { build } from './commands/build.ts';
import { connect } from './commands/connect.ts';
import { exportGraph } from './commands/export.ts';
import { mount } from './commands/mount.ts';
import { nodes } from './commands/nodes.ts';
import { query } from './commands/query.ts';
import { search } from './commands/search.ts';
import { stats } from './commands/stats.ts';
import { status } from './commands/status.ts';
import { unmount } from './commands/unmount.ts';
import { vfsExec } from './commands/vfs-exec.ts';
import { vfsList } from './commands/vfs-list.ts';
import { vfsMounts } from './commands/vfs-mounts.ts';
import { vfsRead } from './commands/vfs-read.ts';
import { vfsSearch } from './commands/vfs-search.ts';

/** Every command, in the order in which help and documentation show them. */
export const COMMANDS: readonly Command[] = [
  mount,
  status,
  unmount,
  build,
  query,
  connect,
  nodes,
  search,
  stats,
  exportGraph,
  vfsMounts,
  vfsList,
  vfsRead,
  vfsSearch,
  vfsExec,
];
