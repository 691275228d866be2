import t from 'tap';
import { placeInFile, placeInText } from '../../src/text/place-in-text.ts';

t.test('a place in a text is a line and a column from 1, behind the last character too', async (t) => {
  const text = '{\n  "a": 1\n}\n';
  t.strictSame(placeInText(text, 0), { line: 1, column: 1 });
  t.strictSame(placeInText(text, text.indexOf('"a"')), { line: 2, column: 3 });
  t.strictSame(placeInText(text, text.length), { line: 4, column: 1 });
  t.equal(placeInFile('kgraphfs.config.json', text, text.indexOf('1')), 'kgraphfs.config.json:2:8');
});
