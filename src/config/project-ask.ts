import type { ProjectAsk } from './settings.ts';
import { Trust } from './trust.ts';

/** To whom a config file of a project would have texts sent. */
interface Receiver {
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/**
 * Whether the user trusts the config file in which a project asks for texts to be sent, as the file is. Where not, why is added to the refusals.
 * @param key of the config: `llm`
 * @param without what follows from it, if that needs to be said: `search works without embeddings`
 * @throws UserError as `Trust.has`
 */
export function isFollowed(
  { file, text }: ProjectAsk<unknown>,
  { key, without, to }: { readonly key: string; readonly without?: string; readonly to: Receiver },
  variables: NodeJS.ProcessEnv,
  refusals: string[],
): boolean {
  if (new Trust(variables).has(file, text)) return true;
  const { model = 'a model', baseUrl = 'OpenAI or OpenRouter' } = to;
  refusals.push(
    `${file}: "${key}" would send texts of these docs to ${baseUrl} (${model}), and a config file may be a stranger's: ` +
      `it is not followed${without === undefined ? '' : `, and ${without}`}. If the file is yours, or you have read it: kgraphfs trust`,
  );
  return false;
}
