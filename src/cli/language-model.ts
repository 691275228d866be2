import type { ChatModel } from '../agent/chat-model.ts';
import type { LlmChoice, LlmFlags } from '../config/llm.ts';
import type { Settings } from '../config/settings.ts';
import type { ModelSettings } from '../settings/language-model.ts';
import { printable } from '../text/printable.ts';
import type { OptionSpecs } from './command.ts';
import type { Io } from './io.ts';

/** Options of the commands that ask a language model. */
export const MODEL_OPTIONS = {
  model: {
    type: 'text',
    value: 'MODEL',
    summary: 'the language model (default: your own config, or anthropic/claude-sonnet-4-5 at OpenRouter)',
  },
  baseUrl: {
    type: 'text',
    value: 'URL',
    summary: 'an OpenAI-compatible API, such as http://localhost:11434/v1',
  },
} as const satisfies OptionSpecs;

/**
 * The language model to ask, or why there is none. Tells the user if a config file asks for a model that is not used.
 * @throws UserError if the user's config is wrong, or the user's settings make no sense
 */
export async function chosenModel(
  { llm }: Pick<Settings, 'llm'>,
  flags: LlmFlags,
  { environment: { variables }, err }: Io,
): Promise<LlmChoice> {
  const { chooseModel } = await import('../config/llm.ts');
  const choice = chooseModel(llm, flags, variables);
  for (const refusal of choice.refusals) err.write(`${printable(refusal)}\n`);
  return choice;
}

/** The model itself, with the user's key for its API. @param attempts how often a reply is asked for; default as in `openAiChat` */
export async function openModel(
  { model, baseUrl, timeoutMs }: ModelSettings,
  { environment: { variables } }: Io,
  { attempts }: { readonly attempts?: number } = {},
): Promise<ChatModel> {
  const [{ ApiKeys }, { openAiChat }] = await Promise.all([
    import('../config/api-key.ts'),
    import('../agent/openai-chat.ts'),
  ]);
  const apiKey = new ApiKeys(variables).keyFor(baseUrl);
  return openAiChat({ model, baseUrl, timeoutMs, apiKey, attempts });
}
