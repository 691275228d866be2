import { defineCommand } from '../command.ts';
import { EMBEDDING_OPTIONS } from '../embeddings.ts';
import { writeJson } from '../io.ts';
import { MODEL_OPTIONS } from '../language-model.ts';
import { provenanceOf } from '../provenance.ts';

const VERB = 'env';

export const env = defineCommand({
  verb: VERB,
  summary: 'what is in force here: models, paths, limits, versions, and who said so',
  details:
    'Shows each setting with where it comes from: a flag, the environment, your own config, a trusted project config, the config file, or the default.\n' +
    'Whether there is a key is shown by the name of its variable; the key never is. What is not followed, or wrong, comes last with the way out.\n' +
    'Needs no docs, no key and no daemon, and changes nothing.',
  positionals: {},
  options: { ...MODEL_OPTIONS, ...EMBEDDING_OPTIONS },
  example: 'kgraphfs env --docs docs/sample',
  async run(args, io) {
    const provenance = provenanceOf(VERB, args);
    const { envView } = await import('../env/env-view.ts');
    const { revision, ...view } = await envView(args, io);
    if (args.json) {
      writeJson(io.out, { ...view, ...provenance(revision) });
      return 0;
    }
    const { writeEnv } = await import('../env/env-text.ts');
    writeEnv(io.out, { ...view, revision });
    return 0;
  },
});
