import { DEFAULT_LOOP_LIMITS } from '../../agent/loop.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Settings } from '../../config/settings.ts';
import { DEFAULT_CEILING_TOKENS } from '../../toolkit/call.ts';
import type { Setting, SettingOrigin } from './setting.ts';

export type Limit = Setting<string | number | boolean>;

/** The limits in force under their names in a config file, and where each was set. */
export function limitsView(
  { limits, context, search, maxDocumentBytes, readOnly }: Settings,
  { config }: LoadedConfig,
  allowModelWrites: Limit,
): Readonly<Record<string, Limit>> {
  const values: Readonly<Record<string, string | number | boolean>> = {
    'index.maxDocumentBytes': maxDocumentBytes,
    'memory.maxEntryBytes': limits.memoryEntryBytes,
    'memory.removedDays': limits.removedMemoryDays,
    'scratchpad.maxBytes': limits.scratchpadBytes,
    'scratchpad.keepDays': limits.scratchpadDays,
    'history.maxBytes': limits.historyBytes,
    'history.keepDays': limits.historyDays,
    'context.budgetTokens': context.budgetTokens,
    'context.tokenizer': context.tokenizer,
    'context.conversationShare': context.conversationShare,
    'context.halfLifeDays': context.halfLifeDays,
    'context.trust.docs': context.trust.docs,
    'context.trust.memory': context.trust.memory,
    'search.k': search.k,
    'search.weights.keyword': search.weights.keyword,
    'search.weights.graph': search.weights.graph,
    'search.weights.vector': search.weights.vector,
    'search.weights.recency': search.weights.recency,
    'mount.readOnly': readOnly,
  };
  const said = Object.entries(values).map(([key, value]): [string, Limit] => [
    key,
    { value, from: originOf(config, key) },
  ]);
  return { ...Object.fromEntries(said), allowModelWrites, ...LOOP_LIMITS };
}

/** The limits of what a model may do for one question. */
const LOOP_LIMITS: Readonly<Record<string, Limit>> = {
  'tools.answerTokens': { value: DEFAULT_CEILING_TOKENS, from: 'default' },
  'loop.maxTurns': { value: DEFAULT_LOOP_LIMITS.maxTurns, from: 'default' },
  'loop.maxToolCalls': { value: DEFAULT_LOOP_LIMITS.maxToolCalls, from: 'default' },
  'loop.maxTokens': { value: DEFAULT_LOOP_LIMITS.maxTokens, from: 'default' },
};

/** @param key names of a config file, joined with dots */
export function originOf(config: LoadedConfig['config'], key: string): SettingOrigin {
  let value: unknown = config;
  for (const name of key.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return value === undefined ? 'default' : 'config file';
}
