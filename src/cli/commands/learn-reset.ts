import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { bringUpToDate, findPlace } from '../project.ts';

export const learnReset = defineCommand({
  verb: 'learn reset',
  summary: 'forget what was learnt from use: judgements of rules, and proposed ways',
  details:
    'Rules have their own confidence again. What was judged and walked before no longer counts. Memory stays as it is, with the ways\n' +
    'that were accepted.',
  positionals: {},
  options: {
    rules: { type: 'boolean', summary: 'only judgements of rules' },
    paths: { type: 'boolean', summary: 'only ways' },
  },
  example: 'kgraphfs learn reset --docs docs/sample',
  async run(args, io) {
    const place = await findPlace(args, io);
    const all = args.rules === args.paths;
    const what = { rules: all || args.rules === true, paths: all || args.paths === true };
    const [{ forgetLearnt }, { prepareStateFolder }, { openContextStore }] = await Promise.all([
      import('../../state/learning-file.ts'),
      import('../../state/state-folder.ts'),
      import('../../store/context-store.ts'),
    ]);
    prepareStateFolder(place.state);
    const store = openContextStore(place.state.contextFile);
    try {
      forgetLearnt(place.state.learningFile, what, Date.now(), (body) => store.transact(body));
    } finally {
      store.close();
    }
    const { revision } = await bringUpToDate(place, io);
    if (args.json) writeJson(io.out, { forgotten: what, revision });
    else
      io.out.write(
        `forgotten: ${[what.rules ? 'rules' : [], what.paths ? 'paths' : []].flat().join(', ')}\n`,
      );
    return 0;
  },
});
