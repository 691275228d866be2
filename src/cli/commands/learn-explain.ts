import { learntConfidence } from '../../core/rule-counts.ts';
import { printableName } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withGraph } from '../project.ts';
import { provenanceOf } from '../provenance.ts';

const VERB = 'learn explain';

export const learnExplain = defineCommand({
  verb: VERB,
  summary: 'which rules read the edges from one node to another, and where',
  positionals: {
    from: { summary: 'name of a node' },
    to: { summary: 'name of a node' },
  },
  options: {},
  example: 'kgraphfs learn explain Subscription Invoice --docs docs/sample',
  run: (args, io) => {
    const provenance = provenanceOf(VERB, args);
    return withGraph(args, io, async ({ place: { settings, state }, store, graph }) => {
      const [{ requireNode }, { ledgerOrNone, ruleCounts }, { readingsOf }] = await Promise.all([
        import('../../graph/questions.ts'),
        import('../../state/learning-file.ts'),
        import('../../learning/readings-of.ts'),
      ]);
      const [from, to] = [requireNode(graph, args.from), requireNode(graph, args.to)];
      const counts = settings.learning.rules ? ruleCounts(ledgerOrNone(state.learningFile)) : {};
      const readings = readingsOf(store, from, to).map((one) => {
        return { ...one, learnt: learntConfidence(one.confidence, counts[one.rule]) };
      });
      if (args.json) {
        const ends = { from: from.display, to: to.display };
        writeJson(io.out, { ...ends, readings, ...provenance(graph.revision()) });
      } else if (readings.length === 0) {
        io.err.write(
          `nothing states a relation from ${printableName(from.display)} to ${printableName(to.display)}\n`,
        );
      }
      if (!args.json) {
        for (const { edge_type, rule, confidence, learnt, places } of readings) {
          const sure = learnt === confidence ? `${confidence}` : `${confidence}, learnt ${learnt}`;
          io.out.write(`${edge_type} by ${rule} (${sure}): ${places.map(printableName).join(', ')}\n`);
        }
      }
      return readings.length === 0 ? 1 : 0;
    });
  },
});
