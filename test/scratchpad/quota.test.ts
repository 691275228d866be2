import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import type { Scratchpad } from '../../src/scratchpad/scratchpad.ts';
import { FALLOCATE } from '../../src/system/file-data.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { anyCommands, PadUser } from './commands.ts';
import { ANY_FILE, at, bytesOnDisk, emptyPad, NEW_FILE, outcomeOf, PLAIN, put } from './fixture.ts';

const MIB = 1024 * 1024;
const BLOCK = 4096;
const isRoot = process.getuid?.() === 0;

function usedBytes(pad: Scratchpad): number {
  const { totalBytes, freeBytes } = pad.space();
  return totalBytes - freeBytes;
}

/** Writes until it is refused, a piece at a time. @returns what was taken */
function fill(pad: Scratchpad, path: string, pieceBytes: number): { bytes: number; refusal: string } {
  const file = pad.create(at(path), ANY_FILE);
  const piece = Buffer.alloc(pieceBytes, 1);
  try {
    for (let bytes = 0; ; ) {
      const outcome = outcomeOf(() => file.write(piece, bytes));
      if (typeof outcome === 'string') return { bytes, refusal: outcome };
      bytes += outcome;
    }
  } finally {
    file.close();
  }
}

t.test('what is counted is what is there, whatever was done and refused', async (t) => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(anyCommands, async (commands) => {
      const teardowns: (() => unknown)[] = [];
      const scope = { teardown: (action: () => unknown) => teardowns.unshift(action) };
      try {
        const { pad, folder } = emptyPad(scope, { quotaBytes: 6 * BLOCK });
        const user = new PadUser(pad);
        scope.teardown(() => user.close());
        for (const command of commands) if ((await user.run(command)) === 'ENOSPC') refused += 1;
        user.close();
        if (usedBytes(pad) !== Math.min(bytesOnDisk(folder), 6 * BLOCK)) {
          throw new Error(`${usedBytes(pad)} bytes are counted, ${bytesOnDisk(folder)} are there`);
        }
        // A folder may grow by a block for a name in it, and a file by one for where its parts lie.
        if (bytesOnDisk(folder) > 8 * BLOCK) throw new Error(`${bytesOnDisk(folder)} bytes were taken`);
      } finally {
        for (const teardown of teardowns) teardown();
      }
    }),
    { numRuns: 200 },
  );
  t.ok(refused > 10, 'the quota was met');
});

t.test('a write takes what fits and then fails with ENOSPC; the disk is not filled further', async (t) => {
  for (const pieceBytes of [100, 4096, 5000, 128 * 1024]) {
    const { pad, folder } = emptyPad(t, { quotaBytes: MIB });
    const free = pad.space().freeBytes;
    const { bytes, refusal } = fill(pad, 'a', pieceBytes);
    t.equal(refusal, 'ENOSPC');
    t.ok(bytes > free - 2 * BLOCK && bytes <= free, `${bytes} of ${free} in pieces of ${pieceBytes}`);
    t.ok(bytesOnDisk(folder) <= MIB);
    t.ok(pad.space().freeBytes < BLOCK);
  }
});

t.test('a full scratchpad can be written over, and gets room by what is removed', async (t) => {
  const { pad } = emptyPad(t, { quotaBytes: MIB });
  put(pad, 'b', 'x'.repeat(10 * BLOCK));
  const { bytes } = fill(pad, 'a', 64 * 1024);
  const file = pad.openToWrite(at('a'), PLAIN);
  for (let position = 0; position < bytes; position += 3000) {
    const piece = Buffer.alloc(Math.min(3000, bytes - position), 2);
    if (file.write(piece, position) !== piece.byteLength) t.fail(`not taken at ${position}`);
  }
  t.equal(
    outcomeOf(() => file.write(Buffer.alloc(1), bytes + BLOCK)),
    'ENOSPC',
  );
  t.equal(
    outcomeOf(() => pad.create(at('c'), NEW_FILE)),
    'ENOSPC',
  );
  t.equal(
    outcomeOf(() => pad.create(at('a'), NEW_FILE)),
    'EEXIST',
    'which is said first',
  );
  t.equal(
    outcomeOf(() => pad.makeFolder(at('c'), 0o755)),
    'ENOSPC',
  );
  t.equal(
    outcomeOf(() => pad.symlink('a', at('c'))),
    'ENOSPC',
  );
  t.equal(
    outcomeOf(() => pad.rename(at('b'), at('c'))),
    undefined,
    'which takes nothing',
  );
  pad.create(at('c'), ANY_FILE).close();
  pad.remove(at('c'));
  t.equal(file.write(Buffer.alloc(8 * BLOCK, 3), bytes + BLOCK), 8 * BLOCK);
  file.close();
});

t.test('holes are free until they are written', async (t) => {
  const { pad } = emptyPad(t, { quotaBytes: MIB });
  const before = usedBytes(pad);
  const file = pad.create(at('a'), NEW_FILE);
  file.truncate(1024 * MIB);
  t.equal(usedBytes(pad), before);
  t.equal(file.write(Buffer.alloc(BLOCK, 1), 512 * MIB), BLOCK);
  t.equal(usedBytes(pad), before + BLOCK);
  let taken = 0;
  for (let block = 1; block < 1000; block += 1) {
    if (outcomeOf(() => file.write(Buffer.alloc(BLOCK, 1), 512 * MIB - block * 2 * BLOCK)) === BLOCK)
      taken += 1;
  }
  t.ok(taken > 240 && taken < 256, `${taken} holes were filled`);
  t.equal(file.write(Buffer.alloc(BLOCK, 2), 512 * MIB), BLOCK, 'what is no hole can be written over');
  file.truncate(0);
  t.equal(usedBytes(pad), before);
  file.close();
});

t.test('a file that is kept solid gets no hole: who makes it longer takes the space at once', async (t) => {
  const { pad, folder } = emptyPad(t, { quotaBytes: MIB });
  put(pad, 'a', Buffer.alloc(16 * BLOCK, 1));
  const reader = pad.open(at('a'));
  const release = reader.keepSolid();
  pad.truncate(at('a'), 64 * BLOCK);
  t.ok(bytesOnDisk(folder) >= 64 * BLOCK, 'by its name');
  const writer = pad.openToWrite(at('a'), PLAIN);
  writer.truncate(80 * BLOCK);
  t.ok(bytesOnDisk(folder) >= 80 * BLOCK, 'by a handle');
  t.equal(writer.write(Buffer.from('x'), 99 * BLOCK), 1);
  t.ok(bytesOnDisk(folder) >= 100 * BLOCK, 'by writing past its end');
  writer.allocate(0, 119 * BLOCK, BLOCK);
  t.ok(bytesOnDisk(folder) >= 120 * BLOCK, 'by asking for space past its end');
  t.equal(usedBytes(pad), bytesOnDisk(folder), 'and that is counted');
  const bytes = Buffer.alloc(BLOCK, 7);
  t.equal(reader.read(bytes, 70 * BLOCK), BLOCK);
  t.ok(bytes.equals(Buffer.alloc(BLOCK)), 'there is nothing but zeros in it');
  for (const grow of [
    () => pad.truncate(at('a'), 2 * MIB),
    () => writer.truncate(2 * MIB),
    () => writer.write(Buffer.from('x'), 2 * MIB),
    () => writer.copyFrom(reader, 0, 2 * MIB, BLOCK),
  ]) {
    t.equal(outcomeOf(grow), 'ENOSPC');
  }
  t.equal(
    outcomeOf(() => writer.allocate(FALLOCATE.punchHole | FALLOCATE.keepSize, 0, BLOCK)),
    'ENOTSUP',
  );
  t.equal(reader.sizeBytes, 120 * BLOCK, 'what is refused leaves it as it was');
  release();
  pad.truncate(at('a'), 2 * MIB);
  t.ok(bytesOnDisk(folder) < MIB, 'afterwards holes are free again');
  writer.close();
  reader.close();
});

t.test('a removed file counts until its last handle is closed', async (t) => {
  const { pad } = emptyPad(t, { quotaBytes: MIB });
  const before = usedBytes(pad);
  const one = pad.create(at('a'), NEW_FILE);
  one.write(Buffer.alloc(100 * BLOCK, 1), 0);
  const two = pad.open(at('a'));
  pad.link(at('a'), at('b'));
  pad.remove(at('a'));
  t.equal(usedBytes(pad), before + 100 * BLOCK, 'it has another name');
  pad.remove(at('b'));
  t.equal(usedBytes(pad), before + 100 * BLOCK);
  one.write(Buffer.alloc(BLOCK, 1), 100 * BLOCK);
  one.close();
  t.equal(usedBytes(pad), before + 101 * BLOCK);
  two.close();
  t.equal(usedBytes(pad), before);
});

t.test(
  'what a rename replaces is given back, and a rename to another name of the same file is not',
  async (t) => {
    const { pad } = emptyPad(t, { quotaBytes: MIB });
    const before = usedBytes(pad);
    put(pad, 'a', 'x'.repeat(10 * BLOCK));
    put(pad, 'b', 'x'.repeat(20 * BLOCK));
    pad.rename(at('a'), at('b'));
    t.equal(usedBytes(pad), before + 10 * BLOCK);
    pad.link(at('b'), at('c'));
    pad.rename(at('b'), at('c'));
    t.equal(usedBytes(pad), before + 10 * BLOCK);
    t.equal(pad.stat(at('b')).disk?.links, 2);
  },
);

t.test('one of two names of a file gives nothing back', async (t) => {
  const { pad } = emptyPad(t, { quotaBytes: MIB });
  const before = usedBytes(pad);
  put(pad, 'a', 'x'.repeat(10 * BLOCK));
  pad.link(at('a'), at('b'));
  pad.remove(at('a'));
  t.equal(usedBytes(pad), before + 10 * BLOCK);
  put(pad, 'c', '');
  pad.rename(at('c'), at('b'));
  t.equal(usedBytes(pad), before);
});

t.test('what is appended counts where it goes, whatever position it names', async (t) => {
  const { pad } = emptyPad(t, { quotaBytes: MIB });
  const { bytes } = fill(pad, 'a', 64 * 1024);
  const file = pad.openToWrite(at('a'), { append: true, truncate: false });
  t.equal(
    outcomeOf(() => file.write(Buffer.alloc(BLOCK, 1), 0)),
    'ENOSPC',
  );
  t.equal(file.sizeBytes, bytes);
  file.close();
});

t.test('many small files count', async (t) => {
  const { pad, folder } = emptyPad(t, { quotaBytes: MIB });
  let made = 0;
  while (outcomeOf(() => put(pad, `f${made}`, 'x')) === undefined) made += 1;
  t.ok(made > 200 && made <= 256, `${made} files`);
  t.ok(bytesOnDisk(folder) <= MIB + BLOCK);
});

t.test('empty files are limited by number', async (t) => {
  const { pad } = emptyPad(t, { quotaBytes: MIB });
  let made = 0;
  const make = () => outcomeOf(() => pad.create(at(`f${made}`), NEW_FILE).close());
  for (let outcome = make(); outcome === undefined; outcome = make()) made += 1;
  t.equal(made, 999, '1,000 with the folder itself');
  t.equal(pad.space().freeFiles, 0);
  t.equal(pad.space().totalFiles, 1000);
  pad.remove(at('f0'));
  t.equal(make(), undefined);
});

t.test('a scratchpad that is opened again counts what is there', async (t) => {
  const parent = temporaryFolder(t);
  const first = emptyPad(t, { quotaBytes: MIB }, parent);
  first.pad.makeFolder(at('folder'), 0o755);
  put(first.pad, 'folder/a', 'x'.repeat(50 * BLOCK));
  first.pad.link(at('folder/a'), at('b'));
  first.pad.symlink('/', at('root'));
  const used = usedBytes(first.pad);
  first.pad.close();
  const { pad, folder } = emptyPad(t, { quotaBytes: MIB }, parent);
  t.equal(usedBytes(pad), used);
  t.equal(usedBytes(pad), bytesOnDisk(folder));
});

t.test(
  'what another process removed is noticed before anything is refused, and what it wrote when it is seen',
  async (t) => {
    let nowMs = 0;
    const { pad, folder } = emptyPad(t, { quotaBytes: MIB, clock: { nowMs: () => nowMs } });
    fill(pad, 'a', 64 * 1024);
    rmSync(join(folder, 'a'));
    t.equal(
      outcomeOf(() => put(pad, 'b', 'x')),
      'ENOSPC',
      'all was counted just now',
    );
    nowMs += 10_000;
    t.equal(
      outcomeOf(() => put(pad, 'b', 'x')),
      undefined,
    );
    const before = usedBytes(pad);
    writeFileSync(join(folder, 'c'), 'x'.repeat(10 * BLOCK));
    pad.stat(at('c'));
    t.equal(usedBytes(pad), before + 10 * BLOCK);
    pad.remove(at('c'));
    t.equal(usedBytes(pad), before);
  },
);

t.test('a count keeps open files that have no name', async (t) => {
  let nowMs = 0;
  const { pad } = emptyPad(t, { quotaBytes: MIB, clock: { nowMs: () => nowMs } });
  const file = pad.create(at('a'), NEW_FILE);
  file.write(Buffer.alloc(200 * BLOCK, 1), 0);
  pad.remove(at('a'));
  nowMs += 10_000;
  t.equal(fill(pad, 'b', BLOCK).refusal, 'ENOSPC');
  file.close();
  t.ok(pad.space().freeBytes >= 200 * BLOCK);
});

t.test('a small scratchpad on a large disk shows its quota, a large one what the disk has', async (t) => {
  const small = emptyPad(t, { quotaBytes: MIB }).pad.space();
  t.equal(small.totalBytes, MIB);
  t.ok(small.freeBytes <= MIB && small.freeBytes >= MIB - 2 * BLOCK);
  const large = emptyPad(t, { quotaBytes: 2 ** 60 }).pad.space();
  t.equal(large.totalBytes, 2 ** 60);
  t.ok(large.freeBytes < 2 ** 60);
});

t.test(
  'a full disk says ENOSPC itself, and all goes on',
  { skip: !isRoot && 'only root mounts a disk' },
  async (t) => {
    const parent = join(temporaryFolder(t), 'disk');
    mkdirSync(parent);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', parent]);
    t.teardown(() => execFileSync('umount', ['-l', parent]));
    const { pad, folder } = emptyPad(t, {}, parent);
    const { bytes, refusal } = fill(pad, 'a', 10_000);
    t.equal(refusal, 'ENOSPC');
    t.ok(bytes > 200 * 1024);
    t.equal(pad.space().freeBytes, 0);
    t.equal(usedBytes(pad), 1024 ** 3);
    t.equal(
      outcomeOf(() => put(pad, 'b', 'x')),
      'ENOSPC',
    );
    pad.remove(at('a'));
    t.equal(
      outcomeOf(() => put(pad, 'b', 'x')),
      undefined,
    );
    accessSync(join(folder, 'b'), constants.R_OK);
  },
);
