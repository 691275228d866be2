/** The statements of the sources that an answer was given, prepared for comparison with claims. */
import { termsOf } from '../../words/tokens.ts';
import { beforeMark } from './before-mark.ts';
import { type MarkdownStatement, statementsOf } from './markdown-statements.ts';
import type { SourceWords } from './word-matches.ts';
import { wordsOfStatement } from './words-of-statement.ts';

/** A text that an answer is based on. */
export interface ClaimSource {
  /** The path in the mount: `/docs/charges/create.md`. */
  readonly path: string;
  /** The first line of the text, 1-based. */
  readonly line: number;
  readonly title: string;
  readonly headings: readonly string[];
  /** The text, in markdown. */
  readonly text: string;
}

export interface SourceStatement {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly words: SourceWords;
}

/** Beginnings of sentences that go on about what was named before. */
const GOING_ON =
  /\b(?:it|its|they|their|them|this|that|these|those|he|she|his|her|one|ones|then)\b|^(?:the )?default\b/i;

/** All statements, each place once. Questions are left out, unless they are answered with yes or no. */
export function statementsOfSources(sources: readonly ClaimSource[]): SourceStatement[] {
  const seen = new Set<string>();
  return sources.flatMap((source) =>
    statementsOfSource(source).filter(({ path, line, text }) => {
      const key = `${path}\0${line}\0${text}`;
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    }),
  );
}

function statementsOfSource({ path, line, title, headings, text }: ClaimSource): SourceStatement[] {
  const statements = answered(statementsOf(text));
  const stems = statements.map((statement) => termsOf(statement.text));
  return statements.map((statement, index) => {
    const under = [title, nameOf(path), ...headings, ...statement.headings, statement.leadIn].join(' ');
    const isNeighbour = (other: number) => statements[other]?.block === statement.block;
    const isGoingOn = statement.form === 'sentence' && GOING_ON.test(statement.text);
    const neighbours = isGoingOn ? [index - 2, index - 1].filter(isNeighbour) : [];
    const around = neighbours.flatMap((other) => stems[other] ?? []);
    return {
      path,
      line: line + statement.line - 1,
      text: statement.text,
      words: {
        ...wordsOfStatement(statement.text),
        under: new Set(termsOf(under)),
        underText: wordsOfStatement(under).words.map((word) => word.text),
        around: new Set(around),
        isCode: statement.form === 'code',
      },
    };
  });
}

/** "Can it be undone? No." says that it cannot. */
function answered(statements: readonly MarkdownStatement[]): MarkdownStatement[] {
  return statements.flatMap((statement, index) => {
    const said = beforeMark(statement.text, /\?/);
    if (said === undefined) return [statement];
    const answer = /^(yes|no)\b/i.exec(statements[index + 1]?.text ?? '')?.[1]?.toLowerCase();
    if (answer === undefined) return [];
    return [{ ...statement, text: answer === 'no' ? `no ${said}` : said }];
  });
}

function nameOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.\w+$/, '');
}
