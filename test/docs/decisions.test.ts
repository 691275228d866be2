import { readFileSync } from 'node:fs';
import t from 'tap';

const NUMBERED = /^\*\*(\d+)\. /;

t.test('decisions have the numbers from 1 on, each once, and stand by area in their order', (t) => {
  const [contents = '', ...areas] = readFileSync('docs/decisions.md', 'utf8').split(/^## /m);
  const names = areas.map((area) => area.slice(0, area.indexOf('\n')));
  const linked = Array.from(contents.matchAll(/^- \[(.+)\]\(#.+\)$/gm), ([, name]) => name);
  t.strictSame(linked, names, 'the list at the top names the areas');
  const numbers = areas.map((area) =>
    area
      .split('\n')
      .flatMap((line) => NUMBERED.exec(line)?.[1] ?? [])
      .map(Number),
  );
  for (const [index, list] of numbers.entries()) {
    t.not(list.length, 0, names[index] ?? '');
    t.strictSame(
      list,
      list.toSorted((a, b) => a - b),
      names[index] ?? '',
    );
  }
  const all = numbers.flat().toSorted((a, b) => a - b);
  t.strictSame(
    all,
    all.map((_, index) => index + 1),
  );
  t.end();
});
