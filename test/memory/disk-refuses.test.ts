import { renameSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type ErrnoCode, FsError } from '../../src/core/errors.ts';
import type { NoRoom, Room } from '../../src/core/room.ts';
import { type ContextStore, openContextStore, type Unkept } from '../../src/store/context-store.ts';
import { temporaryFolder } from '../support/temporary.ts';
import {
  CONTEXT,
  codeOf,
  exists,
  fact,
  kept,
  type Remembering,
  read,
  remembering,
  write,
} from './fixture.ts';

const REFUNDS = fact('refunds');

type Teardown = Parameters<typeof remembering>[0];

interface BadDisk<Refusal> {
  /** It is refused to be written for as long as this is there. */
  readonly disk: { refusal?: Refusal };
  readonly store: ContextStore;
}

function badDisk<Refusal extends ErrnoCode>(t: Teardown): BadDisk<Refusal> {
  const disk: { refusal?: Refusal } = {};
  const good = openContextStore(join(temporaryFolder(t), 'context.sqlite'));
  t.teardown(() => good.close());
  const store: ContextStore = {
    ...good,
    transact(body) {
      return good.transact(() => {
        const result = body();
        // As a full disk does it: after all that was to be written.
        if (disk.refusal) throw new FsError(disk.refusal, '', 'the state folder refuses to be written');
        return result;
      });
    },
  };
  return { store, disk };
}

function onBadDisk(t: Teardown): Remembering & BadDisk<'ENOSPC' | 'EROFS'> {
  const bad = badDisk<'ENOSPC' | 'EROFS'>(t);
  return { ...remembering(t, { store: bad.store }), ...bad };
}

t.test('who writes where the file of memory was removed or replaced is told at the write', async (t) => {
  const folder = join(temporaryFolder(t), 'state');
  const store = openContextStore(join(folder, 'context.sqlite'));
  t.teardown(() => store.close());
  const { files } = remembering(t, { store });
  write(files, REFUNDS, 'old');
  renameSync(folder, `${folder}.away`);
  openContextStore(join(folder, 'context.sqlite')).close();
  const file = files.openToWrite(REFUNDS, { append: false, truncate: true }, CONTEXT);
  const writing = () => file.write(Buffer.from('new'), 0, CONTEXT);
  t.equal(codeOf(writing), 'EIO');
  t.throws(writing, { message: /removed, replaced or emptied/ });
  file.close();
  t.equal(read(files, REFUNDS), 'old', 'what was kept can still be copied out');
});

t.test(
  'who writes when the disk takes nothing any more is told at the write, and what was kept stays',
  async (t) => {
    const good = openContextStore(join(temporaryFolder(t), 'context.sqlite'));
    t.teardown(() => good.close());
    let unkept: Unkept | undefined;
    const { files, memory } = remembering(t, { store: { ...good, whyUnkept: () => unkept } });
    write(files, REFUNDS, 'old');
    const file = files.openToWrite(REFUNDS, { append: false, truncate: true }, CONTEXT);
    unkept = { code: 'EROFS', why: 'the disk is read only' };
    t.equal(
      codeOf(() => file.write(Buffer.from('new'), 0, CONTEXT)),
      'EROFS',
    );
    file.close();
    t.equal(kept(memory, REFUNDS), 'old');
  },
);

t.test('who writes when the disk is full is told at the write, and what was kept stays', async (t) => {
  let freeBytes = 1 << 20;
  const room: Room = {
    whyNone: (sizeBytes) => (sizeBytes > freeBytes ? 'ENOSPC' : undefined),
    release: () => false,
  };
  const { files, memory, errors } = remembering(t, { room });
  write(files, REFUNDS, 'old');
  const file = files.openToWrite(REFUNDS, { append: false, truncate: true }, CONTEXT);
  freeBytes = 100 << 10;
  const writing = () => file.write(Buffer.from('new'), 0, CONTEXT);
  t.equal(codeOf(writing), 'ENOSPC');
  t.equal(codeOf(writing), 'ENOSPC', 'nor is half of it taken');
  t.match(
    errors.entries(),
    [{ code: 'ENOSPC', path: '/context/memory/fact/refunds' }],
    'and it is noted why',
  );
  t.equal(
    codeOf(() => file.flush(CONTEXT)),
    'ENOSPC',
  );
  freeBytes = 1 << 20;
  file.close();
  t.equal(kept(memory, REFUNDS), 'old');
  t.equal(read(files, REFUNDS), 'old');
});

t.test('what was written before the disk was known to be full is kept in what is held for it', async (t) => {
  const { store, disk } = badDisk<NoRoom>(t);
  let isHeld = true;
  const room: Room = {
    whyNone: () => disk.refusal,
    release: () => {
      const wasHeld = isHeld;
      isHeld = false;
      if (wasHeld) delete disk.refusal;
      return wasHeld;
    },
  };
  const { files, memory } = remembering(t, { store, room });
  write(files, REFUNDS, 'old');
  const writing = (text: string) => {
    const file = files.openToWrite(REFUNDS, { append: false, truncate: true }, CONTEXT);
    t.teardown(() => file.close());
    return { write: () => file.write(Buffer.from(text), 0, CONTEXT), flush: () => file.flush(CONTEXT) };
  };
  const first = writing('first');
  first.write();
  disk.refusal = 'EDQUOT';
  first.flush();
  t.equal(kept(memory, REFUNDS), 'first');
  const second = writing('second');
  second.write();
  disk.refusal = 'EDQUOT';
  t.equal(codeOf(second.flush), 'EDQUOT', 'that was all');
  t.equal(codeOf(writing('third').write), 'EDQUOT', 'who writes from then on is told');
  t.equal(kept(memory, REFUNDS), 'first');
  delete disk.refusal;
});

t.test('an open memory whose mode and times the disk refuses shows those that it has', async (t) => {
  const { files, disk } = onBadDisk(t);
  write(files, REFUNDS, 'old');
  const file = files.openToWrite(REFUNDS, { append: false, truncate: false }, CONTEXT);
  const before = files.stat(REFUNDS);
  disk.refusal = 'EROFS';
  t.equal(
    codeOf(() => files.changeMode(REFUNDS, 0o600)),
    'EROFS',
  );
  t.equal(
    codeOf(() => files.changeTimes(REFUNDS, { modifiedNs: 5n }, CONTEXT)),
    'EROFS',
  );
  t.same(files.stat(REFUNDS), before);
  delete disk.refusal;
  file.close();
});

for (const refusal of ['ENOSPC', 'EROFS'] as const) {
  t.test(`${refusal}: the flush says so, and what was written is kept when the disk can again`, async (t) => {
    const { files, memory, disk } = onBadDisk(t);
    write(files, REFUNDS, 'old');
    const file = files.openToWrite(REFUNDS, { append: false, truncate: true }, CONTEXT);
    file.write(Buffer.from('new'), 0, CONTEXT);
    disk.refusal = refusal;
    t.equal(
      codeOf(() => file.flush(CONTEXT)),
      refusal,
    );
    t.equal(kept(memory, REFUNDS), 'old');
    t.equal(read(files, REFUNDS), 'new', 'the buffer still has it');
    t.equal(
      codeOf(() => file.flush(CONTEXT)),
      refusal,
    );
    delete disk.refusal;
    file.flush(CONTEXT);
    file.close();
    t.equal(kept(memory, REFUNDS), 'new');
  });

  t.test(`${refusal}: nothing else is changed by half`, async (t) => {
    const { files, memory, disk, told } = onBadDisk(t);
    write(files, REFUNDS, 'old');
    write(files, fact('refunds.tmp'), 'new');
    files.makeFolder(fact('a'), 0o755);
    const file = files.openToWrite(REFUNDS, { append: false, truncate: false }, CONTEXT);
    const revision = memory.revision();
    disk.refusal = refusal;
    for (const change of [
      () => files.rename(REFUNDS, fact('moved'), CONTEXT),
      () => files.rename(fact('refunds.tmp'), REFUNDS, CONTEXT),
      () => files.rename(fact('a'), fact('b'), CONTEXT),
      () => files.remove(REFUNDS, CONTEXT),
      () => files.removeFolder(fact('a')),
      () => files.makeFolder(fact('c'), 0o755),
      () => files.setAttribute(REFUNDS, 'user.kgraphfs.tags', Buffer.from('x'), 'either', CONTEXT),
      () => files.changeMode(REFUNDS, 0o600),
      () => files.truncate(fact('refunds.tmp'), 0, CONTEXT),
      () => memory.add({ ...fact('d'), content: Buffer.from('d') }, CONTEXT),
      () => memory.gc({ dryRun: false }, CONTEXT),
    ]) {
      t.equal(codeOf(change), refusal, String(change));
    }
    read(files, REFUNDS);
    memory.close();
    delete disk.refusal;
    t.equal(memory.revision(), revision);
    t.same(told(), []);
    file.write(Buffer.from('OLD'), 0, CONTEXT);
    file.flush(CONTEXT);
    file.close();
    t.equal(kept(memory, REFUNDS), 'OLD', 'and an open file is still the file of its name');
    t.equal(read(files, fact('refunds.tmp')), 'new');
  });

  t.test(`${refusal}: what is closed all the same is lost, and said to be`, async (t) => {
    const { files, errors, disk } = onBadDisk(t);
    const options = { append: false, truncate: false, exclusive: true, mode: 0o644 };
    const file = files.create(REFUNDS, options, CONTEXT);
    file.write(Buffer.from('new'), 0, CONTEXT);
    disk.refusal = refusal;
    t.equal(
      codeOf(() => file.flush(CONTEXT)),
      refusal,
    );
    file.close();
    t.match(errors.entries(), [{ code: refusal, path: '/context/memory/fact/refunds', message: /not kept/ }]);
    t.equal(exists(files, REFUNDS), false);
  });
}
