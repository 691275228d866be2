import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { DriverName } from '../../../src/config/schema.ts';
import { jsonOrUndefined } from '../../../src/core/json-text.ts';
import { ABORT, shell } from '../../fuse/daemon.ts';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { DEFAULT_DRIVER, DRIVERS } from '../../support/drivers.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs } from '../run-cli.ts';
import { mountPlace } from './mount-place.ts';

/** Against what hangs; a machine that is busy may take its time. */
const LIMIT_MS = 60_000;
const POLL_MS = 50;

const MAP = 'documents:\n  - paths: "adr/**"\n    type: ADR\n';

interface Status {
  readonly watcher: { readonly alive: boolean; readonly reason: string | null };
  readonly schema_map: { readonly rules: number; readonly error: string | null } | null;
}

interface Mount {
  readonly docs: string;
  /** Where they are while a link stands for them. */
  readonly away: string;
  readonly mountpoint: string;
  /** Moves the docs away, and has a link stand for them. */
  leadTo(target: string): void;
  /** Takes the link away, and moves the docs back to where they were, and waits until they are followed. */
  putBack(): Promise<void>;
  /** Waits until the status is so. */
  says(isSo: (status: Status) => boolean): Promise<void>;
  /** Waits until there is such a path in the mount. */
  has(path: string): Promise<void>;
}

const shared = new Map<DriverName, Mount>();

/** The mount of a driver, for all its cases: each leaves its docs where they were. */
function mounted(driver: DriverName): Mount {
  const mount = shared.get(driver) ?? newMount(driver);
  shared.set(driver, mount);
  return mount;
}

/** A mount of docs that can be moved away. A daemon that waits for itself cannot be killed, and neither can who asks it: its connection is aborted. */
function newMount(driver: DriverName): Mount {
  const { folder, mountpoint } = mountPlace(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'here.md'), '# Here\n');
  writeFileSync(join(docs, 'map.yaml'), MAP);
  const configFile = join(folder, 'kgraphfs.json');
  writeFileSync(configFile, JSON.stringify({ mount: { driver }, schemaMap: join('docs', 'map.yaml') }));
  const at = ['--docs', docs, '--state', join(folder, 'own-state'), '--config', configFile];
  const { status, err } = kgraphfs(['mount', mountpoint, '--wait', ...at]);
  if (status !== 0) throw new Error(err);
  const control = join(folder, 'control');
  mkdirSync(control);
  const abort = async (): Promise<void> => {
    await once(spawn('sh', ['-c', ABORT, 'sh', mountpoint, control]), 'close');
  };
  let isHung = false;
  t.teardown(() => isHung || kgraphfs(['unmount', mountpoint]));
  const ask = async (script: string, path: string): Promise<string | undefined> => {
    const limit = new AbortController();
    const late = delay(LIMIT_MS, undefined, { signal: limit.signal }).then(abort);
    late.then(
      () => {
        isHung = true;
      },
      () => {},
    );
    const { status, output } = await shell(script, join(mountpoint, path)).finally(() => limit.abort());
    if (isHung) throw new Error('the mount did not answer');
    return status === 0 ? output : undefined;
  };
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    const endMs = performance.now() + LIMIT_MS;
    while (!(await isSo())) {
      if (performance.now() > endMs) throw new Error('waited in vain');
      await delay(POLL_MS);
    }
  };
  const says = (isSo: (status: Status) => boolean): Promise<void> =>
    until(async () => {
      const status = jsonOrUndefined((await ask('cat -- "$1"', '.kgraphfs/status.json')) ?? '');
      return status !== undefined && isSo(Object(status));
    });
  const away = `${docs}-away`;
  return {
    docs,
    away,
    mountpoint,
    leadTo(target) {
      renameSync(docs, away);
      symlinkSync(target, docs);
    },
    async putBack() {
      rmSync(docs);
      renameSync(away, docs);
      await says(({ watcher }) => watcher.alive);
    },
    says,
    has: (path) => until(async () => (await ask('test -e "$1"', path)) !== undefined),
  };
}

for (const inMount of ['docs', '']) {
  onEachDriver(
    `docs that become a link to /${inMount} of their own mount are missed, until they are back`,
    needsFuse(),
    async (t, driver) => {
      const { docs, mountpoint, leadTo, putBack, says, has } = mounted(driver);
      leadTo(join(mountpoint, inMount));
      await says(({ watcher }) => /lies in the mount/.test(watcher.reason ?? ''));
      await says(({ watcher }) => !watcher.alive);
      await putBack();
      const title = `Back ${inMount || 'root'} Again`;
      writeFileSync(join(docs, 'back.md'), `# ${title}\n`);
      await has(`graph/nodes/${title}`);
      t.pass('they were');
    },
  );
}

t.test('docs that become a link into the mount of another project are missed', needsFuse(), async (t) => {
  const { leadTo, putBack, says } = mounted(DEFAULT_DRIVER);
  const [other = newMount(DEFAULT_DRIVER)] = DRIVERS.slice(1).map(mounted);
  leadTo(join(other.mountpoint, 'docs'));
  await says(({ watcher }) => !watcher.alive && /part of \S+\/ctx$/.test(watcher.reason ?? ''));
  await putBack();
  t.pass('they were');
});

onEachDriver(
  'a docs root that is led to by a link of its own mount is followed',
  needsFuse(),
  async (t, driver) => {
    const { away, mountpoint, leadTo, putBack, says, has } = mounted(driver);
    const way = join(mountpoint, 'context/scratchpad/way');
    symlinkSync(away, way);
    leadTo(way);
    writeFileSync(join(away, 'other.md'), '# Other Way\n');
    await has('graph/nodes/Other Way');
    await says(({ watcher }) => watcher.alive);
    await putBack();
    t.pass('it was');
  },
);

onEachDriver(
  'a schema map that becomes a link into its own mount is said to be one, and the rules before it stay',
  needsFuse(),
  async (t, driver) => {
    const { docs, mountpoint, says } = mounted(driver);
    await says(({ schema_map }) => schema_map?.rules === 1);
    renameSync(join(docs, 'map.yaml'), join(docs, 'other.yaml'));
    symlinkSync(join(mountpoint, 'docs/other.yaml'), join(docs, 'map.yaml'));
    await says(({ schema_map }) => /lies in the mount/.test(schema_map?.error ?? ''));
    await says(({ schema_map }) => schema_map?.rules === 1);
    t.pass('it was');
  },
);
