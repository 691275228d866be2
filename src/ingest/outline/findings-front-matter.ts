import type { OutlineFinding } from '../../core/outline.ts';
import type { MarkdownSource } from '../markdown/source.ts';
import type { SourceLines } from './source-lines.ts';

const RULE = 'front-matter';

/** Front matter that YAML rejects, that is never closed, or that gives a key twice. */
export function frontMatterFindings(source: MarkdownSource, lines: SourceLines): OutlineFinding[] {
  const { frontMatter, text } = source;
  if (frontMatter.lineCount === 0) return isNeverClosed(text) ? [neverClosed()] : [];
  const problems = frontMatter.problems.filter(({ line }) => !isTemplate(lines.at(line)));
  const findings = problems.map(({ line, column, message }) => ({ rule: RULE, line, column, message }));
  return findings.length > 0 ? findings : repeatedKeys(lines, frontMatter.lineCount);
}

const OPENS_WITH_KEY = /^\uFEFF?---[ \t]*\r?\n(?:[ \t]*#[^\n]*\n)*[A-Za-z_][\w-]*:(?:[ \t]|\r?\n)/;

/** Whether front matter is not closed. A document may begin with a rule, but if it goes on with a key, front matter was meant. */
function isNeverClosed(text: string): boolean {
  return OPENS_WITH_KEY.test(text);
}

function neverClosed(): OutlineFinding {
  return { rule: RULE, line: 1, column: 1, message: 'front matter is never closed: a line "---" is missing' };
}

/** Files that a template engine fills in are not YAML yet. */
function isTemplate(line: string): boolean {
  return /\{\{|\{%|<%/.test(line);
}

function repeatedKeys(lines: SourceLines, lineCount: number): OutlineFinding[] {
  if (lines.at(1).startsWith('+++')) return [];
  const seen = new Map<string, number>();
  const findings: OutlineFinding[] = [];
  for (let line = 2; line < lineCount; line += 1) {
    const key = /^([A-Za-z_][\w-]*):(?:\s|$)/.exec(lines.at(line))?.[1];
    if (key === undefined) continue;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, line);
    else {
      const message = `front matter: the key "${key}" is given twice, first in line ${first}`;
      findings.push({ rule: RULE, line, column: 1, message, target: key });
    }
  }
  return findings;
}
