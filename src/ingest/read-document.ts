import { systemClock } from '../core/clock.ts';
import { type DocsSelection, isSearchedOnly, placeOf } from '../core/docs-selection.ts';
import { FsError } from '../core/errors.ts';
import type { Problem } from '../core/graph-model.ts';
import { documentAliases } from '../core/identity.ts';
import type { Outline } from '../core/outline.ts';
import { isHeld, whenLetGo } from '../disk/held-file.ts';
import { type Contribution, contributionOf } from '../graph/contribution.ts';
import { isDiskFailure, isOutOfFiles } from '../source/disk-error.ts';
import type { DocsFolders } from '../source/docs-folders.ts';
import type { DocsProblem } from '../source/docs-problem.ts';
import { readDocument } from '../source/document-text.ts';
import { contentKindOf } from '../source/file-kind.ts';
import { type ExtractedDocument, extractDocument } from './extract/extract.ts';
import { BUILT_IN_RELATIONS } from './extract/relation-names.ts';
import { EXTRACTOR_VERSION } from './extract/version.ts';
import type { KeptAnswers, ModelAnswers } from './model-facts/kept-answers.ts';
import { type ModelFigures, mergeAnswers, NO_MODEL_FIGURES } from './model-facts/merge-answers.ts';
import {
  NOTHING_TO_SEARCH,
  type SourceText,
  sourceOfDocument,
  sourceOfMarkdown,
  sourceOfText,
} from './passages/source-text.ts';
import { matcherOf } from './schema-stamps.ts';
import { keptStampOf } from './stamp.ts';
import { withinRoot } from './within-root.ts';

/** A file to be read, with what is known of its content. */
export interface ReadRequest {
  readonly path: string;
  /** What the index of the graph has; that has none of a file that is no markdown. */
  readonly known?: { readonly sha256: string; readonly extractorVersion: number };
  /** What search has, of the present version; absent where search wants nothing of this file. */
  readonly search?: { readonly sha256: string | undefined };
}

interface ReadFile {
  readonly path: string;
  readonly stamp: string;
  readonly sha256: string;
  /** For search, where that has it otherwise, or not at all. */
  readonly source?: SourceText;
}

export type ReadOutcome =
  | (ReadFile & {
      readonly outcome: 'read';
      readonly contribution: Contribution;
      readonly outline: Outline;
      readonly schemaStamp: string;
      /** Stands for what a model answered about it; empty where nothing. */
      readonly extractionStamp: string;
      readonly modelFigures: ModelFigures;
    })
  /** The graph has it as it is: the file was touched, but says what it said, or it is no markdown. */
  | (ReadFile & { readonly outcome: 'same' })
  /** Gone, closed to us, or no text: with the reason unless it is gone. */
  | {
      readonly outcome: 'unreadable';
      readonly path: string;
      readonly problems: readonly Problem[];
      /** It is there, and may be read later: another program holds it, or the disk fails. What it said still counts. */
      readonly isHeld?: true;
      /** What is wrong with the disk. */
      readonly failure?: DocsProblem;
    };

/** Who holds a file lets go of it some milliseconds after it is told to; others wait for the batch that it is read with. */
const LET_GO_WITHIN_MS = 2000;

/**
 * Reads one file and takes from it what it contributes. Never throws for what is wrong with the file.
 * @throws FsError EBUSY where another program has to let go of it first
 * @param kept what models answered; undefined: only rules read it
 */
export function readContribution(
  folders: Pick<DocsFolders, 'readContent'>,
  docs: DocsSelection,
  { path, known, search }: ReadRequest,
  maxBytes: number,
  kept?: KeptAnswers,
): ReadOutcome {
  try {
    const startMs = systemClock.nowMs();
    const file = readDocument(folders, path, maxBytes);
    const isMarkdown = contentKindOf(path) === 'markdown';
    const isDocument = isMarkdown && !isSearchedOnly(docs, path);
    if (file.isBinary && isDocument) return { outcome: 'unreadable', path, problems: file.problems };
    const { sha256, text } = file;
    const stamp = keptStampOf(file, startMs);
    const wantsSource = search !== undefined && search.sha256 !== sha256;
    const isKnown = known?.sha256 === sha256 && known.extractorVersion === EXTRACTOR_VERSION;
    if (!isDocument || isKnown) {
      const sourceOf = isMarkdown ? sourceOfMarkdown : sourceOfText;
      const source = () => (file.isBinary ? NOTHING_TO_SEARCH : sourceOf(pathInRoot(docs, path), text));
      return { outcome: 'same', path, stamp, sha256, ...(wantsSource ? { source: source() } : {}) };
    }
    const answers = kept?.find(sha256);
    const { contribution, outline, schemaStamp, document, modelFigures } = readText(
      docs,
      path,
      text,
      answers,
    );
    const problems = [...file.problems, ...contribution.problems];
    const source = () => (document === undefined ? NOTHING_TO_SEARCH : sourceOfDocument(document));
    return {
      outcome: 'read',
      path,
      stamp,
      sha256,
      contribution: { ...contribution, problems },
      outline,
      schemaStamp,
      extractionStamp: answers?.stamp ?? '',
      modelFigures,
      ...(wantsSource ? { source: source() } : {}),
    };
  } catch (error) {
    if (!(error instanceof FsError) || isOutOfFiles(error) || isHeld(error)) throw error;
    if (isDiskFailure(error)) {
      const failure = { path, ...whyUnreadable(error) };
      return { outcome: 'unreadable', path, problems: [], isHeld: true, failure };
    }
    return unreadable(path, error);
  }
}

/** {@link readContribution} of many files, of which another program may have to let go first. The outcomes are in the order of the requests. */
export async function readAllOnceLetGo(
  folders: DocsFolders,
  docs: DocsSelection,
  requests: readonly ReadRequest[],
  maxBytes: number,
  kept: KeptAnswers,
): Promise<readonly ReadOutcome[]> {
  const outcomes = requests.map((request) =>
    readOnceLetGo(request.path, () => readContribution(folders, docs, request, maxBytes, kept)),
  );
  // Where one fails, the folders are closed: nobody may wait any more to read in them.
  await Promise.allSettled(outcomes);
  return Promise.all(outcomes);
}

async function readOnceLetGo(path: string, read: () => ReadOutcome): Promise<ReadOutcome> {
  try {
    return await whenLetGo(read, {}, LET_GO_WITHIN_MS);
  } catch (error) {
    if (!(error instanceof FsError && isHeld(error))) throw error;
    return { ...unreadable(path, error), isHeld: true };
  }
}

function unreadable(path: string, error: FsError): Extract<ReadOutcome, { outcome: 'unreadable' }> {
  const isExpected = error.code === 'ENOENT' || contentKindOf(path) !== 'markdown';
  return { outcome: 'unreadable', path, problems: isExpected ? [] : [whyUnreadable(error)] };
}

function pathInRoot(docs: DocsSelection, path: string): string {
  return placeOf(docs, path)?.path ?? path;
}

/** What a document's text gives to the graph. Links are resolved within the root that the document lies in. */
function readText(
  docs: DocsSelection,
  path: string,
  text: string,
  answers: ModelAnswers | undefined,
): Pick<ExtractedDocument, 'outline' | 'document' | 'schemaStamp'> & {
  readonly contribution: Contribution;
  readonly modelFigures: ModelFigures;
} {
  const place = placeOf(docs, path);
  const schema = matcherOf(docs, place?.root.name ?? '');
  const isOnlyRoot = place === undefined || place.root.name === '';
  const byRules = extractDocument(isOnlyRoot ? path : place.path, text, BUILT_IN_RELATIONS, schema);
  const { facts: extracted, figures: modelFigures } =
    answers === undefined
      ? { facts: byRules, figures: NO_MODEL_FIGURES }
      : mergeAnswers(byRules, text, answers);
  if (isOnlyRoot) return { ...restOf(extracted), modelFigures, contribution: contributionOf(extracted) };
  const contribution = contributionOf(withinRoot(extracted, place));
  const pages = documentAliases(place.path).filter((alias) => alias.startsWith('wiki:'));
  const aliases = [...pages, ...(contribution.aliases ?? [])];
  return { ...restOf(extracted), modelFigures, contribution: { ...contribution, aliases } };
}

function restOf({ outline, document, schemaStamp }: ExtractedDocument) {
  return { outline, document, schemaStamp };
}

function whyUnreadable(error: FsError) {
  return { line: 0, code: 'unreadable' as const, message: `this document could not be read: ${error.why}` };
}
