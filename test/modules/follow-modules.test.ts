import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import type { SubPath } from '../../src/core/paths.ts';
import type { ChangeListener } from '../../src/core/resolver.ts';
import { followModules } from '../../src/modules/follow-modules.ts';

/** A module that is looked at for as long as a test likes. */
function slowModule() {
  const listeners = new Set<ChangeListener>();
  const looks: ((paths: SubPath[]) => void)[] = [];
  return {
    looks,
    tell: () => {
      for (const listener of listeners) listener([]);
    },
    modules: {
      searched: () => [
        {
          tree: {
            onChange(listener: ChangeListener) {
              listeners.add(listener);
              return () => listeners.delete(listener);
            },
          },
        },
      ],
      mirror: () => new Promise<SubPath[]>((resolve) => looks.push(resolve)),
    },
  };
}

t.test('a change that a module tells while it is looked at is looked for soon after', async (t) => {
  const { modules, looks, tell } = slowModule();
  const end = followModules(modules, () => {});
  t.teardown(end);
  tell();
  tell();
  looks[0]?.([]);
  const beganMs = performance.now();
  while (looks.length < 2) await pause(20);
  t.ok(performance.now() - beganMs < 5000, 'and not at the next usual look');
});

t.test(
  'a module that tells of a change at each look is looked at ever more rarely, until a look finds one',
  async (t) => {
    const { modules, looks, tell } = slowModule();
    t.teardown(followModules(modules, () => {}));
    const waitedMs: number[] = [];
    for (const paths of [[], [], [], ['a.md' as SubPath], []]) {
      const count = looks.length;
      const beganMs = performance.now();
      looks.at(-1)?.(paths);
      // As of a server that ends when it is asked.
      await turn();
      tell();
      while (looks.length === count) await pause(20);
      waitedMs.push(performance.now() - beganMs);
    }
    const [, , thirdMs = 0, fourthMs = 0] = waitedMs;
    t.ok(thirdMs > 1500, 'each wait is twice the one before');
    t.ok(fourthMs < 3000, 'what is changed is looked at soon again');
  },
);

t.test('a module that tells of changes all the time is looked at', async (t) => {
  const { modules, looks, tell } = slowModule();
  t.teardown(followModules(modules, () => {}));
  looks[0]?.([]);
  const beganMs = performance.now();
  while (looks.length < 2 && performance.now() - beganMs < 8000) {
    tell();
    await pause(50);
  }
  t.equal(looks.length, 2);
});
