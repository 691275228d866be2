import { LINT_RULE_NAMES, type LintRuleName, type LintRuleSetting } from '../settings/lint.ts';

/** All rules, with what they find and their default severity. */
export const RULES = {
  unreadable: {
    severity: 'error',
    summary: 'a file or folder that could not be read, so that nothing was checked',
  },
  'broken-link': { severity: 'error', summary: 'a link to a file, folder or page that is not there' },
  'broken-anchor': {
    severity: 'error',
    summary: 'a link to a heading, id or block that its document does not have',
  },
  'case-mismatch': {
    severity: 'error',
    summary: 'a link that differs from the name of its target in letter case only, which some disks hide',
  },
  'duplicate-anchor': {
    severity: 'warning',
    summary: 'an id that a document gives twice, or equal headings side by side',
  },
  'front-matter': {
    severity: 'error',
    summary: 'front matter that is no YAML, is not closed or has a key twice',
  },
  'malformed-table': {
    severity: 'error',
    summary: 'a table without a valid delimiter row, or a row with other cells than the header (warning)',
  },
  'unclosed-fence': { severity: 'error', summary: 'a code fence that is never closed' },
  'unresolved-reference': {
    severity: 'error',
    summary: '[text][name] or a footnote whose name is defined nowhere in the document',
  },
  'missing-field': {
    severity: 'error',
    summary: 'a field or heading that the template of a document requires',
  },
  'unresolved-entity': {
    severity: 'warning',
    summary: 'a Relationships section that names a thing of which nothing else is said anywhere',
  },
  'orphan-document': {
    severity: 'warning',
    summary: 'a document that no other links to, among documents that are linked',
  },
  'link-outside': {
    severity: 'off',
    summary: 'a link that leads out of the docs root, where nothing is looked at',
  },
} as const satisfies Record<LintRuleName, { readonly severity: LintRuleSetting; readonly summary: string }>;

export function isRuleName(name: string): name is LintRuleName {
  return Object.hasOwn(RULES, name);
}

export const RULE_NAMES: readonly LintRuleName[] = LINT_RULE_NAMES;
