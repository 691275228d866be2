import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** A section of a text for plain search. */
export interface PlainSection {
  readonly path: string;
  readonly text: string;
}

/** The baseline of all comparisons: sections in SQLite's FTS5, ranked by its BM25, for any of the question's words. */
export interface PlainSearch {
  /** Best first. */
  search(question: string, limit: number): PlainSection[];
  close(): void;
}

export function plainSearch(sections: readonly PlainSection[]): PlainSearch {
  const folder = mkdtempSync(join(tmpdir(), 'kgraphfs-plain-'));
  const database = new Database(join(folder, 'plain.sqlite'));
  database.exec(
    `CREATE VIRTUAL TABLE sections USING fts5 (path UNINDEXED, text, tokenize = 'porter unicode61')`,
  );
  const put = database.prepare('INSERT INTO sections (path, text) VALUES (?, ?)');
  database.transaction(() => {
    for (const { path, text } of sections) put.run(path, text);
  })();
  const match = database.prepare<[string, number], PlainSection>(
    'SELECT path, text FROM sections WHERE sections MATCH ? ORDER BY bm25(sections), rowid LIMIT ?',
  );
  return {
    search(question, limit) {
      const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
      return words.length === 0 ? [] : match.all(words.map((word) => `"${word}"`).join(' OR '), limit);
    },
    close() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** All sections of all markdown files below a folder, with the file's name and the section's heading in the text. */
export function sectionsBelow(docs: string): PlainSection[] {
  return readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:md|mdx|markdown)$/.test(file) && !/(?:^|\/)\./.test(file))
    .toSorted()
    .flatMap((file) =>
      sectionsOf(readFileSync(join(docs, file), 'utf8')).map((text) => ({
        path: `/docs/${file}`,
        text: `${file}\n${text}`,
      })),
    );
}

function sectionsOf(text: string): string[] {
  return text.split(/^(?=#{1,6} )/m).filter((section) => section.trim() !== '');
}
