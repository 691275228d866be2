/** Documents of a series, which name each other by number alone: `requires: 2718` in `eip-1559.md`. */
import type { NodeKey } from '../../core/graph-model.ts';
import { pageKey } from '../../core/identity.ts';

export interface NumberedPage {
  /** As the path writes it: `eip`, `ADR`. */
  readonly series: string;
  /** Without zeros in front. */
  readonly number: string;
  /** Both as the path writes them: `ics-003`. */
  readonly name: string;
}

const NAME = /(?:^|\/)(([a-z]{2,12})[-_ ]0*(\d{1,6}))(?![\w.]*\d)[^/]*?(?:\/(?:_?index|readme))?\.\w+$/i;
const NUMBERS = /^#?\d{1,6}(?:\s*,\s*#?\d{1,6})*$/;

/** The place in a series that a path says: `eip-1559.md`, `adr/ADR-14-queues.md`, `ics-003-connections/README.md`. */
export function numberedPageAt(path: string): NumberedPage | undefined {
  const [, name = '', series = '', number = ''] = NAME.exec(path) ?? [];
  return name === '' ? undefined : { series, number, name };
}

/** The names by which a document of a series is known besides those of its file. */
export function namesInSeries({ series, number, name }: NumberedPage): string[] {
  return [name, `${series}-${number}`];
}

/** What a value that is nothing but numbers means in a document of a series: those of the series that have them. */
export function pagesByNumber(value: string, { series }: NumberedPage): NodeKey[] {
  if (value.length > 1_000 || !NUMBERS.test(value)) return [];
  return Array.from(value.matchAll(/\d+/g), ([digits]) => pageKey(`${series}-${Number(digits)}`));
}
