import { printable } from '../../core/printable.ts';
import { defineCommand } from '../command.ts';
import { EMBEDDING_OPTIONS } from '../embeddings.ts';
import { writeJson } from '../io.ts';
import { bringUpToDate, findPlace } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { counted, seconds } from '../text/printable.ts';
import { usageError } from '../usage-error.ts';

export const build = defineCommand({
  verb: 'build',
  summary: 'bring the index up to date with the docs folder',
  details:
    'Reads what is new or changed since the last time and takes back what is gone. Other commands do the same by\n' +
    'themselves where no daemon runs; this one says what it did.',
  positionals: {},
  options: {
    llm: { type: 'boolean', summary: 'read the docs with a language model too; --no-llm is the default' },
    embed: { type: 'boolean', summary: 'have all texts embedded now, for search by meaning' },
    ...EMBEDDING_OPTIONS,
  },
  example: 'kgraphfs build --docs docs/sample',
  async run(args, io) {
    if (args.llm)
      throw usageError('build --llm comes with a later version; build works without a model', 'build');
    const startMs = performance.now();
    const provenance = provenanceOf('build', args);
    const place = await findPlace(args, io);
    const { documents, added, changed, removed, nodes, edges, revision, problems } = await bringUpToDate(
      place,
      io,
    );
    const durationMs = performance.now() - startMs;
    const embedded = args.embed
      ? await (await import('../embed-all.ts')).embedAll(place, args, io)
      : undefined;
    if (args.json) {
      writeJson(io.out, {
        documents,
        added,
        changed,
        removed,
        nodes,
        edges,
        problems,
        ...(embedded === undefined ? {} : { embeddings: embedded }),
        ...provenance(revision),
      });
      return 0;
    }
    io.out.write(
      `built ${counted(documents, 'document')} (${added} added, ${changed} changed, ${removed} removed), ` +
        `${counted(nodes, 'node')}, ${counted(edges, 'edge')} in ${seconds(durationMs)}\n`,
    );
    if (embedded !== undefined)
      io.out.write(
        `embedded ${embedded.done} of ${counted(embedded.total, 'text')} with ${printable(embedded.model)}, ${embedded.cache_hits} of them before\n`,
      );
    if (problems > 0) {
      const where = 'kgraphfs vfs read /.kgraphfs/errors.jsonl';
      io.err.write(`${io.err.style('yellow', counted(problems, 'problem'))} in the docs: ${where}\n`);
    }
    return 0;
  },
});
