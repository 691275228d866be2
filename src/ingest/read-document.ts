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
  /** What the index of the graph has; it has nothing of a file that is no markdown. */
  readonly known?: { readonly sha256: string; readonly extractorVersion: number };
  /** What search has of the present version; absent if search needs nothing of this file. */
  readonly search?: { readonly sha256: string | undefined };
}

interface ReadFile {
  readonly path: string;
  readonly stamp: string;
  readonly sha256: string;
  /** For search, if that has no row of the file or a different one. */
  readonly source?: SourceText;
}

export type ReadOutcome =
  | (ReadFile & {
      readonly outcome: 'read';
      readonly contribution: Contribution;
      readonly outline: Outline;
      readonly schemaStamp: string;
      /** A stamp of a model's answers about it; empty if there are none. */
      readonly extractionStamp: string;
      readonly modelFigures: ModelFigures;
    })
  /** The graph has the present content: the file was touched but has the same text, or it is no markdown. */
  | (ReadFile & { readonly outcome: 'same' })
  /** The file is gone, cannot be read, or is no text. There is a reason unless it is gone. */
  | {
      readonly outcome: 'unreadable';
      readonly path: string;
      readonly problems: readonly Problem[];
      /** The file exists and may be read later: another program holds it, or the disk fails. What it said still counts. */
      readonly isHeld?: true;
      /** What is wrong with the disk. */
      readonly failure?: DocsProblem;
    };

/** A program that holds a file releases it some milliseconds after it is told to. The rest of the batch waits for this file. */
const LET_GO_WITHIN_MS = 2000;

/**
 * Reads one file and extracts what it contributes. Never throws for a problem of the file.
 * @throws FsError EBUSY if another program has to release the file first
 * @param kept the answers of models; undefined: only rules read the file
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

/** {@link readContribution} of many files, some of which another program may have to release first. The outcomes are in the order of the requests. */
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
  // If one of them fails, the folders are closed, and then no other reading may still be waiting.
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

/** What the text of a document contributes to the graph. Links are resolved within the root that contains the document. */
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
