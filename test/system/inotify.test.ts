import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { decodeEvents, type FolderEvent, Inotify } from '../../src/system/inotify.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Listens until so many events came. */
async function eventsOf(inotify: Inotify, count: number, change: () => void): Promise<FolderEvent[]> {
  const events: FolderEvent[] = [];
  const listening = inotify.listen((some) => {
    events.push(...some);
    if (events.length >= count) inotify.close();
  });
  change();
  await listening;
  return events;
}

t.test('what happens in a folder is told in order, with its names', async (t) => {
  const folder = temporaryFolder(t);
  const inotify = new Inotify();
  const watch = inotify.watch(folder);
  t.equal(inotify.watch(folder), watch, 'a folder has one number');
  const events = await eventsOf(inotify, 4, () => {
    writeFileSync(join(folder, 'ä.md'), 'x');
    mkdirSync(join(folder, 'sub'));
  });
  t.same(events, [
    { watch, kind: 'appeared', isFolder: false, name: 'ä.md' },
    { watch, kind: 'changed', isFolder: false, name: 'ä.md' },
    { watch, kind: 'changed', isFolder: false, name: 'ä.md' },
    { watch, kind: 'appeared', isFolder: true, name: 'sub' },
  ]);
});

t.test('a name that is no UTF-8 is told without', async (t) => {
  const folder = temporaryFolder(t);
  const inotify = new Inotify();
  inotify.watch(folder);
  const name = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x61])]);
  t.match(await eventsOf(inotify, 1, () => writeFileSync(name, '')), [{ kind: 'appeared', name: undefined }]);
});

t.test('the end of a folder is told', async (t) => {
  const folder = join(temporaryFolder(t), 'sub');
  mkdirSync(folder);
  const inotify = new Inotify();
  const watch = inotify.watch(folder);
  t.match(await eventsOf(inotify, 2, () => rmdirSync(folder)), [
    { watch, kind: 'ended', name: '' },
    { watch, kind: 'unwatched', name: '' },
  ]);
});

t.test('what cannot be watched is refused with a code', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'file'), '');
  const inotify = new Inotify();
  t.throws(() => inotify.watch(join(folder, 'file')), { code: 'ENOTDIR' });
  t.throws(() => inotify.watch(join(folder, 'none')), { code: 'ENOENT' });
  inotify.close();
});

t.test('of what is unwatched only that is told', async (t) => {
  const folder = temporaryFolder(t);
  const inotify = new Inotify();
  const watched = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    return { path, watch: inotify.watch(path) };
  };
  const [left, kept] = [watched('left'), watched('kept')];
  const events = await eventsOf(inotify, 2, () => {
    inotify.unwatch(left.watch);
    for (const { path } of [left, kept]) mkdirSync(join(path, 'sub'));
  });
  t.same(events, [
    { watch: left.watch, kind: 'unwatched', isFolder: false, name: '' },
    { watch: kept.watch, kind: 'appeared', isFolder: true, name: 'sub' },
  ]);
});

t.test('who listens while nothing happens is let go of by closing', async (t) => {
  const inotify = new Inotify();
  inotify.watch(temporaryFolder(t));
  const listening = inotify.listen(() => t.fail('nothing happened'), {
    onMounts: () => t.fail('nothing was mounted'),
  });
  inotify.close();
  await listening;
});

t.test('one that is closed keeps no descriptor, whether somebody listened or nobody did', async (t) => {
  const before = readdirSync('/proc/self/fd').length;
  new Inotify().close();
  t.equal(readdirSync('/proc/self/fd').length, before);
  const inotify = new Inotify();
  const listening = inotify.listen(() => {}, { onMounts: () => {} });
  inotify.close();
  await listening;
  t.equal(readdirSync('/proc/self/fd').length, before);
});

t.test('what happens in a folder is no news of mounts', async (t) => {
  const folder = temporaryFolder(t);
  const inotify = new Inotify();
  inotify.watch(folder);
  const listening = inotify.listen(() => inotify.close(), { onMounts: () => t.fail('nothing was mounted') });
  mkdirSync(join(folder, 'sub'));
  await listening;
});

t.test('one that is closed leaves alone what has its number by then', async (t) => {
  const folder = temporaryFolder(t);
  const closed = new Inotify();
  const itsWatch = closed.watch(folder);
  closed.close();
  const inotify = new Inotify();
  const watch = inotify.watch(folder);
  t.equal(watch, itsWatch, 'watches of both have the same numbers');
  closed.unwatch(itsWatch);
  t.throws(() => closed.watch(folder), { code: 'EBADF' });
  t.throws(() => closed.watchEnd(folder), { code: 'EBADF' });
  await closed.listen(() => t.fail('it tells of nothing'));
  closed.close();
  t.match(await eventsOf(inotify, 1, () => mkdirSync(join(folder, 'sub'))), [{ watch, kind: 'appeared' }]);
});

t.test('one whose listening failed leaves alone what has its number by then', async (t) => {
  const folder = temporaryFolder(t);
  const failed = new Inotify();
  const itsWatch = failed.watch(folder);
  const listening = failed.listen(() => {
    throw new Error('of the caller');
  });
  mkdirSync(join(folder, 'first'));
  await t.rejects(listening, { message: 'of the caller' });
  const inotify = new Inotify();
  const watch = inotify.watch(folder);
  t.equal(watch, itsWatch, 'watches of both have the same numbers');
  failed.unwatch(itsWatch);
  failed.close();
  t.match(await eventsOf(inotify, 1, () => mkdirSync(join(folder, 'sub'))), [{ watch, kind: 'appeared' }]);
});

t.test(
  'that events were lost is told, whatever else an event says, and one that was not asked for is not',
  (t) => {
    const events: FolderEvent[] = [];
    const [overflow, isFolder, opened, modified] = [0x4000, 0x40000000, 0x20, 0x2];
    for (const mask of [overflow, overflow | isFolder, opened, modified | isFolder]) {
      const header = Buffer.alloc(16);
      header.writeInt32LE(-1, 0);
      header.writeUInt32LE(mask, 4);
      decodeEvents(header, events);
    }
    t.same(events, [
      { watch: -1, kind: 'overflow', isFolder: false, name: '' },
      { watch: -1, kind: 'overflow', isFolder: true, name: '' },
      { watch: -1, kind: 'changed', isFolder: true, name: '' },
    ]);
    t.end();
  },
);

t.test('whatever bytes there are, decoding comes to an end', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const events: FolderEvent[] = [];
      decodeEvents(Buffer.from(bytes), events);
      return events.length <= bytes.length / 16 && events.every(({ kind }) => kind !== undefined);
    }),
  );
  t.pass('always');
});
