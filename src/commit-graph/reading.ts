import { hash } from 'node:crypto';
import type { DocsInTree } from '../git/tree-files.ts';
import { EXTRACTOR_VERSION } from '../ingest/extract/version.ts';
import type { DocsSettings } from './tree-view.ts';

const SEPARATOR = ' ';

/** A text that stands for the settings that decide which documents are read, and how. */
export function readingOf(docs: DocsInTree, settings: DocsSettings): string {
  const { selection, maxBytes } = settings;
  const { include, exclude } = selection;
  const content = textHash({
    extractor: EXTRACTOR_VERSION,
    ...(selection.schema ? { schema: selection.schema } : {}),
  });
  const choice = textHash({ roots: docs.roots, include, exclude, maxBytes });
  return `${content}${SEPARATOR}${choice}`;
}

/** The part of it that the stored data of documents depends on. */
export function contentPart(reading: string): string {
  return reading.split(SEPARATOR)[0] ?? '';
}

function textHash(value: unknown): string {
  return hash('sha1', JSON.stringify(value)).slice(0, 16);
}
