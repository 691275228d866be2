import { printable, printableName } from '../../text/printable.ts';
import type { FoundHit } from '../../vfs/system-fs.ts';
import type { Output } from '../io.ts';

/** A hit as JSON shows it. */
export function hitView({ path, line, kind, score, snippet }: FoundHit) {
  return { path, line, kind, score: Number(score.toFixed(4)), snippet };
}

/** Writes a block for each hit: rank, path and line in the mount, kind and score, and a line of text. */
export function writeHits(output: Output, hits: readonly FoundHit[]): void {
  for (const [index, hit] of hits.entries()) {
    const place = printableName(hit.path.slice(1)) + (hit.line > 0 ? `:${hit.line}` : '');
    output.write(
      `${index + 1}  ${output.style('bold', place)}  ${output.style('dim', `${hit.kind} ${hit.score.toFixed(2)}`)}\n`,
    );
    if (hit.snippet !== '') output.write(`   ${printable(hit.snippet)}\n`);
  }
}
