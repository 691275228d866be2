/** The library: opens a project in the process of a host program, see `openContext`. */
export { FsError, UserError } from './core/errors.ts';
export type { Context, MemoryChange } from './library/context.ts';
export type { CallToolOptions, OpenAiTool } from './library/model-tools.ts';
export { openContext } from './library/open-context.ts';
export type { OpenContextOptions } from './library/open-options.ts';
export type { ModuleHost, ModulePlace, ModuleResolver } from './modules/module.ts';
export type { ToolReply } from './toolkit/call.ts';
