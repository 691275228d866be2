import { learntConfidence } from '../../core/rule-counts.ts';
import { counted } from '../../text/counted.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withGraph } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { writeTable } from '../text/table.ts';

const VERB = 'learn status';

export const learnStatus = defineCommand({
  verb: VERB,
  summary: 'how the rules of extraction were judged, and what is learnt at all',
  details:
    'For each rule: how many relations in documents it read, its own confidence in them, how often they were confirmed and rejected,\n' +
    "and the resulting confidence, as learn.rules of the config applies it. A ? after the name stands for the rule's doubtful readings.",
  positionals: {},
  options: {},
  example: 'kgraphfs learn status --docs docs/sample',
  run: (args, io) => {
    const provenance = provenanceOf(VERB, args);
    return withGraph(args, io, async ({ place: { settings, state }, store, graph }) => {
      const { readLedger, ruleCounts } = await import('../../state/learning-file.ts');
      const ledger = readLedger(state.learningFile);
      const counts = ruleCounts(ledger);
      const rows = store.contributions.ruleFigures().map(({ rule, statements, confidence }) => {
        const { confirmed, rejected } = counts[rule] ?? { confirmed: 0, rejected: 0 };
        const learnt = learntConfidence(confidence, counts[rule]);
        return { rule, statements, confidence, confirmed, rejected, learnt };
      });
      const ways = Object.values(ledger.proposed).filter((state) => state === 'proposed').length;
      if (args.json) {
        const { rules: rulesOn, paths } = settings.learning;
        writeJson(io.out, {
          learn: { rules: rulesOn, paths },
          rules: rows,
          judgements: Object.keys(ledger.judged).length,
          proposed: ways,
          ...provenance(graph.revision()),
        });
        return 0;
      }
      const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');
      io.out.write(`rules ${onOff(settings.learning.rules)}, paths ${onOff(settings.learning.paths)}\n`);
      const judgements = counted(Object.keys(ledger.judged).length, 'judgement');
      io.out.write(`${judgements}, ${counted(ways, 'way')} proposed so far\n\n`);
      writeTable(io.out, rows, [
        { title: 'rule', value: ({ rule }) => rule },
        { title: 'relations', value: ({ statements }) => statements },
        { title: 'sure', value: ({ confidence }) => confidence },
        { title: 'confirmed', value: ({ confirmed }) => confirmed },
        { title: 'rejected', value: ({ rejected }) => rejected },
        { title: 'learnt', value: ({ learnt }) => learnt },
      ]);
      return 0;
    });
  },
});
