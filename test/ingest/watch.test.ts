import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { FsError } from '../../src/core/errors.ts';
import { parsePath } from '../../src/core/paths.ts';
import { limitBy } from '../../src/ingest/watch-limits.ts';
import { isSameState, stateOfAll, type WatchState } from '../../src/ingest/watch-state.ts';
import { type FolderEvent, Inotify, type ListenOptions } from '../../src/system/inotify.ts';
import { systemError } from '../../src/system/libc.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { until, watching } from './watch-fixture.ts';

t.test('what is made, written, renamed and removed is told, with its path', async (t) => {
  const { docs, told, tells } = await watching(t);
  const step = async (paths: readonly string[], change: () => void) => {
    told.clear();
    change();
    for (const path of paths) await tells(path);
    t.same([...told].sort(), [...paths].sort());
  };
  await step(['a.md'], () => writeFileSync(join(docs, 'a.md'), 'a'));
  await step(['a.md'], () => appendFileSync(join(docs, 'a.md'), 'b'));
  await step(['a.md'], () => chmodSync(join(docs, 'a.md'), 0o600));
  await step(['a.md', 'b.md'], () => renameSync(join(docs, 'a.md'), join(docs, 'b.md')));
  await step(['link.md'], () => symlinkSync('b.md', join(docs, 'link.md')));
  await step(['b.md'], () => unlinkSync(join(docs, 'b.md')));
  await step(['folder'], () => mkdirSync(join(docs, 'folder')));
  await step(['folder/c.md'], () => writeFileSync(join(docs, 'folder/c.md'), 'c'));
});

t.test('how editors save is told as the file that was saved', async (t) => {
  const { docs, told, tells } = await watching(t);
  const file = join(docs, 'note.md');
  writeFileSync(file, 'one');
  await tells('note.md');
  for (const save of [
    () => {
      writeFileSync(`${file}~tmp`, 'two');
      renameSync(`${file}~tmp`, file);
    },
    () => {
      renameSync(file, `${file}~`);
      writeFileSync(file, 'three');
      unlinkSync(`${file}~`);
    },
    () => writeFileSync(join(docs, '4913'), ''),
    () => unlinkSync(join(docs, '4913')),
  ]) {
    told.clear();
    save();
    await until('something to be told', () => told.size > 0);
  }
  told.clear();
  writeFileSync(file, 'four');
  await tells('note.md');
});

t.test('folders that come with others in them are followed, all of them', async (t) => {
  const { docs, told, tells, settled } = await watching(t);
  const outside = temporaryFolder(t);
  mkdirSync(join(outside, 'a/b/c'), { recursive: true });
  renameSync(join(outside, 'a'), join(docs, 'moved'));
  mkdirSync(join(docs, 'made/x/y'), { recursive: true });
  await tells('moved/b/c');
  await tells('made/x/y');
  for (const file of ['moved/b/c/1.md', 'made/x/y/2.md']) {
    await settled();
    writeFileSync(join(docs, file), file);
    await tells(file);
    t.ok(told.has(file), file);
  }
});

t.test('a folder that is renamed is followed by its new name alone', async (t) => {
  const { docs, told, tells, settled } = await watching(t);
  mkdirSync(join(docs, 'old/inner'), { recursive: true });
  await settled();
  renameSync(join(docs, 'old'), join(docs, 'new'));
  await tells('new');
  await tells('old');
  await settled();
  writeFileSync(join(docs, 'new/inner/a.md'), 'a');
  await tells('new/inner/a.md');
  t.same([...told], ['new/inner/a.md']);
});

t.test('a folder that left the docs is not followed any more', async (t) => {
  const { docs, told, tells, settled } = await watching(t);
  const outside = temporaryFolder(t);
  mkdirSync(join(docs, 'a/b'), { recursive: true });
  await settled();
  renameSync(join(docs, 'a'), join(outside, 'a'));
  await settled();
  writeFileSync(join(outside, 'a/b/x.md'), 'x');
  writeFileSync(join(docs, 'last.md'), '');
  await tells('last.md');
  t.same([...told], ['last.md']);
});

t.test('what is hidden or excluded is not followed, and what comes to show is', async (t) => {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  for (const name of ['.git/refs', 'ctx/inner', 'built/deep']) {
    mkdirSync(join(docs, name), { recursive: true });
  }
  writeFileSync(join(docs, '.gitignore'), 'built/\n');
  const { told, tells, settled } = await watching(t, { docs, excluded: [join(docs, 'ctx')] });
  for (const file of ['.git/refs/x', 'ctx/inner/x', 'built/deep/x']) writeFileSync(join(docs, file), 'x');
  chmodSync(join(docs, 'ctx'), 0o700);
  writeFileSync(join(docs, 'a.md'), '');
  await tells('a.md');
  t.same([...told], ['a.md']);

  await settled();
  writeFileSync(join(docs, '.gitignore'), '');
  await until('all to be looked at anew', () => told.has(''));
  // Ignore files are believed for 100 ms; after that the folder is watched.
  told.clear();
  await until('all to be looked at once more', () => told.has(''));
  told.clear();
  writeFileSync(join(docs, 'built/deep/y'), 'y');
  await tells('built/deep/y');
});

t.test('a thousand files at once are told', async (t) => {
  const { docs, tells, told } = await watching(t);
  for (let number = 0; number < 1000; number += 1) {
    mkdirSync(join(docs, `${number % 50}`), { recursive: true });
    writeFileSync(join(docs, `${number % 50}/${number}.md`), '');
  }
  for (let number = 0; number < 1000; number += 1) await tells(`${number % 50}/${number}.md`);
  told.clear();
  for (let number = 0; number < 1000; number += 1) unlinkSync(join(docs, `${number % 50}/${number}.md`));
  for (let number = 0; number < 1000; number += 1) await tells(`${number % 50}/${number}.md`);
});

/** What the kernel tells is told by the test, too. */
class Fed extends Inotify {
  tell: (events: readonly FolderEvent[]) => void = () => {};
  refused = 0;
  readonly #watches = new Map<string, number>();
  readonly #refuses: () => boolean;

  constructor(refuses = () => false) {
    super();
    this.#refuses = refuses;
  }

  override watch(folder: string): number {
    if (this.#refuses()) {
      this.refused += 1;
      throw systemError(constants.errno.EACCES, 'inotify_add_watch');
    }
    const watch = super.watch(folder);
    this.#watches.set(basename(realpathSync(folder)), watch);
    return watch;
  }

  override listen(take: Fed['tell'], options: ListenOptions): Promise<void> {
    this.tell = take;
    return super.listen(take, options);
  }

  /** @param folder its own name */
  watchOf(folder: string): number {
    return this.#watches.get(folder) ?? -1;
  }
}

t.test(
  'a thousand paths at once are told as they are, one more as all, and so is what was lost',
  async (t) => {
    const fed = new Fed();
    const { told, isWatching } = await watching(t, { inotify: () => fed });
    await isWatching();
    const changed = (count: number) =>
      Array.from({ length: count }, (_, index): FolderEvent => {
        return { watch: fed.watchOf('docs'), kind: 'changed', isFolder: false, name: `${index}.md` };
      });
    const isTold = (events: readonly FolderEvent[]) => {
      told.clear();
      fed.tell(events);
      return [...told];
    };
    t.equal(isTold(changed(1000)).length, 1000);
    t.same(isTold(changed(1001)), ['']);
    const lost: FolderEvent = { watch: -1, kind: 'overflow', isFolder: false, name: undefined };
    t.same(isTold([...changed(2), lost, ...changed(3)]), ['']);
  },
);

t.test(
  'what has no name in UTF-8 is told as its folder, and what befalls a folder by the one above',
  async (t) => {
    const docs = join(temporaryFolder(t), 'docs');
    mkdirSync(join(docs, 'a'), { recursive: true });
    const fed = new Fed();
    const { told, isWatching } = await watching(t, { docs, inotify: () => fed });
    await isWatching();
    const isTold = (folder: string, name: string | undefined) => {
      told.clear();
      fed.tell([{ watch: fed.watchOf(folder), kind: 'changed', isFolder: false, name }]);
      return [...told];
    };
    t.same(isTold('a', undefined), ['a']);
    t.same(isTold('a', ''), []);
    t.same(isTold('docs', ''), [''], 'above which nothing is watched');
  },
);

t.test('a folder that could not be read is followed from when its permissions change', async (t) => {
  const docs = join(temporaryFolder(t), 'docs');
  mkdirSync(docs);
  let isRefusing = false;
  const fed = new Fed(() => isRefusing);
  const { isWatching } = await watching(t, { docs, inotify: () => fed });
  await isWatching();
  isRefusing = true;
  mkdirSync(join(docs, 'b'));
  await until('it to be refused', () => fed.refused > 0);
  isRefusing = false;
  fed.tell([{ watch: fed.watchOf('docs'), kind: 'changed', isFolder: true, name: 'b' }]);
  await until('it to be watched', () => fed.watchOf('b') !== -1);
});

t.test('more events than the kernel keeps are told as all, and nothing is missed after', async (t) => {
  const { docs, tells, told } = await watching(t);
  // This process reads nothing while it waits for another one.
  const storm = 'cd "$1" && for i in $(seq 12000); do : > 0; : > 1; done; mkdir -p late/inner';
  execFileSync('bash', ['-c', storm, '', docs]);
  await until('all to be told', () => told.has(''));
  told.clear();
  writeFileSync(join(docs, 'late/inner/x.md'), 'x');
  await tells('late/inner/x.md');
});

t.test('a docs root that is removed and comes back is followed again', async (t) => {
  const { docs, states, told, tells, isWatching } = await watching(t);
  mkdirSync(join(docs, 'a'));
  await tells('a');
  for (const goesAndComes of [
    () => {
      rmSync(docs, { recursive: true });
      mkdirSync(join(docs, 'a'), { recursive: true });
    },
    () => {
      renameSync(docs, `${docs}-old`);
      mkdirSync(join(docs, 'a'), { recursive: true });
    },
    () => {
      const folder = dirname(docs);
      renameSync(folder, `${folder}-old`);
      mkdirSync(join(docs, 'a'), { recursive: true });
      t.teardown(() => rmSync(`${folder}-old`, { recursive: true }));
    },
  ]) {
    told.clear();
    states.length = 0;
    goesAndComes();
    await until('it to be missed', () => states.some(({ kind }) => kind === 'missing'));
    await isWatching();
    await until('all to be told', () => told.has(''));
    told.clear();
    writeFileSync(join(docs, 'a/x.md'), 'x');
    await tells('a/x.md');
  }
});

t.test('a docs root that stays away is said to be missing', async (t) => {
  const { docs, states, isWatching } = await watching(t);
  rmSync(docs, { recursive: true });
  await until('it to be missed', () => states.at(-1)?.kind === 'missing');
  t.match(states.at(-1), { kind: 'missing', reason: /docs does not exist$/ });
  mkdirSync(docs);
  await isWatching();
});

t.test('where there are not enough watches it is said, until there are', async (t) => {
  let left = 2;
  class Scarce extends Inotify {
    override watch(folder: string): number {
      if (left === 0) throw systemError(constants.errno.ENOSPC, 'inotify_add_watch');
      left -= 1;
      return super.watch(folder);
    }
  }
  const docs = join(temporaryFolder(t), 'docs');
  for (const name of ['a', 'b', 'c']) mkdirSync(join(docs, name), { recursive: true });
  const { watch, states, tells, isWatching } = await watching(t, { docs, inotify: () => new Scarce() });
  t.match(states, [{ kind: 'limited', reason: /max_user_watches/ }]);
  left = 1;
  watch.retry();
  await delay(20);
  t.equal(states.length, 1, 'the same is said once');
  left = 100;
  watch.retry();
  await isWatching();
  for (const name of ['a', 'b', 'c']) {
    writeFileSync(join(docs, name, 'x.md'), 'x');
    await tells(`${name}/x.md`);
  }
});

t.test('a walk that fails by an error of ours is said, and goes on', async (t) => {
  let failures = 1;
  const isForeign = () => {
    failures -= 1;
    if (failures >= 0) throw new TypeError('a bug');
    return false;
  };
  const { docs, watch, states, tells, isWatching } = await watching(t, { isForeign });
  t.match(states, [{ kind: 'limited', reason: /cannot be followed: a bug/ }]);
  watch.retry();
  await isWatching();
  writeFileSync(join(docs, 'x.md'), 'x');
  await tells('x.md');
});

t.test('where nothing can be watched at all it is said, until something can', async (t) => {
  const refusals = [systemError(constants.errno.EMFILE, 'inotify_init1')];
  const inotify = () => {
    const [refusal] = refusals;
    if (refusal) throw refusal;
    return new Inotify();
  };
  const { docs, watch, states, tells, isWatching } = await watching(t, { inotify });
  t.match(states, [{ kind: 'limited', reason: /max_user_instances/ }]);
  refusals.pop();
  watch.retry();
  await isWatching();
  writeFileSync(join(docs, 'x.md'), 'x');
  await tells('x.md');
});

t.test('a folder that makes way for a link while it is about to be watched leads nowhere else', async (t) => {
  const top = realpathSync(temporaryFolder(t));
  const [docs, outside] = [join(top, 'docs'), join(top, 'outside')];
  for (const folder of [join(docs, 'a/b'), join(outside, 'b')]) mkdirSync(folder, { recursive: true });
  const watched: string[] = [];
  let isSwapped = false;
  class Swapping extends Inotify {
    override watch(folder: string): number {
      if (!isSwapped && realpathSync(folder) === join(docs, 'a/b')) {
        isSwapped = true;
        renameSync(join(docs, 'a'), join(docs, 'was'));
        symlinkSync(outside, join(docs, 'a'));
      }
      watched.push(realpathSync(folder));
      return super.watch(folder);
    }
  }
  const { isWatching, told, tells } = await watching(t, { docs, inotify: () => new Swapping() });
  await isWatching();
  t.ok(isSwapped);
  t.same(
    watched.filter((path) => path.startsWith(outside)),
    [],
  );
  told.clear();
  writeFileSync(join(docs, 'was/b/c.md'), 'c');
  await tells('was/b/c.md');
});

t.test(
  'a folder that others change without the kernel is looked at from time to time, and said',
  async (t) => {
    const docs = join(temporaryFolder(t), 'docs');
    mkdirSync(join(docs, 'shared'), { recursive: true });
    let sharedBy = 'nobody';
    const isForeign = (folder: string) => sharedBy !== 'nobody' && realpathSync(folder).endsWith('/shared');
    const { watch, states, told, tells, isWatching } = await watching(t, { docs, isForeign });
    await isWatching();
    sharedBy = 'another machine';
    watch.retry();
    await until('it to be said', () => states.at(-1)?.kind === 'limited');
    t.match(states.at(-1), { reason: /disk of the network/ });
    told.clear();
    watch.retry();
    await tells('');
    t.equal(states.length, 2, 'it is still so, and said once');
    writeFileSync(join(docs, 'shared/a.md'), 'a');
    await tells('shared/a.md');
  },
);

t.test('reading that fails is said', async (t) => {
  class Broken extends Inotify {
    override async listen(): Promise<void> {
      throw new Error('EIO: read');
    }
  }
  const made = [new Inotify(), new Broken()];
  const inotify = () => made.pop() ?? new Inotify();
  const { watch, states, isWatching } = await watching(t, { inotify });
  await until('it to be said', () => states.at(-1)?.kind === 'limited');
  watch.retry();
  await isWatching();
});

t.test('after random changes each folder there is gets followed', async (t) => {
  const name = fc.constantFrom('a', 'b', 'c');
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
  const change = fc.oneof(
    fc.record({ do: fc.constant('make' as const), path }),
    fc.record({ do: fc.constant('remove' as const), path }),
    fc.record({ do: fc.constant('move' as const), path, to: path }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      const actions: (() => unknown)[] = [];
      try {
        const teardown = { teardown: (action: () => unknown) => actions.unshift(action) };
        const { docs, told, tells, settled } = await watching(teardown);
        for (const step of changes) {
          try {
            if (step.do === 'make') mkdirSync(join(docs, step.path), { recursive: true });
            else if (step.do === 'remove') rmSync(join(docs, step.path), { recursive: true });
            else renameSync(join(docs, step.path), join(docs, step.to));
          } catch {
            // Nothing there, or something in the way: then nothing changes.
          }
        }
        await settled();
        const folders = execFileSync('find', [docs, '-mindepth', '1', '-type', 'd'], { encoding: 'utf8' });
        for (const folder of folders.split('\n').filter((line) => line !== '')) {
          const file = join(folder, 'probe').slice(docs.length + 1);
          told.clear();
          writeFileSync(join(docs, file), '');
          await tells(file);
        }
      } finally {
        for (const action of actions) action();
      }
    }),
    { numRuns: 25 },
  );
  t.pass('all were');
});

t.test(
  'what is wrong with one root is wrong with the docs, what is missing before what is limited',
  async (t) => {
    const limited = (reason: string): WatchState => ({ kind: 'limited', reason });
    const missing: WatchState = { kind: 'missing', reason: 'gone' };
    const watched: WatchState = { kind: 'watching' };
    t.same(stateOfAll([watched, watched]), watched);
    t.same(stateOfAll([watched, limited('few'), limited('few'), limited('other')]), limited('few; other'));
    t.same(stateOfAll([limited('few'), missing, watched]), missing);
    t.ok(isSameState(watched, { kind: 'watching' }) && isSameState(missing, { ...missing }));
    t.notOk(isSameState(limited('gone'), missing));
    t.notOk(isSameState(limited('few'), limited('other')));
  },
);

t.test('why a folder is not watched is said, but for one that is gone or cannot be read', async (t) => {
  for (const code of ['ENOSPC', 'ENOMEM'] as const)
    t.match(limitBy(systemError(constants.errno[code], 'inotify_add_watch')), /more watches/, code);
  for (const code of ['ENOENT', 'EACCES'] as const) {
    t.equal(limitBy(systemError(constants.errno[code], 'inotify_add_watch')), undefined, code);
    t.equal(limitBy(new FsError(code, parsePath('/a'), 'no')), undefined, code);
  }
  const held = new FsError('EBUSY', parsePath('/a'), 'another program holds .gitignore');
  t.match(limitBy(held), /cannot be followed: .*holds \.gitignore/);
  t.match(limitBy(new TypeError('a bug')), /cannot be followed: a bug/);
});
