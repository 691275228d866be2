import { counted } from '../../text/counted.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { bringUpToDate, findPlace } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { seconds } from '../text/printable.ts';

export const schemaApply = defineCommand({
  verb: 'schema apply',
  summary: 'bring the graph up to date with the schema map',
  details:
    'Only documents about which the map now says something else are read again. A daemon does this by itself when the map changes, and\n' +
    'so do other commands if no daemon runs; this one reports what it did.',
  positionals: {},
  options: {},
  example: 'kgraphfs schema apply --docs docs/sample',
  async run(args, io) {
    const startMs = performance.now();
    const provenance = provenanceOf('schema apply', args);
    const place = await findPlace(args, io, { keepsLast: true, onBroken: () => {} });
    if (place.settings.schemaMap !== undefined) {
      const { loadSchemaMap } = await import('../../schema/load-map.ts');
      loadSchemaMap(place.settings.schemaMap);
    }
    const { documents, added, changed, revision, nodes, edges } = await bringUpToDate(place, io);
    const durationMs = performance.now() - startMs;
    const rules = place.settings.selection.schema?.rules.length ?? 0;
    if (args.json) {
      writeJson(io.out, {
        rules,
        documents,
        documents_read: added + changed,
        nodes,
        edges,
        ...provenance(revision),
      });
    } else {
      const read = `${added + changed} of ${counted(documents, 'document')}`;
      const applied =
        place.settings.schemaMap === undefined
          ? 'there is no schema map'
          : `applied ${counted(rules, 'rule')}`;
      io.out.write(`${applied}: read ${read} in ${seconds(durationMs)}\n`);
    }
    return 0;
  },
});
