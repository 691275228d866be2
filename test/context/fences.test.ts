import fc from 'fast-check';
import t from 'tap';
import { fenceBehind, withFencesClosed } from '../../src/context/fences.ts';

t.test('a block of code that is left open is closed by its own mark', (t) => {
  t.equal(withFencesClosed('a\n````json\n{\n```\n', undefined), 'a\n````json\n{\n```\n````');
  t.equal(withFencesClosed('a\n~~~\nb', undefined), 'a\n~~~\nb\n~~~');
  t.equal(withFencesClosed('```\na\n```\nb', undefined), '```\na\n```\nb');
  t.end();
});

t.test('one that was opened before the part is opened in it', (t) => {
  t.equal(fenceBehind('# A\n\n```sh\nls\n'), '```sh');
  t.equal(withFencesClosed('cd\n```\nafter', '```sh'), '```sh\ncd\n```\nafter');
  t.end();
});

t.test('back-ticks within a line open nothing', (t) => {
  t.equal(fenceBehind('```code``` in a line\n'), undefined);
  t.equal(fenceBehind('    ```\nan indented one\n'), undefined);
  t.equal(fenceBehind('- ```js\n  a'), '```js');
  t.end();
});

t.test('whatever the lines, nothing is open behind a part that was closed', (t) => {
  const line = fc.constantFrom('```', '```js', '~~~', '````', 'text', '', '- ```', '~~~ x', '``` a`b');
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom(undefined, '```js', '~~~'), (lines, open) => {
      t.equal(fenceBehind(withFencesClosed(lines.join('\n'), open)), undefined);
    }),
  );
  t.end();
});
