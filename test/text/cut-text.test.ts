import t from 'tap';
import { cutText } from '../../src/text/cut-text.ts';

t.test('a text that is not too long stays as it is', async (t) => {
  t.equal(cutText('Kiln', 4), 'Kiln');
});

t.test('of a longer one the beginning is left, with a mark', async (t) => {
  t.equal(cutText('Kilns', 4), 'Kiln…');
  t.equal(cutText('Kilns', 4, '… (cut)'), 'Kiln… (cut)');
});

t.test('half a character at the cut leaves the text well-formed', async (t) => {
  const text = cutText('Kil🔥n', 4);
  t.ok(text.isWellFormed());
  t.equal(text, 'Kil\uFFFD…');
});
