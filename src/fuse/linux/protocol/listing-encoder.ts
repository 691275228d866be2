import type { FileKind, NodeInfo } from '../../../core/resolver.ts';
import { TYPE_BITS } from '../../mode-bits.ts';
import { ENTRY_BYTES, entryAt, PAYLOAD, type ToldNode } from './answer.ts';
import { outputView, setInode, setU32, setU64 } from './words.ts';

const DIRENT_BYTES = 24;

/** A name in a listing. */
export interface ListedName {
  readonly name: Buffer;
  readonly kind: FileKind;
  /** Where reading goes on after it. */
  readonly nextOffset: number;
}

/** Fills a buffer with as many names as fit into what the kernel asks for. Their inodes are what a listing says of them (`d_ino`). */
export class ListingEncoder {
  readonly #out: Buffer;
  readonly #end: number;
  #at = PAYLOAD;
  #reserved = PAYLOAD;

  /** @param sizeBytes what the kernel has room for */
  constructor(out: Buffer, sizeBytes: number) {
    this.#out = out;
    this.#end = PAYLOAD + Math.min(sizeBytes, out.length - PAYLOAD);
  }

  get payloadBytes(): number {
    return this.#at - PAYLOAD;
  }

  /** Keeps room for a name; READDIRPLUS has an entry before it. @returns whether there is any */
  reserve(name: Buffer, withEntry: boolean): boolean {
    const end = this.#reserved + (withEntry ? ENTRY_BYTES : 0) + direntBytes(name);
    if (end > this.#end) return false;
    this.#reserved = end;
    return true;
  }

  /** READDIR: `struct fuse_dirent`. */
  add({ name, kind, nextOffset }: ListedName, inode: number): void {
    const out = this.#out;
    const at = this.#at;
    const sizeBytes = direntBytes(name);
    const view = outputView(out);
    setInode(view, at, inode);
    setU64(view, at + 8, nextOffset);
    setU32(view, at + 16, name.length);
    setU32(view, at + 20, TYPE_BITS[kind] >> 12);
    name.copy(out, at + DIRENT_BYTES);
    out.fill(0, at + DIRENT_BYTES + name.length, at + sizeBytes);
    this.#at += sizeBytes;
  }

  /** READDIRPLUS: `struct fuse_direntplus`. */
  addWithEntry(listed: ListedName, node: ToldNode, info: NodeInfo): void {
    entryAt(this.#out, this.#at, node, info);
    this.#at += ENTRY_BYTES;
    this.add(listed, node.inode);
  }

  /** The same without an entry: the kernel asks for it when it needs it. */
  addWithoutEntry(listed: ListedName, inode: number): void {
    this.#out.fill(0, this.#at, this.#at + ENTRY_BYTES);
    this.#at += ENTRY_BYTES;
    this.add(listed, inode);
  }
}

function direntBytes(name: Buffer): number {
  return (DIRENT_BYTES + name.length + 7) & ~7;
}
