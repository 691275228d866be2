/**
 * What a markdown document contributes to the graph. Extraction is a pure function, linear in the length of the text, and total. Each kind of
 * fact has a file of its own beside this one; here they are put together.
 */

import { reasonOf } from '../../core/errors.ts';
import type { DocumentFacts } from '../../core/graph-model.ts';
import { documentKey, linkKey, pageKey, wikiKey } from '../../core/identity.ts';
import type { Outline } from '../../core/outline.ts';
import type { RuleMatcher } from '../../schema/matching.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { documentOf } from '../markdown/parse.ts';
import { readSource } from '../markdown/source.ts';
import { EMPTY_OUTLINE, outlineOf } from '../outline/outline.ts';
import { readDocument } from './document-reader.ts';
import { FactCollector } from './facts.ts';
import { stateLinks } from './links.ts';
import { BUILT_IN_RELATIONS, type RelationNames } from './relation-names.ts';
import { withSchemaFacts } from './schema-facts.ts';

/** All that is read from one document. */
export interface ExtractedDocument extends DocumentFacts {
  readonly outline: Outline;
  /** The parsed document; undefined if it could not be read. */
  readonly document: MarkdownDocument | undefined;
  /** Stands for the rules of the schema map that may apply to it; empty if there are none. */
  readonly schemaStamp: string;
}

/**
 * Reads one document.
 * @param path relative to the docs root, with `/` between its parts
 * @param text the whole file, including the front matter
 * @param relations how relations of documents are named
 * @param schema what the schema map says
 * @returns facts and structure; the same for the same path, text and version. Never throws: what cannot be read becomes a problem
 */
export function extractDocument(
  path: string,
  text: string,
  relations: RelationNames = BUILT_IN_RELATIONS,
  schema?: RuleMatcher,
): ExtractedDocument {
  if (isBinary(text)) return bareFacts(path, 'not-text', 'this is not text: it holds NUL characters');
  try {
    const source = readSource(path, text);
    const facts = new FactCollector();
    const document = documentOf(source);
    const title = readDocument(document, relations, facts);
    const outline = outlineOf(source);
    stateLinks(outline, path, facts);
    for (const name of outline.names) answerToName(name, facts);
    const rules = schema?.rulesFor(path, outline) ?? [];
    return {
      ...withSchemaFacts(facts.finish(title), document, outline, rules),
      outline,
      document,
      schemaStamp: schema?.stampFor(path, outline) ?? '',
    };
  } catch (error) {
    return bareFacts(path, 'unreadable', `this document could not be read: ${reasonOf(error)}`);
  }
}

/** Adds an alias or address from front matter, by which links may mean the document. */
function answerToName(name: string, facts: FactCollector): void {
  facts.answerTo(pageKey(name));
  facts.answerTo(wikiKey(name));
  if (name.startsWith('/')) facts.answerTo(linkKey(name));
}

const SAMPLE_LENGTH = 8_000;

/** Whether a text is binary. Text has no NUL, so a file that has one near its start is something else with a markdown ending. */
function isBinary(text: string): boolean {
  return text.slice(0, SAMPLE_LENGTH).includes('\0');
}

/** The document alone, if nothing in it can be read. */
function bareFacts(path: string, code: string, message: string): ExtractedDocument {
  const facts = new FactCollector();
  const title = path.slice(path.lastIndexOf('/') + 1);
  facts.mention({
    key: documentKey(path),
    type: 'Document',
    label: title,
    line: 1,
    confidence: 1,
    declares: true,
  });
  facts.report({ line: 0, code, message });
  return { ...facts.finish(title), outline: EMPTY_OUTLINE, document: undefined, schemaStamp: '' };
}
