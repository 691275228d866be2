import type { LintSwitch, Outline } from '../core/outline.ts';
import type { LintChoices, LintRuleSetting } from '../settings/lint.ts';
import { checkEntities } from './check-entities.ts';
import { checkLink } from './check-link.ts';
import { orphanCheck } from './check-orphan.ts';
import { checkRequirements } from './check-requirements.ts';
import { Docs, type LinkSettings } from './docs.ts';
import { compareFindings, type LintFinding, type RuleFinding } from './finding.ts';
import { isRuleName, RULES } from './rules.ts';
import type { LintView } from './view.ts';

/** What is checked, and in which documents. */
export interface LintSettings extends LinkSettings {
  /** Severities that differ from the default, or `off`. */
  readonly rules: LintChoices['rules'];
  /** Documents that are not checked, though others may link to them. */
  readonly ignores: (path: string) => boolean;
}

/**
 * Finds everything that is wrong, in order of file and line.
 * @param paths documents, and places that could not be read, to check. Default: all
 */
export function lint(view: LintView, settings: LintSettings, paths?: Iterable<string>): LintFinding[] {
  const docs = new Docs(view, settings);
  const orphan = orphanCheck(docs);
  const unread = view.unread();
  const unreadSeverity = settings.rules.unreadable ?? RULES.unreadable.severity;
  const findings: LintFinding[] = [];
  for (const path of paths ?? placesOf(view)) {
    if (settings.ignores(path)) continue;
    const why = unread.get(path);
    if (why !== undefined) {
      const finding = { file: path, line: 1, column: 1, rule: 'unreadable', message: why } as const;
      if (unreadSeverity !== 'off') findings.push({ ...finding, severity: unreadSeverity });
      continue;
    }
    const outline = view.outline(path);
    if (outline === undefined) continue;
    const isSwitchedOff = switchesOf(outline.switches);
    for (const finding of findingsIn(docs, path, outline, orphan)) {
      const severity = severityOf(finding, settings);
      if (severity !== 'off' && !isSwitchedOff(finding)) findings.push({ file: path, ...finding, severity });
    }
  }
  return findings.sort(compareFindings);
}

/** The documents, and the places that could not be read. */
export function placesOf(view: LintView): Set<string> {
  return new Set([...view.documents(), ...view.unread().keys()]);
}

function* findingsIn(
  docs: Docs,
  path: string,
  outline: Outline,
  orphan: ReturnType<typeof orphanCheck>,
): Generator<RuleFinding> {
  for (const { rule, ...finding } of outline.findings) if (isRuleName(rule)) yield { rule, ...finding };
  for (const link of outline.links) {
    const finding = checkLink(docs, path, link);
    if (finding !== undefined) yield finding;
  }
  yield* checkEntities(docs, path, outline);
  yield* checkRequirements(docs, path, outline);
  const alone = orphan(path);
  if (alone !== undefined) yield alone;
}

function severityOf({ rule, severity }: RuleFinding, { rules }: LintSettings): LintRuleSetting {
  return rules[rule] ?? severity ?? RULES[rule].severity;
}

function switchesOf(switches: readonly LintSwitch[]): (finding: RuleFinding) => boolean {
  if (switches.length === 0) return () => false;
  return ({ rule, line }) =>
    switches.some(
      (off) => (off.rule === undefined || off.rule === rule) && line >= off.fromLine && line <= off.toLine,
    );
}
