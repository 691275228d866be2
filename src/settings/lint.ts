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
/** How grave a rule's findings are, or that it is switched off. */
export type LintRuleSetting = LintSeverity | 'off';

/** What the configuration says of lint. */
export interface LintChoices {
  /** By name of the rule. */
  readonly rules: Readonly<Partial<Record<LintRuleName, LintRuleSetting | undefined>>>;
  /** Where the docs root lies on the site, such as `/docs/`; undefined to find out from the links. */
  readonly siteRoot: string | undefined;
  /** Patterns of documents that are not looked at, as in `.gitignore`. */
  readonly ignore: readonly string[];
}
