/** Messages to the kernel that answer no request: `enum fuse_notify_code` and the structures in linux/fuse.h. */

const NOTIFY_INVAL_INODE = 2;
const NOTIFY_INVAL_ENTRY = 3;
/** Needs Linux 6.16 or later. */
const NOTIFY_INC_EPOCH = 8;

const HEADER_BYTES = 16;
const INODE_BODY_BYTES = 24;
const ENTRY_BODY_BYTES = 16;

export const ROOT_NODE = 1n;

/** Drops a name of the root, the unused names below it, and their inodes with attributes and pages. */
export function invalidateName(name: string): Buffer {
  const text = Buffer.from(`${name}\0`);
  const message = header(NOTIFY_INVAL_ENTRY, ENTRY_BODY_BYTES + text.length);
  message.writeBigUInt64LE(ROOT_NODE, HEADER_BYTES);
  message.writeUInt32LE(text.length - 1, HEADER_BYTES + 8);
  text.copy(message, HEADER_BYTES + ENTRY_BODY_BYTES);
  return message;
}

/** Drops what the kernel knows of a node: its attributes, and its pages if `what` says so. */
export function invalidateNode(node: bigint, what: 'attributes' | 'attributes and pages'): Buffer {
  const message = header(NOTIFY_INVAL_INODE, INODE_BODY_BYTES);
  message.writeBigUInt64LE(node, HEADER_BYTES);
  // The offset at which pages are dropped; the length 0 that follows means up to the end. A negative offset keeps the pages.
  message.writeBigInt64LE(what === 'attributes' ? -1n : 0n, HEADER_BYTES + 8);
  return message;
}

/** Makes the kernel look up every name again before it is used, including names that are in use or out of reach of other messages. */
export function invalidateAllNames(): Buffer {
  return header(NOTIFY_INC_EPOCH, 0);
}

/** `struct fuse_out_header`: length, code, and 0 for a message that answers no request. */
function header(code: number, bodyBytes: number): Buffer {
  const message = Buffer.alloc(HEADER_BYTES + bodyBytes);
  message.writeUInt32LE(message.length, 0);
  message.writeInt32LE(code, 4);
  return message;
}
