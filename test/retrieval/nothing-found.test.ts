import t from 'tap';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { nothingFound } from '../../src/retrieval/nothing-found.ts';

t.test('a query that is cut within a character is told as well-formed text', async (t) => {
  const hints = {
    engine: { search: () => ({ hits: [], named: [] }) },
    similar: () => [],
    readSoFar: () => undefined,
  };
  const query = `${'a'.repeat(199)}🔥 ${'b'.repeat(20)}`;
  const { lines } = await nothingFound(query, parseQuery(query), hints, { limit: 10 });
  t.equal(lines[0], `nothing found for "${'a'.repeat(199)}\uFFFD…"`);
  t.ok(lines.every((line) => line.isWellFormed()));
});
