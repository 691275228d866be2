import t from 'tap';
import { WithoutKey, withoutKey } from '../../src/agent/without-key.ts';

const KEY = 'sk-or-v1-0123456789';

t.test('a key is hidden wherever the parts of a text are cut', async (t) => {
  const text = `It is ${KEY}, says the model, and not sk-or-v1.`;
  for (let first = 0; first <= text.length; first += 1) {
    for (const second of [first, first + 1, text.length]) {
      const stream = new WithoutKey(KEY);
      const parts = [text.slice(0, first), text.slice(first, second), text.slice(second)];
      const shown = parts.map((part) => stream.take(part));
      const said = `${shown.join('')}${stream.end()}`;
      if (said !== withoutKey(text, KEY)) t.fail(`cut at ${first} and ${second}: ${said}`);
    }
  }
  t.equal(withoutKey(text, KEY), 'It is [key], says the model, and not sk-or-v1.');
});

t.test('only what may be the beginning of a key is held back, and given at the end', async (t) => {
  const stream = new WithoutKey(KEY);
  t.equal(stream.take('a sk-'), 'a ');
  t.equal(stream.take('k'), 'sk-k');
  t.equal(stream.take(KEY.slice(0, -1)), '');
  t.equal(stream.end(), KEY.slice(0, -1));
  t.equal(stream.end(), '');
});

t.test('the name by which a server of your own is asked is no secret', async (t) => {
  t.equal(withoutKey('ollama runs here', 'ollama'), 'ollama runs here');
  t.equal(new WithoutKey('ollama').take('ollama runs'), 'ollama runs');
});
