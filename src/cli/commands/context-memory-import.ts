import { closeSync } from 'node:fs';
import { EXIT, UserError } from '../../core/errors.ts';
import type { ImportPlan, LineProblem } from '../../exchange/import-check.ts';
import type { ImportReport } from '../../exchange/import-memory.ts';
import { counted } from '../../text/counted.ts';
import { printable } from '../../text/printable.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { openToReadTwice } from '../import-file.ts';
import { type Io, writeJson } from '../io.ts';
import { withMemory } from '../memory.ts';
import { progressBar } from '../progress.ts';

const MAX_SHOWN_PROBLEMS = 10;
export const contextMemoryImport = defineCommand({
  verb: 'context memory import',
  summary: 'read entries from JSON lines',
  details:
    'A line is an entry: {"memory_type", "key", "content", "confidence", "tags", "source_paths", "ttl", "created_at", "session",\n' +
    '"actor"}. source, filename, etl_source, tenant_id, channel, kind and role say where it comes from. "updated_at", "expires_at",\n' +
    '"reviewer" and "reviewed_at" are as in an export. An entry whose time to live has ended is left out. Only content is required: an\n' +
    'entry is a fact unless it says otherwise, and an entry without a key gets one from its content. A line {"relation", "from", "to",\n' +
    '"weight"} relates two entries. The memory.jsonl of the MCP memory server is read, too: entities become facts, relations become\n' +
    'relations.\n' +
    'An existing entry is replaced if it differs, so importing twice changes nothing. If a line is wrong, nothing is imported.',
  positionals: { file: { summary: 'file of JSON lines, or - for standard input', isPath: true } },
  options: {
    keepGoing: {
      type: 'boolean',
      summary: 'import correct lines although others are wrong; those are reported, and the exit status is 1',
    },
    dryRun: { type: 'boolean', summary: 'only say what would be imported, and what is wrong' },
  },
  example: 'kgraphfs context memory import memory.jsonl --docs docs/sample',
  async run(args, io) {
    const { file } = args;
    const descriptor = await openToReadTwice(file, io);
    try {
      return await withMemory(args, io, async ({ memory, settings }) => {
        const { checkImport, countExisting } = await import('../../exchange/import-check.ts');
        const source = { descriptor, maxEntryBytes: settings.limits.memoryEntryBytes };
        const plan = checkImport(source, memory);
        const isWrong = plan.problems.length > 0;
        if (isWrong && !args.keepGoing) throw refusal(file, plan);
        if (args.dryRun) {
          const existing = countExisting(plan, memory);
          if (args.json) writeJson(io.out, { ...planView(file, plan), existing });
          else io.out.write(`${file}: ${planText(plan, existing)} would be imported\n`);
          return tellRest(io, file, plan, []);
        }
        const { importMemory } = await import('../../exchange/import-memory.ts');
        const bar = progressBar(io.err, 'importing');
        const total = plan.entryLines.size;
        const options = {
          keepGoing: args.keepGoing ?? false,
          onProgress: (done: number) => bar.update({ done, total }),
        };
        const report = importMemory(source, plan, memory, options, callerContext(io));
        bar.end();
        if (args.json) writeJson(io.out, { ...planView(file, plan), ...reportView(plan, report) });
        else io.out.write(`${reportText(file, report)}\n`);
        const { stopped } = report;
        if (stopped !== undefined) {
          throw new UserError(
            `${problemText(file, stopped)}\n  the import ended there; what comes before that line is in, and importing again goes on`,
          );
        }
        return tellRest(io, file, plan, report.problems);
      });
    } finally {
      closeSync(descriptor);
    }
  },
});

function refusal(file: string, { problems, entryLines }: ImportPlan): UserError {
  const way =
    entryLines.size === 0
      ? 'nothing was imported'
      : `nothing was imported; --keep-going imports the ${counted(entryLines.size, 'entry', 'entries')} of the other lines`;
  return new UserError(`${problemList(file, problems)}\n  ${way}`);
}

function problemList(file: string, problems: readonly LineProblem[]): string {
  const shown = problems.slice(0, MAX_SHOWN_PROBLEMS).map((one) => problemText(file, one));
  const more = problems.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${counted(more, 'more line')} like that`] : [])].join('\n');
}

function problemText(file: string, { line, why }: LineProblem): string {
  return `${file}:${line}: ${printable(why)}`;
}

/** Names on standard error the lines that were left out. @returns the exit status */
function tellRest(io: Io, file: string, plan: ImportPlan, refused: readonly LineProblem[]): number {
  const problems = [...plan.problems, ...refused];
  if (plan.repeated > 0) {
    io.err.write(`${counted(plan.repeated, 'line')} replaced by a later line of the same entry\n`);
  }
  if (plan.ended.size > 0) {
    const entries = counted(plan.ended.size, 'entry', 'entries');
    io.err.write(`${entries} left out: the time to live has ended\n`);
  }
  if (plan.unknownKeys.size > 0) {
    const keys = Array.from(plan.unknownKeys, ([key, line]) => `${printable(key)} (line ${line})`);
    io.err.write(`unknown keys were left out: ${keys.join(', ')}\n`);
  }
  if (problems.length === 0) return 0;
  io.err.write(`${problemList(file, problems)}\n`);
  return EXIT.failed;
}

function planText({ entryLines, relationLines }: ImportPlan, existing: number): string {
  const relations = relationLines.size === 0 ? '' : ` and ${counted(relationLines.size, 'relation')}`;
  return `${counted(entryLines.size, 'entry', 'entries')} (${entryLines.size - existing} new)${relations}`;
}

function planView(file: string, plan: ImportPlan) {
  const { entryLines, relationLines, ended, repeated, problems, unknownKeys } = plan;
  return {
    file,
    entries: entryLines.size,
    relations: relationLines.size,
    repeated,
    ended: ended.size,
    problems,
    ignored_keys: [...unknownKeys.keys()],
  };
}

function reportView(plan: ImportPlan, { added, replaced, same, related, problems }: ImportReport) {
  return { added, replaced, same, related, problems: [...plan.problems, ...problems] };
}

function reportText(file: string, { added, replaced, same, related }: ImportReport): string {
  const relations = related === 0 ? '' : `, ${counted(related, 'relation')} set`;
  return `${file}: ${counted(added, 'entry', 'entries')} added, ${replaced} replaced, ${same} the same${relations}`;
}
