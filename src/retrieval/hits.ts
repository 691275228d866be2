import { FsError } from '../core/errors.ts';
import { BETWEEN_HEADINGS } from '../core/headings.ts';
import { REVIEW_TAG } from '../core/memory-entry.ts';
import type { Hop, RetrieverName, SearchHit } from '../core/search.ts';
import type { FoundPassage } from '../store/passages.ts';
import type { Corpus, SearchedSource, Span } from './corpus.ts';
import { type SnippetOptions, snippetOf } from './snippet.ts';
import type { Verifier } from './verifier.ts';

/** A passage with the scores and ranks of all retrievers. */
export interface FoundHit {
  readonly corpus: Corpus;
  readonly passage: FoundPassage;
  readonly score: number;
  readonly strength?: number | undefined;
  readonly ranks: Readonly<Partial<Record<RetrieverName, number>>>;
  readonly hops: readonly Hop[];
}

/**
 * The hit to show for a passage, in the present state of its source; undefined if the source is gone, or does not contain what it must.
 * @param snippetOptions how to make its snippet; undefined if none is wanted
 * @param unread the path of a source is added here if it cannot be read now and would have to be
 */
export function hitOf(
  found: FoundHit,
  verifier: Verifier,
  snippetOptions: SnippetOptions | undefined,
  unread?: Set<string>,
): SearchHit | undefined {
  const { corpus, passage } = found;
  const source = corpus.source(passage.sourceId);
  if (source === undefined) return undefined;
  const state = corpus.state(source);
  if (state === 'gone') return undefined;
  const isWanted = snippetOptions !== undefined || !verifier.acceptsAll;
  const text = isWanted ? textOrRefusal(corpus, source, passage) : '';
  if (text instanceof FsError) {
    if (verifier.acceptsAll)
      return shownHit(found, source, { isStale: true, snippet: `cannot be read now: ${text.why}` });
    // Without the text it is not known whether it contains something that it must not.
    unread?.add(source.path);
    return undefined;
  }
  if (text === undefined || !verifier.accepts(source, passage.headings, text)) return undefined;
  const snippet =
    snippetOptions === undefined ? undefined : snippetOf(text, headingsOf(passage), snippetOptions);
  return shownHit(found, source, {
    isStale: state === 'stale',
    snippet: snippet?.text ?? '',
    snippetLine: passage.line === 0 || snippet === undefined ? undefined : passage.line + snippet.line,
  });
}

interface ShownText {
  readonly isStale: boolean;
  readonly snippet: string;
  readonly snippetLine?: number | undefined;
}

function shownHit(
  { passage, score, strength, ranks, hops }: FoundHit,
  source: SearchedSource,
  { isStale, snippet, snippetLine }: ShownText,
): SearchHit {
  return {
    path: source.path,
    line: passage.line,
    endLine: passage.endLine,
    kind: source.kind,
    ...typeOf(source),
    title: source.title,
    headings: headingsOf(passage),
    score,
    ...(strength === undefined ? {} : { strength }),
    retrievers: ranks,
    hops,
    dateMs: source.dateMs,
    stale: isStale,
    ...(source.kind === 'memory' && source.tags.includes(REVIEW_TAG) ? { waits: true } : {}),
    snippet,
    ...(snippetLine === undefined ? {} : { snippetLine }),
  };
}

function headingsOf({ headings }: FoundPassage): string[] {
  return headings === '' ? [] : headings.split(BETWEEN_HEADINGS);
}

/** The text of a passage; undefined if its source is gone, or cannot be read at this moment. */
export function readableText(corpus: Corpus, source: SearchedSource, span: Span): string | undefined {
  const text = textOrRefusal(corpus, source, span);
  return text instanceof FsError ? undefined : text;
}

function textOrRefusal(corpus: Corpus, source: SearchedSource, span: Span): string | FsError | undefined {
  try {
    return corpus.text(source, span);
  } catch (error) {
    if (error instanceof FsError) return error;
    throw error;
  }
}

function typeOf({ kind, shownType }: SearchedSource): { type?: string } {
  return kind === 'document' || shownType === '' ? {} : { type: shownType };
}
