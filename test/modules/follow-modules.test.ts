import { setTimeout as pause } from 'node:timers/promises';
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
