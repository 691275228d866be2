import t from 'tap';
import { StreamedTurn } from '../../src/agent/streamed-turn.ts';

t.test('calls that a server does not count, or gives one number, stay apart', (t) => {
  const part = (call: object) => ({ choices: [{ delta: { tool_calls: [call] } }] });
  const call = (name: string, args: string, more: object) =>
    part({ ...more, type: 'function', function: { name, arguments: args } });
  const rest = (args: string, more: object) => part({ ...more, function: { arguments: args } });
  const cases: readonly (readonly [string, readonly unknown[]])[] = [
    ['whole', [call('inspect', '{"a":1}', { index: 0, id: 'x' }), call('read', '{}', { index: 0, id: 'y' })]],
    [
      'in parts',
      [
        call('inspect', '', { index: 0, id: 'x' }),
        rest('{"a"', { index: 0 }),
        rest(':1}', { index: 0 }),
        call('read', '', { index: 0, id: 'y' }),
        rest('{}', { index: 0 }),
      ],
    ],
    ['without ids', [call('inspect', '{"a":1}', { index: 0 }), call('read', '{}', { index: 0 })]],
    ['without numbers and ids', [call('inspect', '{"a":1}', {}), call('read', '{}', {})]],
    [
      'with another id for each part',
      [
        call('inspect', '{"a"', { index: 0, id: 'x' }),
        rest(':1}', { index: 0, id: 'z' }),
        call('read', '{', { index: 1, id: 'y' }),
        rest('}', { index: 1, id: 'w' }),
      ],
    ],
    [
      'with an id in each part',
      [
        call('inspect', '{"a"', { index: 0, id: 'x' }),
        call('', ':1}', { index: 0, id: 'x' }),
        call('read', '{}', { index: 1, id: 'y' }),
      ],
    ],
    [
      'the second before the first is over',
      [
        call('read', '{', { index: 1, id: 'y' }),
        call('inspect', '{"a"', { index: 0, id: 'x' }),
        rest('}', { index: 1 }),
        rest(':1}', { index: 0 }),
      ],
    ],
  ];
  for (const [how, parts] of cases) {
    const turn = new StreamedTurn('m', undefined, undefined);
    for (const one of parts) turn.take(one);
    const { toolRequests } = turn.whole();
    t.same(
      toolRequests.map(({ function: { name, arguments: args } }) => [name, args]),
      [
        ['inspect', '{"a":1}'],
        ['read', '{}'],
      ],
      how,
    );
  }
  t.end();
});
