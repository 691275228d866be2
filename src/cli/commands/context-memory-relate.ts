import { MEMORY_RELATIONS, placeText } from '../../core/memory-entry.ts';
import { printableName } from '../../text/printable.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withMemory } from '../memory.ts';
import { namedEntry } from '../named-entry.ts';
import { didYouMean } from '../near-names.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'context memory relate';

export const contextMemoryRelate = defineCommand({
  verb: VERB,
  summary: 'set a relation between two entries',
  details:
    'Repeating the command with another weight changes the weight. An entry that another one supersedes is left out of searches.',
  positionals: {
    from: { summary: 'an entry, such as fact/refunds' },
    edge: { summary: MEMORY_RELATIONS.join(', ') },
    to: { summary: 'another entry' },
  },
  options: {
    weight: { type: 'text', value: 'NUMBER', default: '1', summary: 'strength, over 0 and at most 1' },
  },
  example:
    'kgraphfs context memory relate refunds related_to partial-refunds --weight 0.5 --docs docs/sample',
  run: (args, io) => {
    const relation = MEMORY_RELATIONS.find((one) => one === args.edge);
    if (relation === undefined) {
      throw usageError(
        `there is no edge "${args.edge}" between entries${didYouMean(args.edge, MEMORY_RELATIONS)}; the edges are ${MEMORY_RELATIONS.join(', ')}`,
        VERB,
      );
    }
    const weight = /^(?:\d+\.?\d*|\.\d+)$/.test(args.weight) ? Number(args.weight) : Number.NaN;
    if (!(weight > 0 && weight <= 1)) {
      throw usageError(`--weight takes a number over 0, at most 1, not "${args.weight}"`, VERB);
    }
    return withMemory(args, io, async ({ memory }) => {
      const from = namedEntry(memory, args.from);
      const to = namedEntry(memory, args.to);
      memory.relate(from, relation, to, weight, callerContext(io));
      if (args.json === true)
        writeJson(io.out, { from: placeText(from), relation, to: placeText(to), weight });
      else {
        const [name, other] = [from, to].map((place) => printableName(placeText(place)));
        io.out.write(`${name} ${relation} ${other}, weight ${weight}\n`);
      }
      return 0;
    });
  },
});
