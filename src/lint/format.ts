import type { LintFinding } from './finding.ts';
import { RULE_NAMES, RULES } from './rules.ts';

/** `file:line:col: severity: message [rule]`, as compilers write it and editors read it. @param fileName makes the name of a file that the reader sees */
export function findingLine(finding: LintFinding, fileName: (file: string) => string): string {
  const { file, line, column, severity, message, rule, suggestion } = finding;
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return `${fileName(file)}:${line}:${column}: ${severity}: ${message}${hint} [${rule}]`;
}

const SARIF_SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** A SARIF 2.1.0 log for code review. */
export function sarifLog(
  findings: readonly LintFinding[],
  version: string,
  fileName: (file: string) => string,
): unknown {
  return {
    $schema: SARIF_SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'kgraphfs', version, rules: RULE_NAMES.map(sarifRule) } },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => sarifResult(finding, fileName)),
      },
    ],
  };
}

function sarifRule(name: (typeof RULE_NAMES)[number]) {
  const { summary, severity } = RULES[name];
  const level = severity === 'off' ? 'none' : severity;
  return { id: name, shortDescription: { text: summary }, defaultConfiguration: { level } };
}

function sarifResult(finding: LintFinding, fileName: (file: string) => string) {
  const { file, line, column, rule, severity, message, target, suggestion } = finding;
  return {
    ruleId: rule,
    ruleIndex: RULE_NAMES.indexOf(rule),
    level: severity,
    message: { text: suggestion === undefined ? message : `${message}; did you mean ${suggestion}?` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(fileName(file)) },
          region: { startLine: line, startColumn: column },
        },
      },
    ],
    ...(target === undefined
      ? {}
      : { properties: { target, ...(suggestion === undefined ? {} : { suggestion }) } }),
  };
}
