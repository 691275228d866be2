import t from 'tap';
import { readEnvironment } from '../../src/config/environment.ts';

t.test('colour is wanted unless NO_COLOR says otherwise or the terminal has none', async (t) => {
  t.same(readEnvironment({}), { noColour: false, debug: false });
  t.equal(readEnvironment({ NO_COLOR: '' }).noColour, false, 'an empty value does not count');
  t.equal(readEnvironment({ NO_COLOR: '0' }).noColour, true, 'any other does');
  t.equal(readEnvironment({ TERM: 'dumb' }).noColour, true);
});

t.test('only KGRAPHFS_DEBUG=1 asks for stacks', async (t) => {
  t.equal(readEnvironment({ KGRAPHFS_DEBUG: '1' }).debug, true);
  t.equal(readEnvironment({ KGRAPHFS_DEBUG: '0' }).debug, false);
});
