import t from 'tap';
import { didYouMean, nearestName } from '../../src/cli/near-names.ts';

const VERBS = ['mount', 'unmount', 'status', 'search', 'stats', 'build'];

t.test('a mistyped or shortened name leads to the one that is meant', async (t) => {
  t.equal(nearestName('serach', VERBS), 'search');
  t.equal(nearestName('mont', VERBS), 'mount');
  t.equal(nearestName('buid', VERBS), 'build');
  t.equal(nearestName('stat', VERBS), 'status');
  t.equal(nearestName('un', VERBS), 'unmount', 'two letters begin a name');
  t.equal(nearestName('u', VERBS), undefined, 'one may begin many');
  t.equal(nearestName('biuxd', VERBS), undefined);
  t.equal(nearestName('pull', ['push']), 'push', 'half of the letters may be others');
});

t.test('a name that is like none has no suggestion', async (t) => {
  t.equal(nearestName('frobnicate', VERBS), undefined);
  t.equal(didYouMean('frobnicate', VERBS), '');
  t.equal(didYouMean('unmout', VERBS), '; did you mean unmount?');
});
