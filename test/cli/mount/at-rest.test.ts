import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { within } from '../../support/within.ts';
import { kgraphfs } from '../run-cli.ts';
import { mountPlace, readThrough, until } from './mount-place.ts';

/** After so long without anything to see, a daemon looks by itself some 15 s later. */
const REST_MS = 16_500;
const SEEN_WITHIN_MS = 10_000;
/** Long enough to be seen before, on a machine where a program takes seconds to end. */
const TTL_S = 8;

t.test(
  'a mount that nobody has used for long sees what another process writes, and what ends by itself',
  needsFuse(),
  async (t) => {
    const { mountpoint, at } = mountPlace(t);
    const { status, err } = kgraphfs(['mount', mountpoint, '--wait', '--driver', 'linux', ...at]);
    if (status !== 0) throw new Error(err);
    t.teardown(() => kgraphfs(['unmount', mountpoint]));
    const path = (key: string) => join(mountpoint, 'context/memory/fact', key);
    const has = (key: string) => spawnSync('test', ['-e', path(key)]).status === 0;
    const add = (key: string, ...more: string[]) =>
      kgraphfs(['context', 'memory', 'add', `fact/${key}`, 'a text', ...more, ...at]);
    t.notOk(has('late'), 'which the kernel remembers');

    await delay(REST_MS);
    t.equal(add('late').status, 0);
    await within(
      SEEN_WITHIN_MS,
      until('what was written', () => has('late')),
    );
    t.match(readThrough(path('late')), 'a text');

    t.equal(add('brief', '--ttl', String(TTL_S)).status, 0);
    await within(
      SEEN_WITHIN_MS,
      until('what ends', () => has('brief')),
    );
    await within(
      TTL_S * 1000 + SEEN_WITHIN_MS,
      until('its end', () => !has('brief')),
    );
  },
);
