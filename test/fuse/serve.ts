/** A daemon for tests: mounts a tree in memory, says that it is ready, and does what it is told. */

import type { DriverName } from '../../src/config/schema.ts';
import { reasonOf } from '../../src/core/errors.ts';
import { parsePath } from '../../src/core/paths.ts';
import { DEFAULT_MOUNT_OPTIONS, type Mounted, type MountOptions } from '../../src/fuse/driver.ts';
import type { Vfs } from '../../src/vfs/vfs.ts';
import { fixture, LONG_ATTRIBUTE, MODIFIED_MS } from '../conformance/fixture.ts';
import { memoryAt } from '../conformance/memory-subject.ts';
import { MemoryTree } from '../conformance/memory-tree.ts';
import { scratchpadAt } from '../conformance/scratchpad-subject.ts';
import { DEFAULT_DRIVER, DRIVER_FACTS } from '../support/drivers.ts';
import { lateChanges } from './late-changes.ts';
import { MisbehavingTree } from './misbehaving-tree.ts';
import { begun, SlowTree } from './slow-tree.ts';

export interface ServeOptions {
  readonly point: string;
  /** Default: the one of tests that say nothing about drivers. */
  readonly driver?: DriverName;
  /** `small` and `slow` hold /docs/a.txt and /docs/tagged.txt, which has attributes; `late` is a scratchpad. */
  readonly tree: 'small' | 'fixture' | 'misbehaving' | 'slow' | 'scratchpad' | 'late' | 'memory';
  /** Where the scratchpad or the store of the memory is, for a tree of that kind. */
  readonly folder?: string;
  readonly mount?: Partial<MountOptions>;
}

export type ServeCommand =
  | { readonly do: 'put'; readonly path: string; readonly text: string; readonly modifiedMs: number }
  | {
      readonly do: 'put in silence';
      readonly path: string;
      readonly text: string;
      readonly modifiedMs: number;
    }
  | { readonly do: 'remove'; readonly path: string }
  /** Tells the kernel of a change below a path; there need not be any. */
  | { readonly do: 'invalidate'; readonly path: string }
  | { readonly do: 'figures' }
  /** Slow operations that the tree was asked for, as {@link begun}. */
  | { readonly do: 'begun' }
  | { readonly do: 'bugs' }
  /** What memory entered into the history so far, as {@link ServedEvent}s. */
  | { readonly do: 'events' }
  | { readonly do: 'unmount'; readonly whenBusy: 'detach' | 'refuse' }
  | { readonly do: 'mount again' };

export interface ServedEvent {
  readonly type: string;
  readonly path: string | undefined;
}

export interface ServeAnswer {
  readonly id: number;
  readonly value?: unknown;
  readonly failure?: string;
}

const options: ServeOptions = JSON.parse(process.argv[2] ?? '');
const bugs: string[] = [];
const events: ServedEvent[] = [];
const driver = DRIVER_FACTS[options.driver ?? DEFAULT_DRIVER].make((error, operation) => {
  bugs.push(`${operation}: ${reasonOf(error)}`);
});
const tree = memoryTree();
let mounted = await mount();

process.on('message', ({ id, command }: { id: number; command: ServeCommand }) => {
  obey(command).then(
    (value) => answer({ id, value }),
    (error: unknown) => answer({ id, failure: reasonOf(error) }),
  );
});
process.on('disconnect', () => void mounted.unmount().finally(() => process.exit()));
process.send?.('READY');

function memoryTree(): MemoryTree {
  const tree = new MemoryTree();
  if (options.tree !== 'small' && options.tree !== 'slow') {
    for (const [path, node] of fixture()) tree.put(path, node);
    return tree;
  }
  tree.putText('/docs/a.txt', 'first\n', MODIFIED_MS);
  const attributes = { 'user.kgraphfs.type': 'Dökument', 'user.kgraphfs.long': LONG_ATTRIBUTE };
  tree.put('/docs/tagged.txt', { bytes: Buffer.from('tagged\n'), modifiedMs: MODIFIED_MS, attributes });
  return tree;
}

function vfs(): Vfs {
  if (options.tree === 'misbehaving') return new MisbehavingTree();
  if (options.tree === 'slow') return new SlowTree(tree);
  if (options.tree === 'scratchpad' || options.tree === 'late') {
    const scratchpad = scratchpadAt(options.folder ?? '', (error) => bugs.push(reasonOf(error)));
    return options.tree === 'late' ? lateChanges(scratchpad) : scratchpad;
  }
  if (options.tree === 'memory') {
    return memoryAt(
      options.folder ?? '',
      (error) => bugs.push(reasonOf(error)),
      ({ type, path }) => events.push({ type, path }),
    );
  }
  return tree.asVfs((error) => bugs.push(reasonOf(error)));
}

async function mount(): Promise<Mounted> {
  const mounted = await driver.mount(vfs(), options.point, { ...DEFAULT_MOUNT_OPTIONS, ...options.mount });
  void mounted.ended.then((end) => process.send?.(end));
  return mounted;
}

async function obey(command: ServeCommand): Promise<unknown> {
  switch (command.do) {
    case 'put':
      tree.putText(command.path, command.text, command.modifiedMs);
      return mounted.invalidate([parsePath(command.path)]);
    case 'put in silence':
      return tree.putText(command.path, command.text, command.modifiedMs);
    case 'remove':
      tree.remove(command.path);
      return mounted.invalidate([parsePath(command.path)]);
    case 'invalidate':
      return mounted.invalidate([parsePath(command.path)]);
    case 'figures':
      return mounted.figures();
    case 'begun':
      return begun;
    case 'bugs':
      return bugs;
    case 'events':
      return events;
    case 'unmount':
      return mounted.unmount({ whenBusy: command.whenBusy });
    case 'mount again':
      mounted = await mount();
      return mounted.point;
  }
}

function answer(message: ServeAnswer): void {
  process.send?.(message);
}
