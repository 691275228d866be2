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
  { corpus, passage, score, strength, ranks, hops }: FoundHit,
  verifier: Verifier,
  snippetOptions: SnippetOptions | undefined,
  unread?: Set<string>,
): SearchHit | undefined {
  const source = corpus.source(passage.sourceId);
  if (source === undefined) return undefined;
  const state = corpus.state(source);
  if (state === 'gone') return undefined;
  const isWanted = snippetOptions !== undefined || !verifier.acceptsAll;
  const text = isWanted ? textOrRefusal(corpus, source, passage) : '';
  // Without the text it is not known whether it contains something that it must not.
  const isUnread = text instanceof FsError && verifier.acceptsAll;
  if (text instanceof FsError && !isUnread) unread?.add(source.path);
  if (!isUnread && (typeof text !== 'string' || !verifier.accepts(source, passage.headings, text)))
    return undefined;
  const headings = passage.headings === '' ? [] : passage.headings.split(BETWEEN_HEADINGS);
  const snippet =
    snippetOptions === undefined || typeof text !== 'string'
      ? undefined
      : snippetOf(text, headings, snippetOptions);
  return {
    path: source.path,
    line: passage.line,
    endLine: passage.endLine,
    kind: source.kind,
    ...typeOf(source),
    title: source.title,
    headings,
    score,
    ...(strength === undefined ? {} : { strength }),
    retrievers: ranks,
    hops,
    dateMs: source.dateMs,
    stale: state === 'stale' || isUnread,
    ...(source.kind === 'memory' && source.tags.includes(REVIEW_TAG) ? { waits: true } : {}),
    snippet: isUnread ? `cannot be read now: ${text.why}` : (snippet?.text ?? ''),
    ...(snippet === undefined || passage.line === 0 ? {} : { snippetLine: passage.line + snippet.line }),
  };
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
