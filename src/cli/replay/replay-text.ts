import { counted } from '../../text/counted.ts';
import { cutText } from '../../text/cut-text.ts';
import { printable, printableName, printableText } from '../../text/printable.ts';
import type { Output } from '../io.ts';
import { eventLine } from '../text/history-line.ts';
import { usageText } from '../text/usage.ts';
import { type ReplayedEvent, replayCounts } from './replay.ts';

const INDENT = ' '.repeat(10);
/** Longer arguments of a call are only shown by --json. */
const MAX_ARGUMENT_CHARACTERS = 300;
const MAX_SOURCES = 8;

/** Writes a transcript: who asked what, what the model was given, what it looked up and what it said. Times are UTC. */
export function writeReplay(output: Output, id: string, events: readonly ReplayedEvent[]): void {
  const { style } = output;
  const { questions, tool_calls, answers, memory_writes, reads } = replayCounts(events);
  const counts = [
    counted(questions, 'question'),
    counted(tool_calls, 'tool call'),
    counted(answers, 'answer'),
    counted(memory_writes, 'memory write'),
    counted(reads, 'read'),
  ].join(', ');
  output.write(`${style('bold', printable(id))}: ${counts}\n`);
  let day = '';
  for (const event of events) {
    const date = event.timestamp.slice(0, 10);
    if (date !== day) output.write(`\n${date}\n`);
    day = date;
    const [head = '', ...rest] = linesOf(event, output);
    output.write(`${style('dim', event.timestamp.slice(11, 19))}  ${head}\n`);
    for (const line of rest) output.write(`${INDENT}${line}`.trimEnd().concat('\n'));
  }
}

function linesOf({ actor, event_type, path, deed }: ReplayedEvent, { style }: Output): string[] {
  const by = printable(actor);
  switch (deed.kind) {
    case 'question': {
      const { question, model, conversation, turn } = deed.data;
      const whom = model === undefined ? '' : ` ${printable(model)}`;
      return [
        `${style('bold', `${by} asks${whom}`)}  ${style('dim', printable(`(${conversation}, ${turn})`))}`,
        ...textLines(question),
      ];
    }
    case 'context': {
      const { tokens, budget_tokens, selected } = deed.data;
      return [
        style('dim', `context: ${tokens} of ${budget_tokens} tokens`),
        ...listLines(selected).map((line) => style('dim', line)),
      ];
    }
    case 'tool': {
      const { tool, args, result, duration_ms } = deed.data;
      return [
        style('dim', `${by} calls ${printable(tool)} ${argumentsText(args)}`),
        style('dim', `→ ${printable(result)} (${duration_ms} ms)`),
      ];
    }
    case 'answer': {
      const { answer, end, error, sources, unshown, learned, usage, duration_ms } = deed.data;
      const how = end === 'answered' ? 'answers' : `ends (${printable(end)})`;
      return [
        style('bold', `${by} ${how}`),
        ...textLines(answer),
        ...(error === undefined ? [] : [style('yellow', printable(error))]),
        ...(sources.length === 0 ? [] : ['sources:', ...listLines(sources)]),
        ...(unshown.length === 0 ? [] : ['named, and never shown by a tool:', ...listLines(unshown)]),
        ...learned.map(({ outcome, entry }) => style('dim', printable(`learnt: ${outcome} ${entry}`))),
        ...(usage === undefined ? [] : [style('dim', usageText(usage, duration_ms))]),
      ];
    }
    case 'event':
      return [eventLine({ event_type, path, actor, data: deed.data })];
  }
}

function textLines(text: string): string[] {
  return text.trim() === '' ? [] : printableText(text).trimEnd().split('\n');
}

function listLines(names: readonly string[]): string[] {
  const rest = names.length - MAX_SOURCES;
  const shown = names.slice(0, MAX_SOURCES).map((name) => `  ${printableName(name)}`);
  return rest > 0 ? [...shown, `  … ${rest} more`] : shown;
}

function argumentsText(args: unknown): string {
  return cutText(printable(JSON.stringify(args)), MAX_ARGUMENT_CHARACTERS);
}
