import type { App } from '../../app/app.ts';
import type { ContextManifest } from '../../context/manifest.ts';
import { wayText } from '../../context/way-text.ts';
import type { Answer } from '../../conversation/answer.ts';
import { citationText, placeNamed } from '../../conversation/place.ts';
import { isFsError } from '../../core/errors.ts';
import { REVIEW_TAG } from '../../core/memory-entry.ts';
import { parsePath } from '../../core/paths.ts';
import { sum } from '../../core/sum.ts';
import { counted } from '../../text/counted.ts';
import { cutText } from '../../text/cut-text.ts';
import { linesOf } from '../../toolkit/file-text.ts';
import { TOOLS } from '../../toolkit/toolkit.ts';

const MAX_LINES_OF_SOURCE = 6;
const MAX_LINE_LENGTH = 160;
const WRITING_TOOLS: ReadonlySet<string> = new Set(
  TOOLS.flatMap(({ name, effect }) => (effect === 'reads' ? [] : name)),
);

/** The tools of the model, and how often each was called in this chat. */
export function toolLines(answers: readonly Answer[]): string[] {
  const calls = new Map<string, number>();
  for (const { tool } of answers.flatMap(({ traversal }) => traversal))
    calls.set(tool, (calls.get(tool) ?? 0) + 1);
  const width = Math.max(...TOOLS.map(({ name }) => name.length));
  const lines = TOOLS.map(({ name, description }) => {
    const count = calls.get(name);
    const called = count === undefined ? '' : ` (called ${count === 1 ? 'once' : `${count} times`})`;
    return `${name.padEnd(width)}  ${firstSentence(description)}${called}`;
  });
  const total = sum(calls.values());
  return [...lines, `${counted(total, 'call')} in this chat`];
}

/** The sources of the last answer, each with the lines that it names. */
export async function sourceLines(answer: Answer | undefined, { fs }: Pick<App, 'fs'>): Promise<string[]> {
  if (answer === undefined) return NOTHING_ANSWERED;
  const { sources, unshown } = answer;
  const shown = await Promise.all(
    sources.map(async (source) => [source, ...(await textAt(source, fs)).map((line) => `    ${line}`)]),
  );
  return [
    ...(sources.length === 0 ? ['the last answer has no sources'] : shown.flat()),
    ...unshown.map((place) => `${place}: cited, but never shown to the model`),
  ];
}

/** The lines that a source names; none if it names none, or cannot be read as text. */
async function textAt(source: string, fs: App['fs']): Promise<string[]> {
  const { path, line, endLine = line } = placeNamed(source);
  if (line === undefined || endLine === undefined) return [];
  const isOfTree = /^(?:context|graph|search)\//.test(path);
  const count = Math.min(MAX_LINES_OF_SOURCE, endLine - line + 1);
  try {
    const { list } = await linesOf(
      fs,
      parsePath(isOfTree ? `/${path}` : `/docs/${path}`),
      { line, count },
      {},
    );
    return (list?.items ?? []).map((text) => cutText(String(text), MAX_LINE_LENGTH));
  } catch (error) {
    if (!isFsError(error)) throw error;
    return [`(${error.why})`];
  }
}

/** The context of the last question: its passages, and how many tokens of the budget they take. */
export function contextLines(answers: readonly Answer[]): string[] {
  const last = answers.at(-1);
  if (last === undefined) return NOTHING_ANSWERED;
  const manifest = answers.findLast(({ context }) => context.manifest !== undefined)?.context.manifest;
  const paged =
    last.pagedTurns === 0 ? [] : [`${counted(last.pagedTurns, 'turn')} of this conversation moved to memory`];
  if (manifest === undefined) return ['no context was built', ...paged];
  return [
    `${last.context.tokens} of ${manifest.budgetTokens} tokens (${manifest.tokenizer}), for "${manifest.question}"`,
    ...spanLines(manifest),
    ...(manifest.facts.length > 0 ? [`${counted(manifest.facts.length, 'relation')} of the graph`] : []),
    ...(manifest.leftOut.length > 0 ? [`${manifest.leftOut.length} left out`] : []),
    ...paged,
  ];
}

function spanLines({ selected, paths }: ContextManifest): string[] {
  return [
    ...paths.map((path) => `  ${wayText(path)}`),
    ...selected.map(
      ({ path, line, endLine, tokens }) =>
        `  ${line === 0 ? path : citationText({ path, line, endLine })}  ${counted(tokens, 'token')}`,
    ),
  ];
}

/** What was learnt in this chat, what the model wrote, and what waits for review by a person. */
export function memoryLines(answers: readonly Answer[], { memory }: Pick<App, 'memory'>): string[] {
  const learnt = answers
    .flatMap(({ learnt }) => learnt)
    .map(
      ({ outcome, place: { type, key }, claim }) =>
        `  ${outcome}  ${type}/${key}: ${cutText(claim.text, MAX_LINE_LENGTH)}`,
    );
  const written = answers
    .flatMap(({ traversal }) => traversal)
    .filter(({ tool }) => WRITING_TOOLS.has(tool))
    .map(({ tool, resultSummary }) => `  ${tool}: ${resultSummary}`);
  const waiting = memory.list({ tag: REVIEW_TAG }).map(({ type, key }) => `  ${type}/${key}`);
  return [
    `learnt in this chat: ${learnt.length === 0 ? 'nothing' : ''}`.trimEnd(),
    ...learnt,
    ...(written.length === 0 ? [] : ['written by the model:', ...written]),
    waiting.length === 0
      ? 'nothing waits for review'
      : `${counted(waiting.length, 'entry', 'entries')} waiting for a person in context/review:`,
    ...waiting,
  ];
}

const NOTHING_ANSWERED = ['nothing was answered yet'];

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/[.:]$/, '') ?? text;
}
