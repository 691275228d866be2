import { constants } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { operationOf } from '../../../../src/fuse/linux/protocol/opcodes.ts';
import * as requests from '../../../../src/fuse/linux/protocol/request.ts';
import { RECORDED, recordedMessage } from './recorded-requests.ts';

const {
  decodeBatchForget,
  decodeCopyFileRange,
  decodeCreate,
  decodeFallocate,
  decodeForget,
  decodeGetxattr,
  decodeHandle,
  decodeInit,
  decodeInterrupt,
  decodeLink,
  decodeListxattr,
  decodeLseek,
  decodeMkdir,
  decodeMknod,
  decodeName,
  decodeOpen,
  decodeRead,
  decodeRename,
  decodeRename2,
  decodeRequest,
  decodeSetattr,
  decodeSetxattr,
  decodeSymlink,
  decodeWrite,
} = requests;

type Recorded = keyof typeof RECORDED;
type Decoder = (request: requests.Request) => unknown;

const { O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY, S_IFIFO, S_IFREG } = constants;
/** O_LARGEFILE, which the kernel adds and Node does not name. */
const LARGE_FILE = 0o100000;

/** Flags of CREATE are those of open(2), O_CREAT and O_EXCL among them. */
const CREATING = O_WRONLY | O_CREAT | O_TRUNC | LARGE_FILE;

const DECODED: readonly (readonly [Recorded, Decoder, unknown])[] = [
  [
    'init',
    decodeInit,
    { major: 7, minor: 45, maxReadAheadBytes: 131_072, flags: 0x73ff_fffb, moreFlags: 0x5fd },
  ],
  ['lookup', decodeName, 'hello.txt'],
  ['forget', decodeForget, 4],
  ['setTimesNow', decodeSetattr, { accessed: 'now', modified: 'now' }],
  [
    'setOldTimes',
    decodeSetattr,
    {
      accessed: -315_521_755n * 10n ** 9n + 500_000_000n,
      modified: -315_521_755n * 10n ** 9n + 500_000_000n,
    },
  ],
  ['setTimes', decodeSetattr, { accessed: 1n, modified: 2n }],
  ['setAccessed', decodeSetattr, { accessed: 'now' }],
  ['setMode', decodeSetattr, { mode: S_IFREG | 0o600 }],
  ['setSize', decodeSetattr, { handle: 16, sizeBytes: 5 }],
  ['symlink', decodeSymlink, { name: 'sym', target: 'b' }],
  ['mknod', decodeMknod, { name: 'pipe', mode: S_IFIFO | 0o644, device: 0 }],
  ['mkdir', decodeMkdir, { name: 'd1', mode: 0o755, device: 0 }],
  ['unlink', decodeName, 'new'],
  ['rmdir', decodeName, 'd1'],
  ['rename', decodeRename, { name: 'answers', newFolderId: 2, newName: 'x', flags: 0 }],
  ['renameNew', decodeRename2, { name: 'a', newFolderId: 6, newName: 'c', flags: 1 }],
  ['exchange', decodeRename2, { name: 'b', newFolderId: 6, newName: 'copy', flags: 2 }],
  ['link', decodeLink, { name: 'hard', existingId: 8 }],
  ['open', decodeOpen, O_RDWR | LARGE_FILE],
  ['opendir', decodeOpen, O_RDONLY | LARGE_FILE | 0o4000],
  ['read', decodeRead, { handle: 5, position: 4096, sizeBytes: 98_304 }],
  [
    'write',
    decodeWrite,
    { handle: 17, position: 2 ** 33, isMapped: false, isAppended: false, bytes: Buffer.from('xxxxxxxxxx') },
  ],
  ['release', decodeHandle, 2],
  ['fsync', decodeHandle, 4],
  ['flush', decodeHandle, 2],
  ['releasedir', decodeHandle, 10],
  ['fsyncdir', decodeHandle, 10],
  ['setxattr', decodeSetxattr, { name: 'user.k', flags: 0, value: Buffer.from('value') }],
  ['getxattr', decodeGetxattr, { name: 'system.posix_acl_access', sizeBytes: 4096 }],
  ['listxattr', decodeListxattr, 0],
  ['removexattr', decodeName, 'user.k'],
  ['readdir', decodeRead, { handle: 15, position: 7, sizeBytes: 32_768 }],
  ['create', decodeCreate, { name: 'b', flags: CREATING, mode: S_IFREG | 0o644 }],
  ['interrupt', decodeInterrupt, 8],
  ['fallocate', decodeFallocate, { handle: 8, position: 4096, sizeBytes: 95_904, mode: 3 }],
  ['readdirplus', decodeRead, { handle: 1, position: 6, sizeBytes: 32_768 }],
  ['lseek', decodeLseek, { handle: 16, position: 0, whence: 3 }],
  [
    'copyFileRange',
    decodeCopyFileRange,
    { handle: 16, position: 0, targetHandle: 17, targetPosition: 0, sizeBytes: 5 },
  ],
];

t.test('recorded requests decode to what was asked', (t) => {
  for (const [name, decode, expected] of DECODED) {
    t.same(decode(decodeRequest(recordedMessage(name))), expected, name);
  }
  const forgotten = decodeBatchForget(decodeRequest(recordedMessage('batchForget')));
  t.equal(forgotten.length, 11);
  t.same(forgotten[5], { nodeId: 8, lookUps: 5 });
  t.equal(CREATING & O_EXCL, 0);
  t.end();
});

t.test('the header of a recorded request names it, its node and its caller', (t) => {
  t.match(decodeRequest(recordedMessage('lookup')), {
    opcode: 1,
    unique: 20,
    nodeId: 1,
    uid: 0,
    gid: 0,
    pid: 28_580,
  });
  for (const name of ['lookup', 'setxattr', 'copyFileRange', 'readdirplus', 'batchForget'] as const) {
    t.equal(operationOf(decodeRequest(recordedMessage(name)).opcode), name);
  }
  t.equal(operationOf(decodeRequest(recordedMessage('copyFileRange64')).opcode), undefined);
  t.end();
});

t.test('numbers beyond 32 bits are decoded exactly up to 2^53', (t) => {
  const message = recordedMessage('read');
  fc.assert(
    fc.property(fc.maxSafeInteger().map(Math.abs), (position) => {
      message.writeBigUInt64LE(BigInt(position), 48);
      return decodeRead(decodeRequest(message)).position === position;
    }),
  );
  t.end();
});

const DECODERS: readonly Decoder[] = [...new Set(DECODED.map(([, decode]) => decode)), decodeBatchForget];

/** A message in the middle of memory that is no part of it. */
function amid(message: Uint8Array, filler: number): Buffer {
  const memory = Buffer.alloc(message.length + 128, filler);
  memory.set(message, 64);
  return memory.subarray(64, 64 + message.length);
}

/** @returns what it decodes to, or undefined where it throws a RangeError */
function decoded(decode: Decoder, message: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: decode(decodeRequest(message)) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isWithin(value: unknown, message: Buffer): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(
    (part) =>
      !Buffer.isBuffer(part) ||
      (part.buffer === message.buffer &&
        part.byteOffset >= message.byteOffset &&
        part.byteOffset + part.length <= message.byteOffset + message.length),
  );
}

/** Whether the surroundings of a message make no difference to what it decodes to. */
function readsOnlyTheMessage(bytes: Uint8Array): boolean {
  return DECODERS.every((decode) => {
    const messages = [amid(bytes, 0), amid(bytes, 0xff), amid(bytes, 0x61)];
    const values = messages.map((message) => decoded(decode, message));
    const [one, ...others] = values.map((value) => JSON.stringify(value, jsonOf));
    return (
      others.every((other) => other === one) &&
      messages.every((message, index) => isWithin(values[index]?.value, message))
    );
  });
}

function jsonOf(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/** The length in the header made to be right, so that more than the header is looked at. */
function withLength(bytes: Uint8Array): Buffer {
  const message = Buffer.from(bytes);
  if (message.length >= 4) message.writeUInt32LE(message.length, 0);
  return message;
}

const anyRecorded = fc.constantFrom(...Object.values(RECORDED)).map((hex) => Buffer.from(hex, 'hex'));
const RUNS = { numRuns: 1000 };

t.test('random bytes are decoded from within the message, or are a RangeError', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => readsOnlyTheMessage(withLength(bytes))),
    RUNS,
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => readsOnlyTheMessage(bytes)),
    RUNS,
  );
  t.end();
});

t.test('so are real messages that are cut off', (t) => {
  fc.assert(
    fc.property(anyRecorded, fc.nat(300), (message, length) =>
      readsOnlyTheMessage(withLength(message.subarray(0, length))),
    ),
    RUNS,
  );
  t.end();
});

t.test('so are real messages with bits that are flipped', (t) => {
  fc.assert(
    fc.property(anyRecorded, fc.array(fc.nat(8 * 250), { minLength: 1, maxLength: 6 }), (message, bits) => {
      const flipped = Buffer.from(message);
      for (const bit of bits) {
        const at = Math.floor(bit / 8) % flipped.length;
        flipped[at] = (flipped[at] ?? 0) ^ (1 << (bit % 8));
      }
      return readsOnlyTheMessage(withLength(flipped));
    }),
    RUNS,
  );
  t.end();
});

t.test('so are lengths and counts that are larger than the message', (t) => {
  fc.assert(
    fc.property(anyRecorded, fc.nat(6), fc.nat(0xffff_ffff), (message, word, count) => {
      if (message.length < 44 + 4 * word) return true;
      const larger = Buffer.from(message);
      larger.writeUInt32LE(count, 40 + 4 * word);
      return readsOnlyTheMessage(larger);
    }),
    RUNS,
  );
  t.end();
});

t.test('a message whose length is not the one in its header is refused', (t) => {
  const message = recordedMessage('lookup');
  t.throws(() => decodeRequest(message.subarray(0, -1)), RangeError);
  t.throws(() => decodeRequest(Buffer.concat([message, Buffer.alloc(1)])), RangeError);
  t.throws(() => decodeRequest(Buffer.alloc(0)), RangeError);
  t.end();
});
