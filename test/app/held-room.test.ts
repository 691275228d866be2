import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { HeldRoom } from '../../src/app/held-room.ts';
import { freeBytesAt } from '../../src/system/free-space.ts';
import { diskInMemory, needsRootToMount } from '../support/disk-in-memory.ts';

const MIB = 1 << 20;

t.test(
  'room is held until something is refused, and again when there is some',
  needsRootToMount,
  async (t) => {
    const folder = diskInMemory(t, 'size=3m');
    const before = freeBytesAt(folder);
    const room = new HeldRoom(folder);
    t.notOk(room.release(), 'none is held before somebody writes');
    t.equal(room.whyNone(MIB), undefined);
    const held = before - freeBytesAt(folder);
    t.equal(held, MIB);
    t.equal(room.whyNone(MIB), undefined);
    t.equal(freeBytesAt(folder), before - held, 'once');
    t.same(readdirSync(folder), [], 'in no file that anybody sees');
    t.equal(room.whyNone(before - held + 1), 'ENOSPC', 'what is held is not for who writes more');
    writeFileSync(join(folder, 'a'), Buffer.alloc(before - held));
    t.ok(room.release());
    t.equal(freeBytesAt(folder), held);
    writeFileSync(join(folder, 'b'), Buffer.alloc(held / 2));
    t.equal(room.whyNone(1), 'ENOSPC', 'what is left cannot be held');
    writeFileSync(join(folder, 'a'), '');
    t.equal(room.whyNone(1), undefined);
    t.ok(room.release());
  },
);

t.test(
  'that no file more can be made says nothing, unless something was refused',
  needsRootToMount,
  async (t) => {
    const folder = diskInMemory(t, 'size=3m,nr_inodes=2');
    writeFileSync(join(folder, 'a'), '');
    const room = new HeldRoom(folder);
    t.equal(room.whyNone(1), undefined);
    t.notOk(room.release());
    t.equal(room.whyNone(1), 'ENOSPC');
  },
);

t.test('a disk that can hold none is taken as it is', async (t) => {
  const room = new HeldRoom('/proc/self');
  t.equal(room.whyNone(0), undefined);
  t.notOk(room.release());
  t.equal(room.whyNone(0), undefined);
});
