import { setU32, setU64, viewOf } from './words.ts';

/** Messages to the kernel that answer no request: `enum fuse_notify_code` and the structures of fuse_kernel.h. No I/O. */

const NOTICE = { invalidateNode: 2, invalidateName: 3, store: 4, nameGone: 6 } as const;

const HEADER_BYTES = 16;

/** Drops what is known of a node: its attributes, and its pages too where `what` says so. FUSE_NOTIFY_INVAL_INODE. */
export function invalidateNode(nodeId: number, what: 'attributes' | 'attributes and pages'): Buffer {
  const notice = header(NOTICE.invalidateNode, 24);
  const view = viewOf(notice);
  setU64(view, HEADER_BYTES, nodeId);
  // From here on, to the end: the length of 0 that follows. A negative offset spares the pages.
  setU64(view, HEADER_BYTES + 8, what === 'attributes' ? -1 : 0);
  return notice;
}

/** Has a name of a folder looked up again. FUSE_NOTIFY_INVAL_ENTRY. */
export function invalidateName(folderId: number, name: string): Buffer {
  const text = Buffer.from(`${name}\0`);
  const notice = header(NOTICE.invalidateName, 16 + text.length);
  const view = viewOf(notice);
  setU64(view, HEADER_BYTES, folderId);
  setU32(view, HEADER_BYTES + 8, text.length - 1);
  text.copy(notice, HEADER_BYTES + 16);
  return notice;
}

/** Says that a name is gone, so that those who watch the folder are told too. FUSE_NOTIFY_DELETE. */
export function nameGone(folderId: number, nodeId: number, name: string): Buffer {
  const text = Buffer.from(`${name}\0`);
  const notice = header(NOTICE.nameGone, 24 + text.length);
  const view = viewOf(notice);
  setU64(view, HEADER_BYTES, folderId);
  setU64(view, HEADER_BYTES + 8, nodeId);
  setU32(view, HEADER_BYTES + 16, text.length - 1);
  text.copy(notice, HEADER_BYTES + 24);
  return notice;
}

/** Bytes of a file for its pages, from its start on. FUSE_NOTIFY_STORE. @returns how long the notice is */
export function storeBytes(notice: Buffer, nodeId: number, sizeBytes: number): number {
  const length = STORED_AT + sizeBytes;
  notice.fill(0, 0, STORED_AT);
  const view = viewOf(notice);
  setU32(view, 0, length);
  setU32(view, 4, NOTICE.store);
  setU64(view, HEADER_BYTES, nodeId);
  setU32(view, HEADER_BYTES + 16, sizeBytes);
  return length;
}

/** Where the bytes stand in {@link storeBytes}. */
export const STORED_AT = HEADER_BYTES + 24;

/** `struct fuse_out_header`: length, code, and 0 for "answers no request". */
function header(code: number, bodyBytes: number): Buffer {
  const notice = Buffer.alloc(HEADER_BYTES + bodyBytes);
  const view = viewOf(notice);
  setU32(view, 0, notice.length);
  setU32(view, 4, code);
  return notice;
}
