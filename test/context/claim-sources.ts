import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClaimSource } from '../../src/context/claims/source-statements.ts';

/** All documents of a folder, each as one source. */
export function documentsOf(folder: string): ClaimSource[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      const title = /^#\s+(.*)$/m.exec(text)?.[1] ?? path;
      return { path: `/docs/${path}`, line: 1, title, headings: [], text };
    });
}
