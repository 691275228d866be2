/** The rules of lint, in the order in which they are shown. */
export const LINT_RULE_NAMES = [
  'unreadable',
  'broken-link',
  'broken-anchor',
  'case-mismatch',
  'duplicate-anchor',
  'front-matter',
  'malformed-table',
  'unclosed-fence',
  'unresolved-reference',
  'missing-field',
  'unresolved-entity',
  'orphan-document',
  'link-outside',
] as const;

export type LintRuleName = (typeof LINT_RULE_NAMES)[number];
export type LintSeverity = 'warning' | 'error';
/** The severity of a rule's findings, or `off`. */
export type LintRuleSetting = LintSeverity | 'off';

/** What the config says about lint. */
export interface LintChoices {
  /** By the name of the rule. */
  readonly rules: Readonly<Partial<Record<LintRuleName, LintRuleSetting | undefined>>>;
  /** Where the docs root is on the site, such as `/docs/`; undefined to find that out from the links. */
  readonly siteRoot: string | undefined;
  /** Patterns of documents that are not checked, as in `.gitignore`. */
  readonly ignore: readonly string[];
}
