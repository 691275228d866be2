/** Documents of a series, which refer to each other by number: `requires: 2718` in `eip-1559.md`. */
import type { NodeKey } from '../../core/graph-model.ts';
import { pageKey } from '../../core/identity.ts';

export interface NumberedPage {
  /** The name of the series as the path writes it: `eip`, `ADR`. */
  readonly series: string;
  /** Without leading zeros. */
  readonly number: string;
  /** Series and number as the path writes them: `ics-003`. */
  readonly name: string;
}

const NAME = /(?:^|\/)(([a-z]{2,12})[-_ ]0*(\d{1,6}))(?![\w.]*\d)[^/]*?(?:\/(?:_?index|readme))?\.\w+$/i;
const NUMBERS = /^#?\d{1,6}(?:\s*,\s*#?\d{1,6})*$/;

/** The series and number in a path: `eip-1559.md`, `adr/ADR-14-queues.md`, `ics-003-connections/README.md`. */
export function numberedPageAt(path: string): NumberedPage | undefined {
  const [, name = '', series = '', number = ''] = NAME.exec(path) ?? [];
  return name === '' ? undefined : { series, number, name };
}

/** The names of a document of a series other than that of its file. */
export function namesInSeries({ series, number, name }: NumberedPage): string[] {
  return [name, `${series}-${number}`];
}

/** The documents of the same series whose numbers make up a value; none if the value has anything but numbers. */
export function pagesByNumber(value: string, { series }: NumberedPage): NodeKey[] {
  if (value.length > 1_000 || !NUMBERS.test(value)) return [];
  return Array.from(value.matchAll(/\d+/g), ([digits]) => pageKey(`${series}-${Number(digits)}`));
}
