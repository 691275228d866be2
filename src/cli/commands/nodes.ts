import { UserError } from '../../core/errors.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { writeTable } from '../text/table.ts';

export const nodes = defineCommand({
  verb: 'nodes',
  summary: 'the nodes of the graph, all or of one type',
  positionals: {
    type: {
      summary: 'APIObject, Endpoint, Event, Concept, Document, or a type of the schema map, in any case',
      count: 'optional',
    },
  },
  options: {
    minDegree: {
      type: 'count',
      value: 'N',
      min: 0,
      default: 0,
      summary: 'only nodes with at least N relations',
    },
  },
  example: 'kgraphfs nodes APIObject --min-degree 3 --docs docs/sample',
  run: (args, io) =>
    withProject(args, io, async ({ graph }) => {
      const { requireType } = await import('../../graph/questions.ts');
      const filter = args.type === undefined ? {} : { type: requireType(graph, args.type) };
      const found = graph.nodes({ ...filter, minDegree: args.minDegree });
      if (args.json === true) {
        const views = found.map(({ display, type, degree, confidence, description, sources }) => {
          return { node: display, type, degree, confidence, description, sources };
        });
        writeJson(io.out, views);
      } else if (found.length > 0) {
        writeTable(io.out, found, [
          { title: 'node', value: ({ display }) => display, isName: true },
          { title: 'type', value: ({ type }) => type },
          { title: 'degree', value: ({ degree }) => degree },
          { title: 'first said in', value: ({ sources }) => sources[0] ?? '', isName: true },
        ]);
      }
      if (found.length > 0) return 0;
      const isWhole = args.type === undefined && args.minDegree === 0;
      throw new UserError(
        isWhole ? 'the graph is empty: no document says anything' : 'there is no such node',
      );
    }),
});
