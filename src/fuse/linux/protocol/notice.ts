/** Messages to the kernel that answer no request: `enum fuse_notify_code` and the structures of fuse_kernel.h. No I/O. */

const NOTICE = { forgetNode: 2, forgetName: 3, store: 4, nameGone: 6 } as const;

const HEADER_BYTES = 16;
const TWO_TO_32 = 0x1_0000_0000;

/** Drops what is known of a node: its attributes, and its pages too where `what` says so. FUSE_NOTIFY_INVAL_INODE. */
export function forgetNode(nodeId: number, what: 'attributes' | 'attributes and pages'): Buffer {
  const notice = header(NOTICE.forgetNode, 24);
  setU64(notice, HEADER_BYTES, nodeId);
  // From here on, to the end: the length of 0 that follows. A negative offset spares the pages.
  notice.writeBigInt64LE(what === 'attributes' ? -1n : 0n, HEADER_BYTES + 8);
  return notice;
}

/** Has a name of a folder looked up again. FUSE_NOTIFY_INVAL_ENTRY. */
export function forgetName(folderId: number, name: string): Buffer {
  const text = Buffer.from(`${name}\0`);
  const notice = header(NOTICE.forgetName, 16 + text.length);
  setU64(notice, HEADER_BYTES, folderId);
  notice.writeUInt32LE(text.length - 1, HEADER_BYTES + 8);
  text.copy(notice, HEADER_BYTES + 16);
  return notice;
}

/** Says that a name is gone, so that those who watch the folder are told too. FUSE_NOTIFY_DELETE. */
export function nameGone(folderId: number, nodeId: number, name: string): Buffer {
  const text = Buffer.from(`${name}\0`);
  const notice = header(NOTICE.nameGone, 24 + text.length);
  setU64(notice, HEADER_BYTES, folderId);
  setU64(notice, HEADER_BYTES + 8, nodeId);
  notice.writeUInt32LE(text.length - 1, HEADER_BYTES + 16);
  text.copy(notice, HEADER_BYTES + 24);
  return notice;
}

/** Bytes of a file for its pages, from its start on. FUSE_NOTIFY_STORE. @returns how long the notice is */
export function storeBytes(notice: Buffer, nodeId: number, sizeBytes: number): number {
  const length = STORED_AT + sizeBytes;
  notice.fill(0, 0, STORED_AT);
  notice.writeUInt32LE(length, 0);
  notice.writeInt32LE(NOTICE.store, 4);
  setU64(notice, HEADER_BYTES, nodeId);
  notice.writeUInt32LE(sizeBytes, HEADER_BYTES + 16);
  return length;
}

/** Where the bytes stand in {@link storeBytes}. */
export const STORED_AT = HEADER_BYTES + 24;

/** `struct fuse_out_header`: length, code, and 0 for "answers no request". */
function header(code: number, bodyBytes: number): Buffer {
  const notice = Buffer.alloc(HEADER_BYTES + bodyBytes);
  notice.writeUInt32LE(notice.length, 0);
  notice.writeInt32LE(code, 4);
  return notice;
}

function setU64(notice: Buffer, at: number, value: number): void {
  notice.writeUInt32LE(value % TWO_TO_32, at);
  notice.writeUInt32LE(Math.floor(value / TWO_TO_32), at + 4);
}
