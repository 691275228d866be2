import type { ProjectAsk } from './settings.ts';
import { Trust } from './trust.ts';

/** To whom a config file of a project would have texts sent. */
interface Receiver {
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/**
 * What the config file of a project says of a key for which texts are sent, where the user trusts that file as it is. Where not, it is nothing, and why is
 * added to the refusals.
 * @param key of the config: `llm`
 * @param without what follows from it, if that needs to be said: `search works without embeddings`
 * @throws UserError as `Trust.has`
 */
export function trustedFields<Key extends Receiver>(
  project: ProjectAsk<Key | false> | undefined,
  { key, without }: { readonly key: string; readonly without?: string },
  variables: NodeJS.ProcessEnv,
  refusals: string[],
): Partial<Key> {
  if (project === undefined || project.asked === false) return {};
  const { asked, file, text } = project;
  if (new Trust(variables).has(file, text)) return asked;
  const { model = 'a model', baseUrl = 'OpenAI or OpenRouter' } = asked;
  refusals.push(
    `${file}: "${key}" would send texts of these docs to ${baseUrl} (${model}), and a config file may be a stranger's: ` +
      `it is not followed${without === undefined ? '' : `, and ${without}`}. If the file is yours, or you have read it: kgraphfs trust`,
  );
  return {};
}

/** What a key says that may also turn all off. */
export function fieldsOf<Key extends object>(key: Key | false | undefined): Partial<Key> {
  return key === undefined || key === false ? {} : key;
}
