import type { ProjectAsk } from './settings.ts';
import { Trust } from './trust.ts';

/** An API to which a project's config file would have texts sent. */
interface Receiver {
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/**
 * What a project's config file says in a key because of which texts are sent, if the user trusts the file as it is now. If not, nothing counts, and
 * the reason is added to the refusals.
 * @param key of the config: `llm`
 * @param without the consequence, if it needs to be said: `search works without embeddings`
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

/** The fields of a key that may also be `false`, to turn all of it off. */
export function fieldsOf<Key extends object>(key: Key | false | undefined): Partial<Key> {
  return key === undefined || key === false ? {} : key;
}
