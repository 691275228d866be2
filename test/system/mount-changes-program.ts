/** Mounts and unmounts at the folder in its argument, and prints as JSON when that was told. */
import { execFileSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { koffi } from '../../src/system/koffi.ts';
import { MountChanges } from '../../src/system/mount-changes.ts';

const [, , folder = ''] = process.argv;
const [changes, others] = [new MountChanges(), new MountChanges()];
const told = (): boolean[] => [changes.any(), changes.any(), others.any()];

const before = told();
koffi();
const atFirst = told();
const quiet = told();
execFileSync('mount', ['-t', 'tmpfs', 'none', folder]);
const mounted = told();
execFileSync('umount', [folder]);
const unmounted = told();

const module = new URL('../../src/system/mount-changes.js', import.meta.url).href;
const thread = new Worker(
  `import(${JSON.stringify(module)}).then(({ MountChanges }) => {
    const changes = new MountChanges();
    require('node:worker_threads').parentPort.postMessage([changes.any(), changes.any()]);
  });`,
  { eval: true },
);
thread.once('message', (inThread) =>
  process.stdout.write(JSON.stringify({ before, atFirst, quiet, mounted, unmounted, inThread })),
);
