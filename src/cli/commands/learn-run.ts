import { placeText } from '../../core/memory-entry.ts';
import { counted } from '../../text/counted.ts';
import { printable, printableName } from '../../text/printable.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { bringUpToDate, findPlace, withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';

const VERB = 'learn run';

export const learnRun = defineCommand({
  verb: VERB,
  summary: 'learn from what was confirmed, rejected and walked until now',
  details:
    'learn.rules of the config: claims that were confirmed, accepted, rejected or forgotten change the confidence of the rules that\n' +
    'read the edges in those claims.\n' +
    'learn.paths: ways through the graph that were walked in three sessions are proposed in context/review, where mv accepts one and rm\n' +
    'rejects it.\n' +
    'A daemon learns once a day by itself. --dry-run says what would be learnt, even from what is off. Learning again learns nothing\n' +
    'new.',
  positionals: {},
  options: { dryRun: { type: 'boolean', summary: 'only say what would be learnt' } },
  example: 'kgraphfs learn run --dry-run --docs docs/sample',
  async run(args, io) {
    const { dryRun = false } = args;
    const provenance = provenanceOf(VERB, args);
    const context = callerContext(io);
    const done = await withProject(args, io, async (app) => {
      const { learnFromUse } = await import('../../learning/learn-from-use.ts');
      const learnt = learnFromUse(app, { dryRun, context });
      return { learnt, revision: app.graph.revision() };
    });
    const { judged, retracted, proposed, withdrawn } = done.learnt;
    const isMoved = !dryRun && (judged?.length ?? 0) + retracted.length > 0;
    const revision = isMoved ? (await bringUpToDate(await findPlace(args, io), io)).revision : done.revision;
    if (args.json) {
      writeJson(io.out, {
        dry_run: dryRun,
        judged: judged?.map(({ id, verdict, rules }) => ({ ...partsOf(id), verdict, rules })) ?? null,
        proposed:
          proposed?.map(({ nodes, occasions, ...place }) => ({
            entry: placeText(place),
            nodes,
            occasions,
          })) ?? null,
        retracted: retracted.map(partsOf),
        withdrawn: withdrawn.map(placeText),
        ...provenance(revision),
      });
      return 0;
    }
    for (const { id, verdict, rules } of judged ?? []) {
      io.out.write(`${verdict.padEnd(10)} ${judgedText(id)} (${rules.join(', ')})\n`);
    }
    for (const id of retracted) io.out.write(`retracted  ${judgedText(id)}\n`);
    for (const place of withdrawn) io.out.write(`withdrawn  ${printableName(placeText(place))}\n`);
    for (const { nodes, occasions, ...place } of proposed ?? []) {
      io.out.write(`proposed   ${nodes.map(printableName).join(' → ')}, walked on ${occasions} occasions\n`);
      io.out.write(`           ${printableName(placeText(place))}\n`);
    }
    const rules = judged === undefined ? 'rules: off' : `${counted(judged.length, 'new judgement')} of rules`;
    const paths =
      proposed === undefined ? 'paths: off' : `${counted(proposed.length, 'way')} proposed in review`;
    io.out.write(`${rules}, ${paths}${dryRun ? ' (dry run)' : ''}\n`);
    return 0;
  },
});

function judgedText(id: string): string {
  const { entry, edge } = partsOf(id);
  return printable(`${edge}, ${entry}`);
}

/** The edge that was judged, and the entry of memory by which it was. */
function partsOf(id: string): { readonly entry: string; readonly edge: string } {
  const [entry = '', edge = ''] = id.split('\n');
  return { entry, edge };
}
