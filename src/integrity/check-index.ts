import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf, UserError } from '../core/errors.ts';
import { isOfMachine } from '../disk/damage.ts';
import { DATABASE_FILE_ENDINGS } from '../disk/database-files.ts';
import { removeFile } from '../disk/remove.ts';
import { Projection } from '../graph/projection.ts';
import { type IndexOptions, updateIndex } from '../ingest/indexer.ts';
import type { StateFolder } from '../state/state-folder.ts';
import { copyDatabase, refuseNewerFile } from '../store/database.ts';
import { fileProblems, unreadable } from '../store/file-check.ts';
import { IndexComparison, type IndexDifference } from '../store/index-comparison.ts';
import { openSearchStore, type SearchStore } from '../store/search-store.ts';
import { INDEX_SCHEMA, openStore } from '../store/store.ts';
import { checkSearch } from './check-search.ts';
import { type Finding, finding, mended, STOP_AND_REPAIR } from './finding.ts';

export interface IndexCheckOptions extends Omit<IndexOptions, 'store' | 'paths'> {
  readonly state: StateFolder;
  readonly repair: boolean;
  /** Whether a daemon has the index open by now. Then its file cannot be replaced. */
  readonly isInUse: () => boolean;
}

/** The prefix of the names of files that are made while the index is checked; the number of the process follows. */
export const CHECK_FILE_PREFIX = 'check-';
/** Docs that change all the time are compared as they were at some moment, after this many tries. */
const MAX_ROUNDS = 5;

/**
 * Checks the index against the docs and against itself: a new index is made from the docs, and a copy of the present one, brought up to date, has to be equal
 * to it. So any damage shows, whether a program or a disk has caused it.
 * @throws UserError if the docs cannot be read, or the index is of a newer version
 */
export async function checkIndex(options: IndexCheckOptions): Promise<Finding[]> {
  const { state, repair } = options;
  if (!existsSync(state.indexFile)) {
    const found = finding('index', 'index-missing', 'there is no index yet', []);
    if (!repair) return [{ ...found, remedy: 'kgraphfs build' }];
    await remake(options);
    return [mended(found)];
  }
  const problems = fileProblems(state.indexFile, INDEX_SCHEMA);
  if (problems.length > 0) return [await damaged(options, problems)];
  const made = (name: string) => join(state.path, `${CHECK_FILE_PREFIX}${process.pid}-${name}.sqlite`);
  const [copy, fresh, freshSearch] = [made('copy'), made('fresh'), made('search')];
  const remove = () => {
    for (const file of [copy, fresh, freshSearch]) removeDatabase(file);
  };
  remove();
  try {
    let findings: Finding[];
    try {
      refuseNewerFile(state.indexFile, INDEX_SCHEMA);
      copyDatabase(state.indexFile, copy);
      await readDocs(options, [copy, fresh], { of: fresh, to: freshSearch });
      findings = [...behind(state.indexFile, copy), ...differing(copy, fresh)];
    } catch (error) {
      if (error instanceof UserError) throw error;
      refuseForMachine(error, state.indexFile);
      return [await damaged(options, [reasonOf(error)])];
    }
    const ofIndex = repair && findings.length > 0 ? await mendAll(options, fresh, findings) : findings;
    return [...ofIndex, ...(await checkSearch(options, freshSearch))];
  } finally {
    remove();
  }
}

async function mendAll(
  options: IndexCheckOptions,
  fresh: string,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const isMended = await mend(options, fresh).catch((error: unknown) => {
    refuseForMachine(error, options.state.indexFile);
    return false;
  });
  if (isMended) return findings.map(mended);
  if (options.isInUse()) return findings.map((one) => ({ ...one, remedy: STOP_AND_REPAIR }));
  await remake(options);
  return findings.map(mended);
}

export function removeDatabase(file: string): void {
  for (const suffix of DATABASE_FILE_ENDINGS) removeFile(`${file}${suffix}`);
}

async function damaged(options: IndexCheckOptions, problems: readonly string[]): Promise<Finding> {
  const found = finding('index', 'file-damaged', 'the file of the index is damaged', problems);
  if (!options.repair) return found;
  if (options.isInUse()) return { ...found, remedy: STOP_AND_REPAIR };
  await remake(options);
  return mended(found);
}

/** @throws UnreadableFileError if the error does not come from the content of the file */
function refuseForMachine(error: unknown, file: string): void {
  const cause = error instanceof UserError && error.cause !== undefined ? error.cause : error;
  if (!isOfMachine(cause)) return;
  throw unreadable(file, cause);
}

/** The damaged index is removed without a copy, since it can be made again. */
async function remake(options: IndexCheckOptions): Promise<void> {
  removeDatabase(options.state.indexFile);
  await read(options, options.state.indexFile);
}

/** For one of the indexes, what search finds in the docs is written to a file, too. */
interface SearchToo {
  readonly of: string;
  readonly to: string;
}

/** Brings indexes up to date with one and the same state of the docs. */
async function readDocs(
  options: IndexCheckOptions,
  files: readonly string[],
  searchToo?: SearchToo,
): Promise<void> {
  const search = searchToo && openSearchStore(searchToo.to);
  try {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      let changes = 0;
      for (const file of files) {
        changes += await read(options, file, file === searchToo?.of ? search : undefined);
      }
      if (changes === 0) return;
    }
  } finally {
    search?.close();
  }
}

/** @returns how many documents were not as they are on disk @throws UserError if some cannot be read for now */
async function read(options: IndexCheckOptions, file: string, search?: SearchStore): Promise<number> {
  const store = openStore(file);
  try {
    const { added, changed, removed, held } = await updateIndex({
      ...options,
      store,
      ...(search === undefined ? {} : { search }),
    });
    const [path] = held;
    // What such a document said still counts in the present index, and is missing from a new one.
    if (path !== undefined)
      throw new UserError(
        `${path || 'docs'}: another program holds it, or the disk fails to read it, so the index cannot be held against it; try again once it can be read`,
      );
    return added + changed + removed;
  } finally {
    store.close();
  }
}

/** Documents that have changed since they were read, or that another version has read. This is no damage, but no other command reports it. */
function behind(indexFile: string, copy: string): Finding[] {
  const comparison = new IndexComparison(copy, indexFile);
  try {
    const others = new Set(comparison.readByOtherRules());
    const paths = comparison
      .differences(['documents'])
      .map(({ path }) => path ?? '?')
      .filter((path) => !others.has(path));
    return [
      ...(paths.length === 0
        ? []
        : [
            finding(
              'docs',
              'document-behind',
              'documents on disk that are not in the index as they are',
              paths,
            ),
          ]),
      ...(others.size === 0 ? [] : [finding('index', 'document-of-other-version', OTHER_RULES, others)]),
    ];
  } finally {
    comparison.close();
  }
}

/** The case after an upgrade. A command that asks the graph, or a mount, reads these documents again, too. */
const OTHER_RULES =
  'documents that another version of kgraphfs read, which are not read by the rules of this one yet';
const SAID = 'what the index holds of documents is not what they say';

function differing(copy: string, fresh: string): Finding[] {
  const comparison = new IndexComparison(copy, fresh);
  try {
    const differences = comparison.differences();
    const dangling = comparison.danglingEdges();
    const undeclared = comparison.undeclaredNodes();
    const ofPart = (isIt: (one: IndexDifference) => boolean, name: (one: IndexDifference) => string) =>
      differences.filter(isIt).map(name);
    const documents = ofPart(
      ({ part }) => part !== 'nodes' && part !== 'edges',
      ({ path }) => path ?? 'rows of a document that is not there',
    );
    const nodes = ofPart(
      ({ part }) => part === 'nodes',
      ({ key }) => key ?? '?',
    );
    const edges = ofPart(
      ({ part }) => part === 'edges',
      ({ key, target }) => `${key ?? '?'} → ${target ?? '?'}`,
    );
    const notes = [
      ...(dangling > 0 ? [`${dangling} edges lead to no node`] : []),
      ...(undeclared > 0 ? [`${undeclared} nodes are declared by no document`] : []),
    ].join(', ');
    const why = notes === '' ? '' : ` (${notes})`;
    return [
      ...(documents.length === 0 ? [] : [finding('index', 'document-differs', SAID, documents)]),
      ...(nodes.length === 0
        ? []
        : [finding('graph', 'node-differs', `nodes that are not what the docs make of them${why}`, nodes)]),
      ...(edges.length === 0
        ? []
        : [finding('graph', 'edge-differs', `edges that are not what the docs make of them${why}`, edges)]),
    ];
  } finally {
    comparison.close();
  }
}

/**
 * Removes what differs, reads those documents again and makes those nodes and edges again. It works in the file itself, which others may be reading.
 * @returns whether the index is sound then
 */
async function mend(options: IndexCheckOptions, fresh: string): Promise<boolean> {
  const { indexFile } = options.state;
  await readDocs(options, [indexFile, fresh]);
  // When a document is read again, nodes and edges of its previous content may be left over, which only the next round sees.
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const comparison = new IndexComparison(indexFile, fresh);
    try {
      const differences = comparison.differences();
      if (differences.length === 0 && comparison.danglingEdges() === 0) return true;
      comparison.removeDifferences(differences);
      await readDocs(options, [indexFile, fresh]);
      makeAnew(options, differences);
    } finally {
      comparison.close();
    }
  }
  return false;
}

function makeAnew({ state, clock }: IndexCheckOptions, differences: readonly IndexDifference[]): void {
  const store = openStore(state.indexFile);
  try {
    store.transact(() => {
      const projection = new Projection(store);
      const idOf = (key: string) => store.keys.intern(key);
      for (const { part, key, target } of differences) {
        if (part === 'nodes' && key != null) projection.makeAnew(idOf(key));
        if (part === 'edges' && key != null && target != null) projection.makeAnew(idOf(key), idOf(target));
      }
      projection.projectNext(clock.nowMs());
    });
  } finally {
    store.close();
  }
}
