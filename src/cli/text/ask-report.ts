import type { ModelFigures } from '../../ingest/model-facts/merge-answers.ts';
import type { AskReport } from '../../model-extraction/ask-documents.ts';
import { counted } from '../../text/counted.ts';
import { printableText } from '../../text/printable.ts';

/** How many failures `--json` lists. */
const MAX_FAILURES = 50;
/** How many of them the text names. */
const SHOWN_FAILURES = 5;

/** The report as `kgraphfs build --llm --json` shows it. */
export function reportView(model: string, report: AskReport, facts: ModelFigures) {
  const { costUsd, failures } = report;
  return {
    model,
    asked: report.answered + report.failed,
    answered: report.answered,
    cached: report.cached,
    failed: report.failed,
    left: report.left,
    repaired: report.repaired,
    requests: report.requests,
    found_facts: facts.found,
    confirmed_facts: facts.confirmed,
    dropped_facts: facts.dropped,
    input_tokens: report.inputTokens,
    output_tokens: report.outputTokens,
    cost_usd: costUsd === undefined ? null : roundedUsd(costUsd),
    failures: failures.slice(0, MAX_FAILURES),
    stopped_by: report.stoppedBy ?? null,
    ...(report.stopReason === undefined ? {} : { stop_reason: report.stopReason }),
  };
}

/** The report as text, safe to print although APIs and file names have a say in it. */
export function reportText(model: string, report: AskReport, facts: ModelFigures): string {
  const { answered, failed, cached, repaired, left } = report;
  const parts = [
    `${counted(answered, 'document')} answered`,
    `${cached} known before`,
    ...(failed > 0 ? [`${failed} failed and read by rules alone`] : []),
    ...(repaired > 0 ? [`${repaired} answers repaired`] : []),
    ...(left > 0 ? [`${left} not asked about`] : []),
  ];
  const lines = [
    `asked ${model}: ${parts.join(', ')}`,
    `facts: ${facts.found} found by the model alone, ${facts.confirmed} confirmed, ${facts.dropped} dropped`,
    `spent: ${spentText(report)}`,
    ...report.failures.slice(0, SHOWN_FAILURES).map(({ path, reason }) => `  ${path}: ${reason}`),
    ...(failed > SHOWN_FAILURES
      ? [`  and ${failed - SHOWN_FAILURES} more: kgraphfs vfs read /.kgraphfs/errors.jsonl`]
      : []),
  ];
  return printableText(`${lines.join('\n')}\n`);
}

/** Why not all documents were asked about, and what to do, safe to print; undefined if they were. */
export function stopText({ stoppedBy, stopReason, left }: AskReport): string | undefined {
  if (stoppedBy === undefined) return undefined;
  const why = {
    max_cost: '--max-cost is reached',
    max_tokens: '--max-tokens is reached',
    signal: 'it was stopped',
    barred: `nothing will be answered: ${stopReason}`,
    unreachable: `the API does not answer: ${stopReason}`,
    malformed: `this model gives no answers of use (try another --model): ${stopReason}`,
    rate_limit: `the API asks to be left alone for a long time: ${stopReason}`,
  }[stoppedBy];
  const rest = `${counted(left, 'document')} not asked about: read by rules alone`;
  return printableText(
    `${why}; ${rest}. What was answered is kept: kgraphfs build --llm continues from there\n`,
  );
}

/** The exit status. A limit was the user's wish and is no failure; an interrupt and an API that does not answer are. */
export function statusOf({ stoppedBy }: AskReport): number {
  if (stoppedBy === undefined || stoppedBy === 'max_cost' || stoppedBy === 'max_tokens') return 0;
  return stoppedBy === 'signal' ? 130 : 1;
}

export function spentText({ inputTokens, outputTokens, costUsd }: AskReport): string {
  const cost =
    costUsd === undefined ? 'cost unknown (--price says what tokens cost)' : `$${costUsd.toFixed(4)}`;
  return `${inputTokens} tokens in, ${outputTokens} out, ${cost}`;
}

function roundedUsd(costUsd: number): number {
  return Math.round(costUsd * 1e6) / 1e6;
}
