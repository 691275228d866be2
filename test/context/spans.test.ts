import t from 'tap';
import type { SelectedSpan } from '../../src/context/manifest.ts';
import { mergeNeighbours } from '../../src/context/spans.ts';
import { loadTokenCounter } from '../../src/context/tokens.ts';
import { constructorOver, fakeEngine } from './fixture.ts';

t.test('passages of a document become one where no more than three lines lie between them', async (t) => {
  const text = Array.from({ length: 20 }, (_, index) => `Payouts, line ${index + 1}.`).join('\n');
  const engine = fakeEngine({
    '/docs/a.md': { text },
    '/docs/b.md': { text },
    '/context/memory/fact/a': { text },
  });
  const counter = await loadTokenCounter();
  const { build } = await constructorOver({ engine });
  const [found] = (await build('payouts')).selected;
  if (found === undefined) throw new Error('it is found');
  const span = (line: number, endLine: number, changes: Partial<SelectedSpan> = {}): SelectedSpan => ({
    ...found,
    path: '/docs/a.md',
    line,
    endLine,
    score: 0.5,
    ...changes,
  });
  const rangesOf = (...spans: SelectedSpan[]) =>
    mergeNeighbours(engine, spans, counter).map(({ line, endLine }) => [line, endLine]);
  t.same(rangesOf(span(6, 7), span(1, 2)), [[1, 7]]);
  t.same(rangesOf(span(1, 9), span(3, 4)), [[1, 9]]);
  t.same(rangesOf(span(7, 8), span(1, 2)), [
    [1, 2],
    [7, 8],
  ]);
  const apart: Partial<SelectedSpan>[] = [
    { path: '/docs/b.md' },
    { form: 'summary' },
    { kind: 'memory' },
    { line: 0, endLine: 0 },
  ];
  for (const other of apart) {
    t.equal(rangesOf(span(1, 2, other), span(3, 4)).length, 2);
    t.equal(
      rangesOf(span(1, 2), span(3, 4, { ...other, line: 3, endLine: 4 })).length,
      other.form || other.path ? 2 : 1,
    );
  }
  const better = { score: 0.9, headings: ['Later'] };
  const [joined] = mergeNeighbours(
    engine,
    [span(1, 2, { headings: ['First'] }), span(3, 4, better)],
    counter,
  );
  t.match(joined, { score: 0.9, headings: ['First'], text: text.split('\n').slice(0, 4).join('\n') });
  t.equal(joined?.tokens, counter.count(joined?.text ?? ''));
});
