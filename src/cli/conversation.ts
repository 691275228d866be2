import type { Usage } from '../agent/chat-model.ts';
import type { App } from '../app/app.ts';
import type { Conversation, EarlierTurns } from '../conversation/project-conversation.ts';
import { UserError } from '../core/errors.ts';
import { ModelError } from '../core/model-error.ts';
import { MAX_BUDGET_TOKENS } from '../settings/context.ts';
import type { ModelSettings } from '../settings/language-model.ts';
import { withCommas } from '../text/with-commas.ts';
import { callerContext } from './caller.ts';
import type { OptionSpecs } from './command.ts';
import type { Io } from './io.ts';
import { MODEL_OPTIONS, openModel } from './language-model.ts';

/** Options of the commands in which a model answers questions. */
export const CONVERSATION_OPTIONS = {
  ...MODEL_OPTIONS,
  learn: {
    type: 'text',
    value: 'on|off',
    choices: ['on', 'off'],
    default: 'on',
    summary: 'off: the claims of an answer are not compared with its sources, and not remembered',
  },
  allowWrites: {
    type: 'boolean',
    summary: 'what the model writes to memory counts at once (default: it waits in context/review)',
  },
  maxTurns: { type: 'count', value: 'N', min: 1, summary: 'turns of the model for a question (default: 16)' },
  maxTokens: {
    type: 'count',
    value: 'N',
    min: 1,
    summary: 'tokens in and out for a question, after which it has to answer (default: 400,000)',
  },
  budget: {
    type: 'count',
    value: 'N',
    min: 1,
    summary: `tokens of the context that comes with a question, up to ${withCommas(MAX_BUDGET_TOKENS)} (default: the config, or 8,000)`,
  },
} as const satisfies OptionSpecs;

export interface ConversationArguments {
  readonly learn: 'on' | 'off';
  readonly allowWrites: boolean | undefined;
  readonly maxTurns: number | undefined;
  readonly maxTokens: number | undefined;
  readonly budget: number | undefined;
}

interface OpenedWith {
  readonly app: App;
  readonly settings: ModelSettings;
  readonly kind: 'ask' | 'chat';
  /** An earlier conversation to continue. Default: a new one. */
  readonly past?: { readonly id: string; readonly earlier: EarlierTurns } | undefined;
}

/** A conversation of this model with the project, configured by the command line and the user's own config. @throws UserError */
export async function openedConversation(
  args: ConversationArguments,
  io: Io,
  { app, settings, kind, past }: OpenedWith,
): Promise<Conversation> {
  const { learn, allowWrites, maxTurns, maxTokens, budget } = args;
  const [{ newConversationId, openConversation }, { loadUserConfig }, model] = await Promise.all([
    import('../conversation/project-conversation.ts'),
    import('../config/user-config.ts'),
    openModel(settings, io),
  ]);
  const { config } = loadUserConfig(io.environment.variables);
  return openConversation({
    app,
    model,
    settings,
    context: callerContext(io),
    learn: learn === 'on',
    writesCountAtOnce: allowWrites ?? config.allowModelWrites ?? false,
    limits: {
      ...(maxTurns === undefined ? {} : { maxTurns }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    },
    budgetTokens: budget,
    id: past?.id ?? newConversationId(kind),
    earlier: past?.earlier,
  });
}

const WAYS_OUT = {
  busy: 'try again later, or ask with --no-llm',
  refused: 'have it sent less (--budget, --max-turns), or ask with --no-llm',
  barred:
    'look at key, --model and --base-url ("kgraphfs env" shows which are in force), or ask with --no-llm',
  malformed: 'try again, or another --model; --no-llm asks none',
} as const;

/** What was spent although no answer came; undefined if that is not known. */
export function spentInVain(error: unknown): Usage | undefined {
  const spent = error instanceof ModelError ? error.spent : undefined;
  return spent === 'unknown' ? undefined : spent;
}

/** Whether it failed because nobody waits for the answer any more. */
export function isStopped(error: unknown): boolean {
  return error instanceof ModelError && error.failure === 'stopped';
}

/** The error to report for a model that gave no answer, with the way out; any other error unchanged. */
export function modelFailure(error: unknown): unknown {
  if (!(error instanceof ModelError) || error.failure === 'stopped') return error;
  return new UserError(`${error.message}; ${WAYS_OUT[error.failure]}`);
}
