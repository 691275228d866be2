import type { Tool } from './tool.ts';
import { connect } from './tools/connect.ts';
import { getDependencies } from './tools/get-dependencies.ts';
import { inspect } from './tools/inspect.ts';
import { memoryForget } from './tools/memory-forget.ts';
import { memoryRelate } from './tools/memory-relate.ts';
import { memoryUpdate } from './tools/memory-update.ts';
import { navigate } from './tools/navigate.ts';
import { queryKnowledge } from './tools/query-knowledge.ts';
import { read } from './tools/read.ts';
import { searchFiles } from './tools/search-files.ts';
import { searchGraph } from './tools/search-graph.ts';
import { searchTopology } from './tools/search-topology.ts';
import { vfsList } from './tools/vfs-list.ts';
import { vfsRead } from './tools/vfs-read.ts';
import { vfsSearch } from './tools/vfs-search.ts';
import { vfsWrite } from './tools/vfs-write.ts';

/** Everything that a model can do with the tree, in the order in which it is told. */
export const TOOLS: readonly Tool[] = [
  queryKnowledge,
  navigate,
  inspect,
  connect,
  searchGraph,
  searchTopology,
  getDependencies,
  searchFiles,
  read,
  vfsList,
  vfsRead,
  vfsSearch,
  vfsWrite,
  memoryUpdate,
  memoryRelate,
  memoryForget,
];
