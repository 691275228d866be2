import { seconds } from './printable.ts';

/** What an answer has used, with the cost in US dollars if it is known. */
interface Taken {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd?: number | null | undefined;
}

/** The usage as text: `1200 tokens in, 56 out, $0.0012, 2.10 s`. */
export function usageText({ input_tokens, output_tokens, cost_usd }: Taken, durationMs?: number): string {
  return [
    `${input_tokens} tokens in, ${output_tokens} out`,
    ...(cost_usd == null ? [] : [`$${cost_usd.toFixed(4)}`]),
    ...(durationMs === undefined ? [] : [seconds(durationMs)]),
  ].join(', ');
}
