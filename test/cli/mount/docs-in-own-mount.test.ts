import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import type { DriverName } from '../../../src/config/schema.ts';
import { jsonOrUndefined } from '../../../src/core/json-text.ts';
import { ABORT, shell } from '../../fuse/daemon.ts';
import { needsFuse } from '../../fuse/fuse-available.ts';
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
  readonly mountpoint: string;
  /** Waits until the status is so. */
  says(isSo: (status: Status) => boolean): Promise<void>;
  /** Waits until there is such a path in the mount. */
  has(path: string): Promise<void>;
}

/**
 * A mount of docs that can be moved away. A daemon that waits for itself cannot be killed, and neither can who asks it: its connection is aborted.
 * @param files of the docs
 */
function mounted(
  t: Test,
  driver: DriverName,
  files: Readonly<Record<string, string>> = {},
  config: Readonly<Record<string, unknown>> = {},
): Mount {
  const { folder, mountpoint, state } = mountPlace(t);
  const docs = join(folder, 'docs');
  cpSync('docs/sample', docs, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(docs, path)), { recursive: true });
    writeFileSync(join(docs, path), text);
  }
  const configFile = join(folder, 'kgraphfs.json');
  writeFileSync(configFile, JSON.stringify({ mount: { driver }, ...config }));
  const at = ['--docs', docs, '--state', state, '--config', configFile];
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
  return {
    docs,
    mountpoint,
    says: (isSo) =>
      until(async () => {
        const status = jsonOrUndefined((await ask('cat -- "$1"', '.kgraphfs/status.json')) ?? '');
        return status !== undefined && isSo(Object(status));
      }),
    has: (path) => until(async () => (await ask('test -e "$1"', path)) !== undefined),
  };
}

for (const inMount of ['docs', '']) {
  onEachDriver(
    `docs that become a link to /${inMount} of their own mount are missed, until they are back`,
    needsFuse(),
    async (t, driver) => {
      const { docs, mountpoint, says, has } = mounted(t, driver);
      renameSync(docs, `${docs}-away`);
      symlinkSync(join(mountpoint, inMount), docs);
      await says(({ watcher }) => /lies in the mount/.test(watcher.reason ?? ''));
      await says(({ watcher }) => !watcher.alive);
      rmSync(docs);
      renameSync(`${docs}-away`, docs);
      await says(({ watcher }) => watcher.alive);
      writeFileSync(join(docs, 'back.md'), '# Back Again\n');
      await has('graph/nodes/Back Again');
      t.pass('they were');
    },
  );
}

onEachDriver(
  'docs that become a link into the mount of another project are missed',
  needsFuse(),
  async (t, driver) => {
    const other = mounted(t, driver);
    const { docs, says } = mounted(t, driver);
    renameSync(docs, `${docs}-away`);
    symlinkSync(join(other.mountpoint, 'docs'), docs);
    await says(({ watcher }) => !watcher.alive && /part of \S+\/ctx$/.test(watcher.reason ?? ''));
    t.pass('they were');
  },
);

onEachDriver(
  'a docs root that is led to by a link of its own mount is followed',
  needsFuse(),
  async (t, driver) => {
    const { docs, mountpoint, says, has } = mounted(t, driver);
    renameSync(docs, `${docs}-away`);
    symlinkSync(`${docs}-away`, join(mountpoint, 'context/scratchpad/way'));
    symlinkSync(join(mountpoint, 'context/scratchpad/way'), docs);
    writeFileSync(join(`${docs}-away`, 'other.md'), '# Other Way\n');
    await has('graph/nodes/Other Way');
    await says(({ watcher }) => watcher.alive);
    t.pass('it was');
  },
);

onEachDriver(
  'a schema map that becomes a link into its own mount is said to be one, and the rules before it stay',
  needsFuse(),
  async (t, driver) => {
    const map = join('docs', 'map.yaml');
    const { docs, mountpoint, says } = mounted(t, driver, { 'map.yaml': MAP }, { schemaMap: map });
    await says(({ schema_map }) => schema_map?.rules === 1);
    renameSync(join(docs, 'map.yaml'), join(docs, 'other.yaml'));
    symlinkSync(join(mountpoint, 'docs/other.yaml'), join(docs, 'map.yaml'));
    await says(({ schema_map }) => /lies in the mount/.test(schema_map?.error ?? ''));
    await says(({ schema_map }) => schema_map?.rules === 1);
    t.pass('it was');
  },
);
