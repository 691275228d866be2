import t from 'tap';
import { daemonEnvironment, poolThreads, readEnvironment } from '../../src/config/environment.ts';

t.test('colour is wanted unless NO_COLOR says otherwise or the terminal has none', async (t) => {
  t.match(readEnvironment({}), { noColour: false, debug: false });
  t.equal(readEnvironment({ NO_COLOR: '' }).noColour, false, 'an empty value does not count');
  t.equal(readEnvironment({ NO_COLOR: '0' }).noColour, true, 'any other does');
  t.equal(readEnvironment({ TERM: 'dumb' }).noColour, true);
});

t.test('only KGRAPHFS_DEBUG=1 asks for stacks', async (t) => {
  t.equal(readEnvironment({ KGRAPHFS_DEBUG: '1' }).debug, true);
  t.equal(readEnvironment({ KGRAPHFS_DEBUG: '0' }).debug, false);
});

t.test('actor, session and editor are those of their variables; an empty one does not count', async (t) => {
  t.match(readEnvironment({}), { actor: undefined, session: undefined, editor: undefined });
  t.match(readEnvironment({ KGRAPHFS_ACTOR: 'ana', KGRAPHFS_SESSION: 's-1', EDITOR: 'vi' }), {
    actor: 'ana',
    session: 's-1',
    editor: 'vi',
  });
  t.equal(readEnvironment({ VISUAL: 'code -w', EDITOR: 'vi' }).editor, 'code -w');
  t.match(readEnvironment({ KGRAPHFS_ACTOR: '', VISUAL: '', EDITOR: 'vi' }), {
    actor: undefined,
    editor: 'vi',
  });
});

t.test('a daemon has the threads that it needs, whatever the environment says of those', async (t) => {
  const threadsOf = (asked?: string) =>
    daemonEnvironment(asked === undefined ? {} : { UV_THREADPOOL_SIZE: asked })['UV_THREADPOOL_SIZE'];
  t.same([undefined, '4', '', 'many', '16'].map(threadsOf), ['8', '8', '8', '8', '16']);
  t.match(daemonEnvironment({ MALLOC_ARENA_MAX: '4', HOME: '/a' }), { MALLOC_ARENA_MAX: '4', HOME: '/a' });
  t.same([{}, { UV_THREADPOOL_SIZE: '5' }].map(poolThreads), [4, 5]);
});
