import { OPCODE } from './opcodes.ts';

/** Requests as the kernel words them: the structures `fuse_…_in` of fuse_kernel.h, version 7.31 and later. No I/O. Nobody stands behind them, unless they say so. */

const HEADER_BYTES = 40;
const OPEN_BYTES = 8;
const READ_BYTES = 40;
const RELEASE_BYTES = 24;

/** LOOKUP. */
export function askForName(folderId: number, name: string): Buffer {
  const body = Buffer.from(`${name}\0`);
  return request(OPCODE.lookup, folderId, body);
}

/** OPEN, to read. @param thread who asks */
export function askToOpen(nodeId: number, thread: number): Buffer {
  const message = request(OPCODE.open, nodeId, Buffer.alloc(OPEN_BYTES));
  message.writeUInt32LE(thread, 32);
  return message;
}

/** READ from the beginning, as of a file whose open the kernel did not send. */
export function askToRead(nodeId: number, sizeBytes: number): Buffer {
  const body = Buffer.alloc(READ_BYTES);
  body.writeUInt32LE(sizeBytes, 16);
  return request(OPCODE.read, nodeId, body);
}

/** RELEASE. @param handle below 2^32 */
export function askToRelease(nodeId: number, handle: number): Buffer {
  const body = Buffer.alloc(RELEASE_BYTES);
  body.writeUInt32LE(handle, 0);
  return request(OPCODE.release, nodeId, body);
}

/** READDIRPLUS. @param position what was listed last said of itself; 0 for the first */
export function askForNames(nodeId: number, position: number, sizeBytes: number): Buffer {
  const body = Buffer.alloc(READ_BYTES);
  body.writeUInt32LE(position, 8);
  body.writeUInt32LE(sizeBytes, 16);
  return request(OPCODE.readdirplus, nodeId, body);
}

/** @param nodeId below 2^32 */
function request(opcode: number, nodeId: number, body: Buffer): Buffer {
  const message = Buffer.alloc(HEADER_BYTES + body.length);
  message.writeUInt32LE(message.length, 0);
  message.writeUInt32LE(opcode, 4);
  message.writeUInt32LE(nodeId, 16);
  body.copy(message, HEADER_BYTES);
  return message;
}
