import type { LintSwitch } from '../../core/outline.ts';
import { lastUpTo } from '../last-up-to.ts';
import type { MarkdownSource } from '../markdown/source.ts';

const MARK = 'kgraphfs-lint-';
const SWITCH =
  /(?:<!--|\{\/\*)\s*kgraphfs-lint-(disable-next-line|disable-line|disable-file|disable|enable)\b([^\n]*?)(?:-->|\*\/\})/g;

/**
 * Comments that switch rules off: `<!-- kgraphfs-lint-disable broken-link -->` up to `-enable` or the end, `-disable-line`, `-disable-next-line`,
 * `-disable-file`; in MDX the same in `{/* … *\/}`. Without a name, all rules are meant. Such text in code is no comment.
 */
export function lintSwitches(source: MarkdownSource): LintSwitch[] {
  return [...commentSwitches(source), ...unshownParts(source)];
}

/** Comments of Liquid and Jinja, and what the all-contributors bot writes, whose links lead to anchors that never exist. */
const UNSHOWN: readonly (readonly [opening: RegExp, closing: RegExp, rule?: string])[] = [
  [/\{%-?\s*comment\s*-?%\}/, /\{%-?\s*endcomment\s*-?%\}/],
  [/<!--\s*ALL-CONTRIBUTORS-LIST:START/, /<!--\s*ALL-CONTRIBUTORS-LIST:END/, 'broken-anchor'],
];

function unshownParts({ text, tokens, bodyLine }: MarkdownSource): LintSwitch[] {
  return UNSHOWN.flatMap(([opening, closing, rule]) => {
    if (!opening.test(text)) return [];
    const inCode = codeLines(tokens, bodyLine);
    const switches: LintSwitch[] = [];
    let fromLine: number | undefined;
    for (const [index, source] of text.split('\n').entries()) {
      const line = index + 1;
      if (fromLine === undefined && opening.test(source) && !inCode(line)) fromLine = line;
      if (fromLine === undefined || !closing.test(source)) continue;
      switches.push(switchOf(rule ?? ALL, fromLine, line));
      fromLine = undefined;
    }
    return switches;
  });
}

function commentSwitches({ text, tokens, bodyLine }: MarkdownSource): LintSwitch[] {
  if (!text.includes(MARK)) return [];
  const inCode = codeLines(tokens, bodyLine);
  const switches: LintSwitch[] = [];
  const open = new Map<string, number>();
  for (const [index, source] of text.split('\n').entries()) {
    const line = index + 1;
    if (!source.includes(MARK) || inCode(line)) continue;
    for (const match of source.matchAll(SWITCH)) {
      if (source.charAt(match.index - 1) === '`') continue;
      const [, verb = '', names = ''] = match;
      applySwitch(switches, open, verb, rulesIn(names), line);
    }
  }
  for (const [rule, fromLine] of open) switches.push(switchOf(rule, fromLine, LAST_LINE));
  return switches;
}

const LAST_LINE = Number.MAX_SAFE_INTEGER;
/** Stands for all rules. */
const ALL = '';

function rulesIn(names: string): string[] {
  const rules = names.split(/[\s,]+/).filter((name) => /^[a-z][a-z-]*$/.test(name));
  return rules.length === 0 ? [ALL] : rules;
}

function applySwitch(
  switches: LintSwitch[],
  open: Map<string, number>,
  verb: string,
  rules: readonly string[],
  line: number,
): void {
  for (const rule of rules) {
    if (verb === 'disable') open.set(rule, Math.min(open.get(rule) ?? line, line));
    else if (verb === 'enable') close(switches, open, rule, line);
    else if (verb === 'disable-file') switches.push(switchOf(rule, 1, LAST_LINE));
    else if (verb === 'disable-line') switches.push(switchOf(rule, line, line));
    else switches.push(switchOf(rule, line + 1, line + 1));
  }
}

/** Switching all rules on again also ends switches of single rules. */
function close(switches: LintSwitch[], open: Map<string, number>, rule: string, line: number): void {
  for (const name of rule === ALL ? [...open.keys()] : [rule]) {
    const fromLine = open.get(name);
    if (fromLine === undefined) continue;
    switches.push(switchOf(name, fromLine, line));
    open.delete(name);
  }
}

function switchOf(rule: string, fromLine: number, toLine: number): LintSwitch {
  return { ...(rule === ALL ? {} : { rule }), fromLine, toLine };
}

function codeLines(tokens: MarkdownSource['tokens'], bodyLine: number): (line: number) => boolean {
  const spans = tokens.flatMap(({ type, map }) =>
    (type === 'fence' || type === 'code_block') && map !== null ? [map] : [],
  );
  return (line) => {
    const span = spans[lastUpTo(spans, ([from]) => from, line - bodyLine)];
    return span !== undefined && line - bodyLine < span[1];
  };
}
