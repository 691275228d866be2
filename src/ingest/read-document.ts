import { type DocsSelection, placeOf } from '../core/docs-selection.ts';
import { FsError } from '../core/errors.ts';
import type { Problem } from '../core/graph-model.ts';
import { documentAliases } from '../core/identity.ts';
import type { Outline } from '../core/outline.ts';
import { type Contribution, contributionOf } from '../graph/contribution.ts';
import type { DocsFolders } from '../source/docs-folders.ts';
import { readDocument } from '../source/document-text.ts';
import { extractDocument } from './extract/extract.ts';
import { BUILT_IN_RELATIONS } from './extract/relation-names.ts';
import { EXTRACTOR_VERSION } from './extract/version.ts';
import { matcherOf } from './schema-stamps.ts';
import { stampOf } from './stamp.ts';
import { withinRoot } from './within-root.ts';

/** A document to be read, with what the index knows of its content. */
export interface ReadRequest {
  readonly path: string;
  readonly known?: { readonly sha256: string; readonly extractorVersion: number };
}

export type ReadOutcome =
  | {
      readonly outcome: 'read';
      readonly path: string;
      readonly stamp: string;
      readonly sha256: string;
      readonly contribution: Contribution;
      readonly outline: Outline;
      readonly schemaStamp: string;
    }
  /** The file was touched, but says what it said. */
  | { readonly outcome: 'same'; readonly path: string; readonly stamp: string }
  /** Gone, closed to us, or no text: with the reason unless it is gone. */
  | { readonly outcome: 'unreadable'; readonly path: string; readonly problems: readonly Problem[] };

/** Reads one document and takes from it what it contributes. Never throws for what is wrong with the file. */
export function readContribution(
  folders: Pick<DocsFolders, 'readContent'>,
  docs: DocsSelection,
  { path, known }: ReadRequest,
  maxBytes: number,
): ReadOutcome {
  try {
    const document = readDocument(folders, path, maxBytes);
    if (document.isBinary) return { outcome: 'unreadable', path, problems: document.problems };
    const { sha256, text } = document;
    const stamp = stampOf(document);
    if (known?.sha256 === sha256 && known.extractorVersion === EXTRACTOR_VERSION)
      return { outcome: 'same', path, stamp };
    const { contribution, outline, schemaStamp } = readText(docs, path, text);
    const problems = [...document.problems, ...contribution.problems];
    return {
      outcome: 'read',
      path,
      stamp,
      sha256,
      contribution: { ...contribution, problems },
      outline,
      schemaStamp,
    };
  } catch (error) {
    if (!(error instanceof FsError)) throw error;
    return { outcome: 'unreadable', path, problems: error.code === 'ENOENT' ? [] : [whyUnreadable(error)] };
  }
}

/** What a document's text gives to the graph. Links are resolved within the root that the document lies in. */
function readText(
  docs: DocsSelection,
  path: string,
  text: string,
): { readonly contribution: Contribution; readonly outline: Outline; readonly schemaStamp: string } {
  const place = placeOf(docs, path);
  const schema = matcherOf(docs, place?.root.name ?? '');
  if (place === undefined || place.root.name === '') {
    const extracted = extractDocument(path, text, BUILT_IN_RELATIONS, schema);
    const { outline, schemaStamp } = extracted;
    return { contribution: contributionOf(extracted), outline, schemaStamp };
  }
  const extracted = extractDocument(place.path, text, BUILT_IN_RELATIONS, schema);
  const { outline, schemaStamp } = extracted;
  const contribution = contributionOf(withinRoot(extracted, place));
  const pages = documentAliases(place.path).filter((alias) => alias.startsWith('wiki:'));
  const aliases = [...pages, ...(contribution.aliases ?? [])];
  return { contribution: { ...contribution, aliases }, outline, schemaStamp };
}

function whyUnreadable(error: FsError): Problem {
  return { line: 0, code: 'unreadable', message: `this document could not be read: ${error.why}` };
}
