import type { Command } from './command.ts';
import { agentsInstall } from './commands/agents-install.ts';
import { agentsStatus } from './commands/agents-status.ts';
import { agentsUninstall } from './commands/agents-uninstall.ts';
import { ask } from './commands/ask.ts';
import { build } from './commands/build.ts';
import { chat } from './commands/chat.ts';
import { check } from './commands/check.ts';
import { completionOf } from './commands/completion.ts';
import { connect } from './commands/connect.ts';
import { contextBuild } from './commands/context-build.ts';
import { contextEvaluate } from './commands/context-evaluate.ts';
import { contextHistory } from './commands/context-history.ts';
import { contextMemoryAccept } from './commands/context-memory-accept.ts';
import { contextMemoryAdd } from './commands/context-memory-add.ts';
import { contextMemoryEdit } from './commands/context-memory-edit.ts';
import { contextMemoryExport } from './commands/context-memory-export.ts';
import { contextMemoryGc } from './commands/context-memory-gc.ts';
import { contextMemoryImport } from './commands/context-memory-import.ts';
import { contextMemoryList } from './commands/context-memory-list.ts';
import { contextMemoryReject } from './commands/context-memory-reject.ts';
import { contextMemoryRelate } from './commands/context-memory-relate.ts';
import { contextMemoryRemove } from './commands/context-memory-remove.ts';
import { contextMemoryRestore } from './commands/context-memory-restore.ts';
import { contextMemoryShow } from './commands/context-memory-show.ts';
import { contextPage } from './commands/context-page.ts';
import { contextRecall } from './commands/context-recall.ts';
import { contextSummary } from './commands/context-summary.ts';
import { contextUpdate } from './commands/context-update.ts';
import { doctor } from './commands/doctor.ts';
import { env } from './commands/env.ts';
import { exportGraph } from './commands/export.ts';
import { graphDiff } from './commands/graph-diff.ts';
import { graphLog } from './commands/graph-log.ts';
import { hooksInstall } from './commands/hooks-install.ts';
import { hooksStatus } from './commands/hooks-status.ts';
import { hooksUninstall } from './commands/hooks-uninstall.ts';
import { init } from './commands/init.ts';
import { inspect } from './commands/inspect.ts';
import { learnExplain } from './commands/learn-explain.ts';
import { learnReset } from './commands/learn-reset.ts';
import { learnRun } from './commands/learn-run.ts';
import { learnStatus } from './commands/learn-status.ts';
import { lint } from './commands/lint.ts';
import { mcp } from './commands/mcp.ts';
import { mcpInstall } from './commands/mcp-install.ts';
import { mcpUninstall } from './commands/mcp-uninstall.ts';
import { mount } from './commands/mount.ts';
import { newDocument } from './commands/new.ts';
import { nodes } from './commands/nodes.ts';
import { query } from './commands/query.ts';
import { schemaApply } from './commands/schema-apply.ts';
import { schemaCheck } from './commands/schema-check.ts';
import { search } from './commands/search.ts';
import { sessionList } from './commands/session-list.ts';
import { sessionNew } from './commands/session-new.ts';
import { sessionResume } from './commands/session-resume.ts';
import { start } from './commands/start.ts';
import { stats } from './commands/stats.ts';
import { status } from './commands/status.ts';
import { stop } from './commands/stop.ts';
import { sync } from './commands/sync.ts';
import { tools } from './commands/tools.ts';
import { toolsCall } from './commands/tools-call.ts';
import { trust } from './commands/trust.ts';
import { unmount } from './commands/unmount.ts';
import { vfsExec } from './commands/vfs-exec.ts';
import { vfsList } from './commands/vfs-list.ts';
import { vfsMounts } from './commands/vfs-mounts.ts';
import { vfsRead } from './commands/vfs-read.ts';
import { vfsSearch } from './commands/vfs-search.ts';
import { vfsWrite } from './commands/vfs-write.ts';
import { wipe } from './commands/wipe.ts';

/** All commands, in the order in which help and documentation show them. */
export const COMMANDS: readonly Command[] = [
  init,
  mount,
  status,
  unmount,
  start,
  stop,
  doctor,
  completionOf(() => COMMANDS),
  env,
  check,
  wipe,
  trust,
  build,
  query,
  inspect,
  connect,
  nodes,
  ask,
  chat,
  tools,
  toolsCall,
  mcp,
  mcpInstall,
  mcpUninstall,
  search,
  stats,
  lint,
  newDocument,
  schemaCheck,
  schemaApply,
  exportGraph,
  sync,
  graphLog,
  graphDiff,
  hooksInstall,
  hooksStatus,
  hooksUninstall,
  agentsInstall,
  agentsStatus,
  agentsUninstall,
  contextBuild,
  contextSummary,
  contextUpdate,
  contextEvaluate,
  contextPage,
  contextRecall,
  contextMemoryList,
  contextMemoryAdd,
  contextMemoryShow,
  contextMemoryEdit,
  contextMemoryRelate,
  contextMemoryAccept,
  contextMemoryReject,
  contextMemoryRemove,
  contextMemoryRestore,
  contextMemoryGc,
  contextMemoryExport,
  contextMemoryImport,
  contextHistory,
  learnStatus,
  learnRun,
  learnExplain,
  learnReset,
  sessionList,
  sessionNew,
  sessionResume,
  vfsMounts,
  vfsList,
  vfsRead,
  vfsWrite,
  vfsSearch,
  vfsExec,
];
