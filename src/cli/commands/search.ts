import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { App } from '../../app/app.ts';
import { EXIT, FsError, reasonOf, UserError } from '../../core/errors.ts';
import { parsePath, type VfsPath } from '../../core/paths.ts';
import type { OpContext } from '../../core/resolver.ts';
import type { ParsedQuery, SearchAnswer, SearchHit, SearchOptions } from '../../core/search.ts';
import { unreadText } from '../../core/unread-sources.ts';
import type { NothingFound } from '../../retrieval/nothing-found.ts';
import { printable } from '../../text/printable.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { EMBEDDING_OPTIONS } from '../embeddings.ts';
import { wordsOrInput } from '../given-question.ts';
import { type Io, writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { pathPattern } from '../search/path-pattern.ts';
import { requirePlace } from '../search/required-place.ts';
import { complaintOf } from '../search/strict-query.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'search';
const DEFAULT_LIMIT = 10;
const MAX_DEPTH = 5;
export const search = defineCommand({
  verb: VERB,
  summary: 'the best hits for a question in docs, graph and memory, ranked together',
  details:
    'Ask as you would ask a person. Filters narrow a question: type:endpoint tag:billing in:/docs after:2026-01-01 related:Charge~2\n' +
    '"exact words" -draft; docs/search.md says what each means. Text that cannot be read as a filter is taken as words; with --strict\n' +
    'it is an error.\n' +
    '--batch reads one query a line and prints one line of JSON for each, {"query", "hits"}. It succeeds when every line was answered,\n' +
    'even without hits. If files cannot be read now that may contain what is looked for, "unread" has their paths.',
  positionals: {
    query: {
      summary: 'a question, or words to look for; - reads standard input',
      count: 'optional',
      isFreeText: true,
    },
  },
  options: {
    limit: { type: 'count', value: 'N', min: 1, default: DEFAULT_LIMIT, summary: 'at most N hits' },
    scope: {
      type: 'text',
      value: 'PATH',
      default: '/',
      summary: 'only below this path of the mount, such as /docs',
    },
    depth: {
      type: 'count',
      value: 'N',
      min: 0,
      summary: `follow the graph by N edges, up to ${MAX_DEPTH}, from what the question names (default: what serves best)`,
    },
    pathRegex: {
      type: 'text',
      value: 'REGEX',
      summary: 'only paths of the mount that this regular expression matches',
    },
    contains: { type: 'text', value: 'TEXT', summary: 'only passages that contain this text, in any case' },
    strict: { type: 'boolean', summary: 'refuse a query with an invalid filter or quotation mark' },
    superseded: { type: 'boolean', summary: 'also find memories that others supersede' },
    batch: {
      type: 'text',
      value: 'FILE',
      summary: 'answer the queries of a file, or of standard input with -',
    },
    ...EMBEDDING_OPTIONS,
  },
  example: 'kgraphfs search "how is a charge refunded" --docs docs/sample',
  async run(args, io) {
    const { batch, limit, depth, pathRegex, contains, strict = false, superseded = false } = args;
    if (args.query === undefined && batch === undefined)
      throw usageError('search needs a <query>, or --batch', VERB);
    if (args.query !== undefined && batch !== undefined)
      throw usageError('search takes a <query> or --batch, not both', VERB);
    if (depth !== undefined && depth > MAX_DEPTH) throw usageError(`--depth is at most ${MAX_DEPTH}`, VERB);
    const query = args.query === undefined ? undefined : await wordsOrInput(args.query, io, VERB);
    const provenance = provenanceOf(VERB, { ...args, query });
    const scope = parsePath(args.scope);
    const options: Asking = {
      limit,
      scope,
      superseded,
      ...(depth === undefined ? {} : { depth }),
      ...(pathRegex === undefined ? {} : { pathPattern: pathPattern(pathRegex) }),
      ...(contains === undefined ? {} : { contains }),
    };
    const context = callerContext(io);
    return withProject(args, io, async (app) => {
      await requirePlace(app.fs, scope, '--scope');
      const { parseQuery } = await import('../../retrieval/language/parse-query.ts');
      const asker = new Asker(app, options, context);
      const revision = () => app.graph.revision();
      const read = (text: string): Asked => {
        const parsed = parseQuery(text);
        return { text, parsed, complaint: strict ? complaintOf(text, parsed) : undefined };
      };
      if (query === undefined) {
        const { batch: _, ...shared } = args;
        const begin = (query: string) => provenanceOf(VERB, { ...shared, query });
        return answerAll(queriesOf(batch ?? '-', io), { read, asker, begin, revision }, io);
      }
      const asked = read(query);
      if (asked.complaint !== undefined) throw new UserError(asked.complaint, EXIT.wrongUsage);
      const answer = await asker.answer(asked);
      const { hits, unread } = answer;
      if (args.json) {
        const { answerView } = await import('../../retrieval/answer-view.ts');
        writeJson(io.out, { ...answerView(query, answer), ...provenance(revision()) });
      } else await write(hits, io);
      if (hits.length === 0) throw new UserError((await asker.nothingFound(asked, answer)).lines.join('\n'));
      const { misreadFilters } = await import('../../retrieval/language/misread-filters.ts');
      for (const note of misreadFilters(query, asked.parsed)) io.err.write(`kgraphfs: ${note}\n`);
      if (unread !== undefined) io.err.write(`kgraphfs: ${printable(unreadText(unread))}\n`);
      return 0;
    });
  },
});

/** A query, and what `--strict` objects to in it. */
interface Asked {
  readonly text: string;
  readonly parsed: ParsedQuery;
  readonly complaint: string | undefined;
}

/** How to search, and below which path of the mount. */
type Asking = SearchOptions & { readonly scope: VfsPath };

class Asker {
  readonly #app: App;
  readonly #options: Asking;
  readonly #context: OpContext;

  constructor(app: App, options: Asking, context: OpContext) {
    this.#app = app;
    this.#options = options;
    this.#context = context;
  }

  async answer({ text, parsed }: Asked): Promise<SearchAnswer> {
    const { search, workspace } = this.#app;
    const { limit, scope } = this.#options;
    const answer = await search.search(parsed, this.#options);
    const data = { query: text, limit, hits: answer.hits.length };
    workspace.record({ type: 'search', path: scope, data, context: this.#context });
    return answer;
  }

  async nothingFound({ text, parsed }: Asked, { unread, empty }: SearchAnswer): Promise<NothingFound> {
    const { nothingFound } = await import('../../retrieval/nothing-found.ts');
    const { search: engine, graph, readSoFar } = this.#app;
    const similar = (words: string, limit: number) => graph.similar(words, limit);
    return nothingFound(text, parsed, { engine, similar, readSoFar, unread, empty }, this.#options);
  }
}

async function write(hits: readonly SearchHit[], io: Io): Promise<void> {
  const { blockOf, hitText } = await import('../../retrieval/answer-text.ts');
  const { style } = io.out;
  const blocks = hits.map((hit, index) => {
    const { place, facts, lines } = hitText(hit);
    return blockOf(`${index + 1}  ${style('bold', place)}  ${style('dim', facts.join('  '))}`, lines);
  });
  io.out.write(blocks.join('\n'));
}

interface BatchParts {
  readonly read: (query: string) => Asked;
  readonly asker: Asker;
  readonly begin: (query: string) => ReturnType<typeof provenanceOf>;
  readonly revision: () => number;
}

/** Answers each query. @returns 0 if every query was answered */
async function answerAll(
  queries: AsyncIterable<string>,
  { read, asker, begin, revision }: BatchParts,
  io: Io,
): Promise<number> {
  const { answerView } = await import('../../retrieval/answer-view.ts');
  let status = 0;
  for await (const query of queries) {
    const provenance = begin(query);
    const asked = read(query);
    const isRefused = asked.complaint !== undefined;
    if (isRefused) status = EXIT.wrongUsage;
    const view = isRefused
      ? { ...answerView(query, { hits: [] }), problems: asked.parsed.problems }
      : answerView(query, await asker.answer(asked));
    await io.out.writeBytes(Buffer.from(`${JSON.stringify({ ...view, ...provenance(revision()) })}\n`));
  }
  return status;
}

/** The lines of a file that hold a query. @throws UserError if the file cannot be read */
async function* queriesOf(file: string, io: Io): AsyncIterable<string> {
  const input = file === '-' ? io.input : createReadStream(resolve(io.workingFolder(), file));
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() !== '') yield line;
    }
  } catch (error) {
    if (error instanceof UserError || error instanceof FsError) throw error;
    throw new UserError(`${file}: cannot be read: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
}
