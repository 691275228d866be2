import { resolve } from 'node:path';
import { READY_MAP } from '../../core/schema-rules.ts';
import { counted } from '../../text/counted.ts';
import { printable } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { findPlace, howToRead } from '../project.ts';
import { provenanceOf } from '../provenance.ts';

const SHOWN_LINES = 20;

export const schemaCheck = defineCommand({
  verb: 'schema check',
  summary: 'check the schema map, and show what it would change in the graph; nothing is written',
  details:
    'Compares two graphs: the one under the map with which the docs were last read, and the one under the map as it is now, or under\n' +
    'another map.\n' +
    'The map of a project is kgraphfs.schema.yaml (or .yml, .json) beside its config file or in its docs root, or the file that\n' +
    '"schemaMap" of the config names.\n' +
    'Errors of a map are reported with file, line and column; the exit status is then 2.',
  positionals: {
    map: { summary: 'a map, or "spec-driven" (default: that of the project)', count: 'optional' },
  },
  options: {},
  example: 'kgraphfs schema check spec-driven --docs docs/sample',
  async run(args, io) {
    const provenance = provenanceOf('schema check', args);
    const place = await findPlace(args, io, { keepsLast: true, onBroken: () => {} });
    const [{ loadSchemaMap }, { tryMap }] = await Promise.all([
      import('../../schema/load-map.ts'),
      import('../try-map.ts'),
    ]);
    const given = args.map;
    const asked = given === undefined || given === READY_MAP ? given : resolve(io.workingFolder(), given);
    const source = asked ?? place.settings.schemaMap;
    const schema = source === undefined ? undefined : loadSchemaMap(source);
    const { revision, ...change } = await tryMap(place.state.indexFile, await howToRead(place), schema);
    if (args.json) {
      writeJson(io.out, {
        map: source ?? null,
        rules: schema?.rules.length ?? 0,
        ...change,
        ...provenance(revision),
      });
      return 0;
    }
    const { nodes, edges, documents_read } = change;
    for (const [what, { gained, lost, changed }] of [
      ['node', nodes],
      ['edge', edges],
    ] as const) {
      io.out.write(`${what}s: ${gained.length} gained, ${lost.length} lost, ${changed.length} changed\n`);
      const lines = [
        ...gained.map((one) => `+ ${one}`),
        ...lost.map((one) => `- ${one}`),
        ...changed.map((one) => `~ ${one}`),
      ];
      for (const line of lines.slice(0, SHOWN_LINES)) io.out.write(`  ${printable(line)}\n`);
      if (lines.length > SHOWN_LINES)
        io.out.write(`  … ${lines.length - SHOWN_LINES} more; --json shows all\n`);
    }
    const verdict =
      schema === undefined
        ? 'there is no schema map'
        : `the map is right: ${counted(schema.rules.length, 'rule')}`;
    io.err.write(`${verdict}, ${counted(documents_read, 'document')} to be read\n`);
    return 0;
  },
});
