import type { LintRuleName, LintSeverity } from '../settings/lint.ts';
import { compareTexts } from '../text/compare-texts.ts';

/** Something wrong in a document. */
export interface LintFinding {
  /** The path relative to the docs root. */
  readonly file: string;
  /** 1-based, like the column, which counts UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly rule: LintRuleName;
  readonly severity: LintSeverity;
  /** What the finding is about, as the document writes it: the target of a link, or the name of a field. */
  readonly target?: string;
  readonly message: string;
  /** What to write instead of the target, if there is a similar name. */
  readonly suggestion?: string;
}

/** What a rule finds, before its severity is known. */
export interface RuleFinding extends Omit<LintFinding, 'severity' | 'file'> {
  /** Given if it is less severe than the rule is. */
  readonly severity?: LintSeverity;
}

export function compareFindings(a: LintFinding, b: LintFinding): number {
  return (
    compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column || compareTexts(a.rule, b.rule)
  );
}
