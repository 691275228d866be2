import fc from 'fast-check';
import t from 'tap';
import { fileInfo } from '../../../../src/core/node-info.ts';
import type { NodeInfo } from '../../../../src/core/resolver.ts';
import * as answer from '../../../../src/fuse/linux/protocol/answer.ts';
import { agreeOn, encodeInit, MAX_TRANSFER_BYTES } from '../../../../src/fuse/linux/protocol/init.ts';
import { ListingEncoder } from '../../../../src/fuse/linux/protocol/listing-encoder.ts';
import { decodeInit, decodeRequest } from '../../../../src/fuse/linux/protocol/request.ts';
import { inodeOfWords } from '../../../../src/system/inode.ts';
import { recordedMessage } from './recorded-requests.ts';

const {
  encodeAttributes,
  encodeAttribute,
  encodeBytes,
  encodeCount,
  encodeCreated,
  encodeEntry,
  encodeHeader,
  encodeMiss,
  encodeOpen,
  encodePosition,
  encodeSpace,
  PAYLOAD,
} = answer;

const NODE = { nodeId: 0x1_2345_6789, inode: 2 ** 51 + 7, nameSeconds: 3600, attributeSeconds: 1800 };
/** Each number has a value of its own, so that two that are exchanged are noticed. */
const INFO: NodeInfo = {
  kind: 'file',
  sizeBytes: 2 ** 33 + 5,
  modifiedNs: -1_500_000_001n,
  mode: 0o4751,
  disk: {
    accessedNs: 3_000_000_004n,
    changedNs: 5_000_000_006n,
    links: 8,
    user: 9,
    group: 10,
    blocks: 11,
    device: 12,
  },
};

/** @param fields of C: offset, bits, value. Everything else has to be 0 */
function layout(sizeBytes: number, fields: readonly (readonly [number, 32 | 64, number | bigint])[]): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  for (const [at, bits, value] of fields) {
    if (bits === 64) bytes.writeBigInt64LE(BigInt(value), at);
    else bytes.writeUInt32LE(Number(value), at);
  }
  return bytes;
}

/** `struct fuse_attr` of {@link INFO}. */
function attributesFrom(start: number): (readonly [number, 32 | 64, number | bigint])[] {
  return [
    [start, 64, NODE.inode],
    [start + 8, 64, INFO.sizeBytes],
    [start + 16, 64, 11],
    [start + 24, 64, 3],
    [start + 32, 64, -2],
    [start + 40, 64, 5],
    [start + 48, 32, 4],
    [start + 52, 32, 499_999_999],
    [start + 56, 32, 6],
    [start + 60, 32, 0o104751],
    [start + 64, 32, 8],
    [start + 68, 32, 9],
    [start + 72, 32, 10],
    [start + 76, 32, 12],
    [start + 80, 32, 4096],
  ];
}

const ENTRY = layout(128, [[0, 64, NODE.nodeId], [16, 64, 3600], [24, 64, 1800], ...attributesFrom(40)]);

/** What an encoder wrote as the payload, into a buffer that was full of something else before. */
function payload(encode: (out: Buffer) => number): Buffer {
  const out = Buffer.alloc(4096, 0xee);
  return out.subarray(PAYLOAD, PAYLOAD + encode(out));
}

t.test('answers are laid out as in fuse.h', (t) => {
  const header = Buffer.alloc(16, 0xee);
  t.equal(encodeHeader(header, 2 ** 40 + 3, 116, 88), 104);
  t.same(
    header,
    layout(16, [
      [0, 32, 104],
      [4, 32, 0x1_0000_0000 - 116],
      [8, 64, 2 ** 40 + 3],
    ]),
    'fuse_out_header',
  );
  t.same(
    payload((out) => encodeEntry(out, NODE, INFO)),
    ENTRY,
    'fuse_entry_out',
  );
  t.same(
    payload((out) => encodeMiss(out, 3600)),
    layout(128, [[16, 64, 3600]]),
    'fuse_entry_out of a miss',
  );
  t.same(
    payload((out) => encodeAttributes(out, NODE, INFO)),
    layout(104, [[0, 64, 1800], ...attributesFrom(16)]),
    'fuse_attr_out',
  );
  const opened = layout(16, [
    [0, 64, 2 ** 34],
    [8, 32, 10],
  ]);
  t.same(
    payload((out) => encodeOpen(out, 2 ** 34, 10)),
    opened,
    'fuse_open_out',
  );
  t.same(
    payload((out) => encodeCreated(out, NODE, INFO, 2 ** 34, 10)),
    Buffer.concat([ENTRY, opened]),
  );
  t.same(
    payload((out) => encodeCount(out, 77)),
    layout(8, [[0, 32, 77]]),
    'fuse_write_out, fuse_getxattr_out',
  );
  t.same(
    payload((out) => encodePosition(out, 2 ** 40)),
    layout(8, [[0, 64, 2 ** 40]]),
    'fuse_lseek_out',
  );
  t.same(
    payload((out) =>
      encodeSpace(out, { totalBytes: 2 ** 44, freeBytes: 2 ** 43 + 4095, totalFiles: 7, freeFiles: 6 }),
    ),
    layout(80, [
      [0, 64, 2 ** 32],
      [8, 64, 2 ** 31],
      [16, 64, 2 ** 31],
      [24, 64, 7],
      [32, 64, 6],
      [40, 32, 4096],
      [44, 32, 255],
      [48, 32, 4096],
    ]),
    'fuse_kstatfs',
  );
  t.end();
});

t.test('a listing is laid out as in fuse.h, each name padded to 8 bytes', (t) => {
  const listed = { name: Buffer.from('äbc'), kind: 'link', nextOffset: 9 } as const;
  const dirent = Buffer.concat([
    layout(24, [
      [0, 64, NODE.inode],
      [8, 64, 9],
      [16, 32, 4],
      [20, 32, 10],
    ]),
    Buffer.from('äbc\0\0\0\0'),
  ]);
  const list = (fill: (encoder: ListingEncoder) => void): Buffer =>
    payload((out) => {
      const encoder = new ListingEncoder(out, 4000);
      fill(encoder);
      return encoder.payloadBytes;
    });
  t.same(
    list((encoder) => encoder.add(listed, NODE.inode)),
    dirent,
    'fuse_dirent',
  );
  t.same(
    list((encoder) => {
      encoder.addWithoutEntry(listed, NODE.inode);
      encoder.addWithEntry(listed, NODE, INFO);
    }),
    Buffer.concat([Buffer.alloc(128), dirent, ENTRY, dirent]),
    'fuse_direntplus',
  );
  t.end();
});

t.test('what is no disk shows what follows from the rest', (t) => {
  const info = { kind: 'file', sizeBytes: 4097, modifiedNs: 7n, mode: 0o100644 } as const;
  const attributes = payload((out) => encodeAttributes(out, NODE, info)).subarray(16);
  t.equal(attributes.readBigUInt64LE(16), 16n, 'blocks of 512 bytes');
  t.same(
    [48, 52, 56].map((at) => attributes.readUInt32LE(at)),
    [7, 7, 7],
  );
  t.equal(attributes.readUInt32LE(60), 0o100644);
  t.equal(attributes.readUInt32LE(64), 1, 'links');
  t.equal(attributes.readUInt32LE(68), process.getuid?.());
  const folder = payload((out) => encodeAttributes(out, NODE, { ...info, kind: 'directory' })).subarray(16);
  t.equal(folder.readUInt32LE(60), 0o040644);
  t.equal(folder.readUInt32LE(64), 2);
  t.end();
});

t.test('a number of a disk that is no exact one in JavaScript is told as it is', (t) => {
  const inode = inodeOfWords(0xffff_fffd, 0xffff_ffff);
  const attributes = payload((out) => encodeAttributes(out, { ...NODE, inode }, INFO)).subarray(16);
  t.equal(attributes.readBigUInt64LE(0), 0xffff_ffff_ffff_fffdn);
  const listing = payload((out) => {
    const encoder = new ListingEncoder(out, 4000);
    encoder.add({ name: Buffer.from('a'), kind: 'file', nextOffset: 1 }, inode);
    return encoder.payloadBytes;
  });
  t.equal(listing.readBigUInt64LE(0), 0xffff_ffff_ffff_fffdn);
  t.end();
});

t.test('the text of attributes is given where there is room, its size where that is asked for', (t) => {
  t.same(
    payload((out) => encodeAttribute(out, 'Dökument', 9, '/a')),
    Buffer.from('Dökument'),
  );
  t.equal(payload((out) => encodeAttribute(out, 'Dökument', 0, '/a')).readUInt32LE(0), 9);
  t.throws(() => encodeAttribute(Buffer.alloc(100), 'Dökument', 8, '/a'), { code: 'ERANGE' });
  t.end();
});

/** What the driver cannot do without. */
const WANTED = {
  asyncRead: 1 << 0,
  bigWrites: 1 << 5,
  readdirplus: 1 << 13,
  parallelDirectories: 1 << 18,
  maxPages: 1 << 22,
  cacheSymlinks: 1 << 23,
  explicitInvalidation: 1 << 25,
};
/** There are more flags, in `flags2`. */
const EXTENDED = 1 << 30;
const PASS_THROUGH = 1 << 5;
const MAPS_UNCACHED = 1 << 4;

/** What would have the kernel leave to the driver what it does not do, keep or drop pages by itself, or empty a file without a lock. */
const UNWANTED = {
  posixLocks: 1 << 1,
  atomicTruncate: 1 << 3,
  flocks: 1 << 10,
  automaticInvalidation: 1 << 12,
  asyncDirectIo: 1 << 15,
  noOpen: 1 << 17,
  writeback: 1 << 16,
  posixAcl: 1 << 20,
};

t.test('of what a kernel offers the driver takes what it knows', (t) => {
  const offer = decodeInit(decodeRequest(recordedMessage('init')));
  const agreed = agreeOn(offer, true);
  if (agreed === undefined) throw new Error('nothing was agreed on');
  t.match(agreed, { minor: 38, maxReadAheadBytes: 131_072 });
  for (const [name, bit] of Object.entries(WANTED)) t.not(agreed.flags & bit, 0, name);
  for (const [name, bit] of Object.entries(UNWANTED)) t.equal(agreed.flags & bit, 0, name);
  t.same(agreeOn({ ...offer, minor: 31 }, true), { ...agreed, minor: 31 });
  t.equal(agreeOn({ ...offer, flags: 1 }, true)?.flags, 1, 'nothing that was not offered');
  t.equal(agreeOn({ ...offer, minor: 28 }, true), undefined);
  t.equal(agreeOn({ ...offer, major: 6 }, true), undefined);
  t.ok(agreeOn({ ...offer, major: 8, minor: 0 }, true), 'a newer one asks again');
  const out = payload((out) => encodeInit(out, agreed));
  const expected = layout(64, [
    [0, 32, 7],
    [4, 32, 38],
    [8, 32, 131_072],
    [12, 32, agreed.flags],
    [20, 32, MAX_TRANSFER_BYTES],
    [24, 32, 1],
    [32, 32, MAPS_UNCACHED],
  ]);
  expected.writeUInt16LE(64, 16);
  expected.writeUInt16LE(48, 18);
  expected.writeUInt16LE(256, 28);
  t.same(out, expected, 'fuse_init_out');
  t.end();
});

t.test('files of disks are passed through where both sides can', (t) => {
  const offer = decodeInit(decodeRequest(recordedMessage('init')));
  const able = { ...offer, moreFlags: PASS_THROUGH };
  t.notOk(agreeOn(able, true)?.passesThrough);
  t.notOk(agreeOn(able, false, true)?.passesThrough, 'without opens there is nothing to say so');
  t.notOk(agreeOn({ ...offer, moreFlags: 0 }, true, true)?.passesThrough);
  const agreed = agreeOn(able, true, true);
  if (agreed === undefined) throw new Error('nothing was agreed on');
  t.ok(agreed.passesThrough);
  t.not(agreed.flags & EXTENDED, 0);
  const out = payload((out) => encodeInit(out, agreed));
  t.equal(out.readUInt32LE(32), PASS_THROUGH);
  t.equal(out.readUInt32LE(36), 1, 'max_stack_depth');
  t.end();
});

t.test('what is read past the cache may be mapped where the kernel can', (t) => {
  const offer = decodeInit(decodeRequest(recordedMessage('init')));
  for (const seeOpens of [true, false]) {
    const agreed = agreeOn({ ...offer, moreFlags: MAPS_UNCACHED | (1 << 8) }, seeOpens);
    if (agreed === undefined) throw new Error('nothing was agreed on');
    t.not(agreed.flags & EXTENDED, 0);
    t.equal(payload((out) => encodeInit(out, agreed)).readUInt32LE(32), MAPS_UNCACHED);
  }
  t.equal(agreeOn({ ...offer, moreFlags: 1 << 8 }, true)?.moreFlags, 0);
  t.end();
});

const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(2 ** 32 - 1, 2 ** 32, 2 ** 51, 2 ** 53, 2 ** 64, -1, Number.NaN, Number.POSITIVE_INFINITY),
);
const kind = fc.constantFrom('file', 'directory', 'link', 'pipe', 'no kind at all', '__proto__');
const disk = fc.record({
  accessedNs: fc.bigInt(),
  changedNs: fc.bigInt(),
  links: number,
  user: number,
  group: number,
  blocks: number,
  device: number,
});
const info = fc
  .record(
    {
      kind,
      sizeBytes: fc.oneof(fc.nat(), number),
      modifiedNs: fc.oneof(fc.bigInt(), fc.constant(5)),
      mode: fc.oneof(fc.nat(0o7777), number),
      disk,
    },
    { requiredKeys: ['kind', 'sizeBytes', 'modifiedNs', 'mode'] },
  )
  // Resolvers are not to answer such things; the driver has to live with it.
  .map((value): NodeInfo => Object.assign(fileInfo(0, 0n), value));
const told = fc.record({ nodeId: number, inode: number, nameSeconds: number, attributeSeconds: number });
const name = fc
  .oneof(fc.string({ maxLength: 300 }), fc.string({ unit: 'binary' }))
  .map((text) => Buffer.from(text));
const space = fc.record({ totalBytes: number, freeBytes: number, totalFiles: number, freeFiles: number });

const encoder = fc.oneof(
  fc.tuple(told, info).map(
    ([node, info]) =>
      (out: Buffer) =>
        encodeEntry(out, node, info),
  ),
  fc.tuple(told, info).map(
    ([node, info]) =>
      (out: Buffer) =>
        encodeAttributes(out, node, info),
  ),
  fc.tuple(told, info, number, number).map(
    ([node, info, handle, flags]) =>
      (out: Buffer) =>
        encodeCreated(out, node, info, handle, flags),
  ),
  number.map((seconds) => (out: Buffer) => encodeMiss(out, seconds)),
  fc.tuple(number, number).map(
    ([handle, flags]) =>
      (out: Buffer) =>
        encodeOpen(out, handle, flags),
  ),
  number.map((count) => (out: Buffer) => encodeCount(out, count)),
  number.map((position) => (out: Buffer) => encodePosition(out, position)),
  space.map((space) => (out: Buffer) => encodeSpace(out, space)),
  name.map((bytes) => (out: Buffer) => encodeBytes(out, bytes)),
  fc.tuple(fc.array(fc.tuple(name, told, info, fc.nat(2)), { maxLength: 20 }), fc.nat(2000)).map(
    ([names, sizeBytes]) =>
      (out: Buffer) =>
        listOf(out, names, sizeBytes),
  ),
);

function listOf(
  out: Buffer,
  names: readonly (readonly [Buffer, answer.ToldNode, NodeInfo, number])[],
  sizeBytes: number,
): number {
  const encoder = new ListingEncoder(out, sizeBytes);
  for (const [name, node, info, how] of names) {
    if (!encoder.reserve(name, how > 0)) break;
    const listed = { name, kind: info.kind, nextOffset: node.nodeId };
    if (how === 0) encoder.add(listed, node.inode);
    else if (how === 1) encoder.addWithEntry(listed, node, info);
    else encoder.addWithoutEntry(listed, node.inode);
  }
  if (encoder.payloadBytes > sizeBytes) throw new Error('a listing is larger than asked for');
  return encoder.payloadBytes;
}

const CANARY = 0xc5;

t.test('no answer is written outside of its buffer, whatever is encoded', (t) => {
  let fitting = 0;
  let refused = 0;
  fc.assert(
    fc.property(encoder, fc.nat(400), (encode, roomBytes) => {
      const memory = Buffer.alloc(roomBytes + 1024, CANARY);
      const out = memory.subarray(512, 512 + PAYLOAD + roomBytes);
      try {
        const payloadBytes = encode(out);
        if (!(payloadBytes >= 0 && payloadBytes <= roomBytes)) return false;
        fitting += 1;
      } catch (error) {
        if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
        refused += 1;
      }
      const before = memory.subarray(0, 512 + PAYLOAD);
      const behind = memory.subarray(512 + out.length);
      return [...before, ...behind].every((byte) => byte === CANARY);
    }),
    { numRuns: 3000 },
  );
  t.ok(fitting > 300 && refused > 300, `${fitting} fitted and ${refused} were refused`);
  t.end();
});

t.test('attributes that a resolver may give are never refused', (t) => {
  const ns = fc.bigInt({ min: -(2n ** 60n), max: 2n ** 62n });
  const sound = fc.record({
    kind: fc.constantFrom('file', 'directory', 'link', 'pipe', 'socket', 'character device', 'block device'),
    sizeBytes: fc.maxSafeInteger().map(Math.abs),
    modifiedNs: ns,
    mode: fc.nat(0o7777),
  });
  fc.assert(
    fc.property(sound, fc.integer({ min: 1, max: 2 ** 52 }), (info, inode) => {
      const out = payload((out) => encodeAttributes(out, { inode, attributeSeconds: 1 }, info)).subarray(16);
      const modifiedNs = out.readBigInt64LE(32) * 10n ** 9n + BigInt(out.readUInt32LE(52));
      return (
        out.readBigUInt64LE(0) === BigInt(inode) &&
        out.readBigUInt64LE(8) === BigInt(info.sizeBytes) &&
        modifiedNs === info.modifiedNs
      );
    }),
  );
  t.end();
});
