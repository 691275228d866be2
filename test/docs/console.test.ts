import t from 'tap';
import { examplesIn, isAsShown } from './console.ts';

t.test('commands are read from fences, with what they print where that is said', async (t) => {
  const markdown = [
    '```json',
    '$ not this',
    '```',
    '```console',
    '$ one \\',
    '    two',
    'out',
    '',
    '$ three',
    '```',
    '```sh',
    'four \\',
    '  five',
    '```',
    '```text',
    '$ chat',
    "> it's me",
    'hello',
    '```',
  ].join('\n');
  t.same(examplesIn(markdown), [
    { line: 5, command: 'one two', output: ['out'] },
    { line: 9, command: 'three', output: [] },
    { line: 12, command: 'four five', output: undefined },
    { line: 16, command: "printf '%s\\n' 'it'\\''s me' | chat", output: undefined },
  ]);
});

t.test('an ellipsis stands for any text or lines, and for nothing else', async (t) => {
  t.ok(isAsShown(['in 0.42 s'], ['in … s']));
  t.notOk(isAsShown(['in 0.42 s, and more'], ['in … s']));
  t.ok(isAsShown(['a', 'b', 'c'], ['a', '…']));
  t.ok(isAsShown(['a', 'b', 'c'], ['…', 'c']));
  t.notOk(isAsShown(['a', 'b'], ['a']));
  t.notOk(isAsShown([], ['a']));
  t.notOk(isAsShown(['a+b'], ['a.b']), 'other characters mean themselves');
});
