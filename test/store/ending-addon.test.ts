import t from 'tap';
import { whyNodeWouldEnd } from '../../src/store/ending-addon.ts';

const withHooks = () => Buffer.from('\0_ZN4node28RemoveEnvironmentCleanupHookE\0');
const withoutHooks = () => Buffer.from('\0_ZN4node10ObjectWrapE\0');

t.test('an addon with hooks is refused by the Nodes that it ends, with the way out', async (t) => {
  for (const version of ['24.19.0', '24.20.1', '25.0.0']) {
    t.match(
      whyNodeWouldEnd(version, withHooks),
      /ends Node\.js 2\d\.\d+\.\d .*; run kgraphfs with Node\.js 20 or 22/,
    );
    t.equal(whyNodeWouldEnd(version, withoutHooks), undefined);
  }
  for (const version of ['20.19.0', '22.20.0', '24.18.9'])
    t.equal(whyNodeWouldEnd(version, withHooks), undefined);
});

t.test('what is installed here ends no Node', async (t) => {
  t.equal(whyNodeWouldEnd(), undefined);
  t.equal(whyNodeWouldEnd('25.0.0'), undefined);
});
