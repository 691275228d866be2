import { defineCommand } from '../command.ts';
import { EMBEDDING_OPTIONS } from '../embeddings.ts';
import { writeJson } from '../io.ts';
import { MODEL_OPTIONS } from '../language-model.ts';
import { provenanceOf } from '../provenance.ts';

const VERB = 'env';

export const env = defineCommand({
  verb: VERB,
  summary: 'the settings in force here: models, paths, limits, versions, and where each comes from',
  details:
    'Shows each setting with its origin: a flag, the environment, your own config, a trusted project config, the config file, or the\n' +
    'default.\n' +
    'Of a key only the name of its variable is shown, never the key. Settings that are not followed, or wrong, come last, with the way\n' +
    'out.\n' +
    'The command needs no docs, no key and no daemon, and changes nothing.',
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
