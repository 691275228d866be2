import { childOf, ROOT, type VfsPath } from '../../core/paths.ts';
import type { NodeInfo } from '../../core/resolver.ts';
import { inodeOf, ROOT_INODE } from './inode-number.ts';

/** A name of a node: what the kernel calls a dentry. */
export interface Place {
  readonly folder: Node;
  readonly name: string;
}

/** What the kernel knows under one number: a file, one version of a file, a folder or a link. */
export class Node {
  readonly id: number;
  /** `st_ino`: the same for all versions of a file. */
  readonly inode: number;
  /** What the kernel was told of it last; of a live file with the size that writes through the kernel have given it since. */
  info: NodeInfo;
  /** Of a live file: all that the kernel has of its bytes is from then or later, or was written through the kernel. */
  bytesAsOf: NodeInfo;
  /** How many notices are on the way by which the kernel lets go of its bytes. */
  forgetting = 0;
  /** How often the kernel was given it and has not yet given it back. */
  lookUps = 0;
  /** Handles that are open. */
  openings = 0;
  /** Whether the kernel asked for bytes of it: only such pages can be mapped where the disk has a hole. */
  wasRead = false as boolean;
  /** The version whose bytes the kernel was given, all of them. It may have let go of them since. */
  given: string | undefined;
  /** While it is open: what the kernel reads instead of asking, by its number. */
  backing: number | undefined;
  /** Where it was found last: the names of before may be gone, and nobody may have told yet, or ever will where the folder around them went first. */
  place: Place | undefined;
  /** Of what has no name any more: the last one. */
  lastPlace: Place | undefined;
  /** Of a file with several names. */
  otherPlaces: Place[] | undefined;
  /** Of a folder: nodes by their names, as far as the kernel knows them. */
  children: Map<string, Node> | undefined;
  /** Of a folder: names that the kernel was told are not there. */
  missed: Set<string> | undefined;
  /** Of a folder: stands for the names that the kernel was listed, of which it may have kept a listing; see listing.ts. */
  listed: number | undefined;

  constructor(id: number, inode: number, info: NodeInfo) {
    this.id = id;
    this.inode = inode;
    this.info = info;
    this.bytesAsOf = info;
  }
}

const MAX_MISSED = 10_000;

/** The kernel's number of the root: FUSE_ROOT_ID. */
export const ROOT_ID = 1;

/**
 * All nodes that the kernel knows, by number and by name. A number is never given out twice. A file whose bytes are another version now is
 * another node, so that who reads the old one keeps its pages; the old one has no name any more and lives until the kernel gives it back.
 */
export class NodeTable {
  readonly root: Node;
  readonly #byId = new Map<number, Node>();
  /** Of files that have a number of their own, whatever they are called. */
  readonly #byInode = new Map<number, Node>();
  /** Folders whose number follows from a path: that by which they were found first. */
  readonly #foldersByInode = new Map<number, Node>();
  #lastId = ROOT_ID;
  /** Of all folders together. */
  #missed = 0;

  constructor(root: NodeInfo) {
    this.root = new Node(ROOT_ID, ROOT_INODE, root);
    this.#byId.set(ROOT_ID, this.root);
  }

  /** As many as the kernel knows, the root among them. */
  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Node | undefined {
    return this.#byId.get(id);
  }

  /** @returns undefined for what has no name any more */
  pathOf(node: Node): VfsPath | undefined {
    if (node === this.root) return ROOT;
    if (node.place === undefined) return undefined;
    const folder = this.pathOf(node.place.folder);
    return folder === undefined ? undefined : childOf(folder, node.place.name);
  }

  /** Where a node is, or was when it still had a name. */
  lastPathOf(node: Node): VfsPath | undefined {
    const place = node.place ?? node.lastPlace;
    const folderPath = place && this.pathOf(place.folder);
    return folderPath && childOf(folderPath, place.name);
  }

  /** The way to a node as it was when it, and each folder on it, still had a name. */
  formerPathOf(node: Node): VfsPath | undefined {
    if (node === this.root) return ROOT;
    const place = node.place ?? node.lastPlace;
    const folderPath = place && this.formerPathOf(place.folder);
    return folderPath && childOf(folderPath, place.name);
  }

  /**
   * The node for what a name leads to now. It is the one that the kernel knows, unless that was something else or another version.
   * The caller notes the look-up, if it is one.
   */
  enter(folder: Node, name: string, info: NodeInfo): Node {
    this.forgetMissed(folder, name);
    const known = folder.children?.get(name);
    if (known !== undefined && isSame(known.info, info)) {
      known.info = tellable(known, info);
      this.#foundAt(known, folder, name);
      return known;
    }
    if (known !== undefined) this.removeName(folder, name);
    const node = this.#elsewhere(info) ?? this.#make(folder, name, info);
    this.#addName(node, folder, name);
    return node;
  }

  /** The number of what has a name now. A folder that was renamed keeps its own: two of one number, one in the other, are a loop to programs, which leave it out. */
  newInode(folder: Node, name: string, info: Pick<NodeInfo, 'kind' | 'inode'>): number {
    const inode = inodeOf(folder.inode, name, info);
    const isTaken = info.kind === 'directory' && this.#foldersByInode.get(inode)?.place !== undefined;
    // No name has a slash.
    return isTaken ? this.newInode(folder, `${name}/`, info) : inode;
  }

  /**
   * Notes that the kernel is told of a name that it is not there.
   * @returns whether it may be: so many are remembered, and what is asked for beyond is asked for each time
   */
  noteMissed(folder: Node, name: string): boolean {
    if (folder.missed?.has(name)) return true;
    if (this.#missed >= MAX_MISSED) return false;
    this.#missed += 1;
    folder.missed ??= new Set();
    folder.missed.add(name);
    return true;
  }

  /** The kernel does not take a name for missing any more. */
  forgetMissed(folder: Node, name: string): void {
    if (!folder.missed?.delete(name)) return;
    this.#missed -= 1;
    if (folder.missed.size === 0) folder.missed = undefined;
  }

  /** Takes a name away. The node stays until the kernel gives it back. */
  removeName(folder: Node, name: string): void {
    const node = folder.children?.get(name);
    if (node === undefined) return;
    deleteChild(folder, name);
    this.#dropPlace(node, folder, name);
  }

  /** What rename(2) does to names; the kernel keeps the nodes. */
  move(folder: Node, name: string, newFolder: Node, newName: string): void {
    const node = folder.children?.get(name);
    const replaced = newFolder.children?.get(newName);
    this.forgetMissed(newFolder, newName);
    // Two names of one file stay as they are; the system call has done nothing.
    if (node !== undefined && node === replaced) return;
    this.removeName(newFolder, newName);
    if (node === undefined) return;
    this.removeName(folder, name);
    this.#addName(node, newFolder, newName);
  }

  /** What RENAME_EXCHANGE does to names. */
  exchange(folder: Node, name: string, newFolder: Node, newName: string): void {
    const one = folder.children?.get(name);
    const other = newFolder.children?.get(newName);
    this.removeName(folder, name);
    this.removeName(newFolder, newName);
    if (one !== undefined) this.#addName(one, newFolder, newName);
    if (other !== undefined) this.#addName(other, folder, name);
  }

  /** Notes that the kernel gives look-ups back. */
  forget(id: number, lookUps: number): void {
    const node = this.#byId.get(id);
    if (node === undefined || node === this.root) return;
    node.lookUps -= lookUps;
    if (node.lookUps > 0) return;
    this.#byId.delete(id);
    this.#missed -= node.missed?.size ?? 0;
    if (node.info.inode !== undefined && this.#byInode.get(node.info.inode) === node) {
      this.#byInode.delete(node.info.inode);
    }
    if (this.#foldersByInode.get(node.inode) === node) this.#foldersByInode.delete(node.inode);
    for (const place of placesOf(node)) {
      if (place.folder.children?.get(place.name) === node) deleteChild(place.folder, place.name);
    }
    node.place = undefined;
    node.otherPlaces = undefined;
    // What is in it the kernel may know by other names still. The folder that it looks up next is another node, and that one is renamed and removed.
    for (const [name, child] of node.children ?? []) this.#dropPlace(child, node, name);
    node.children = undefined;
  }

  /** The same file under another name. */
  #elsewhere(info: NodeInfo): Node | undefined {
    const node = info.inode === undefined ? undefined : this.#byInode.get(info.inode);
    if (node === undefined || !isSame(node.info, info)) return undefined;
    node.info = tellable(node, info);
    return node;
  }

  #make(folder: Node, name: string, info: NodeInfo): Node {
    this.#lastId += 1;
    const node = new Node(this.#lastId, this.newInode(folder, name, info), info);
    this.#byId.set(node.id, node);
    if (info.inode !== undefined) this.#byInode.set(info.inode, node);
    else if (info.kind === 'directory') this.#foldersByInode.set(node.inode, node);
    return node;
  }

  #addName(node: Node, folder: Node, name: string): void {
    folder.children ??= new Map();
    folder.children.set(name, node);
    if (node.place !== undefined) {
      node.otherPlaces ??= [];
      node.otherPlaces.push(node.place);
    }
    node.place = { folder, name };
  }

  /** One of the names that a node has is the one to go by. */
  #foundAt(node: Node, folder: Node, name: string): void {
    const { place, otherPlaces } = node;
    const index = otherPlaces?.findIndex((other) => other.folder === folder && other.name === name) ?? -1;
    const found = otherPlaces?.[index];
    if (place === undefined || otherPlaces === undefined || found === undefined) return;
    node.place = found;
    otherPlaces[index] = place;
  }

  #dropPlace(node: Node, folder: Node, name: string): void {
    const isThis = (place: Place): boolean => place.folder === folder && place.name === name;
    const others = node.otherPlaces?.filter((place) => !isThis(place)) ?? [];
    if (node.place !== undefined && isThis(node.place)) {
      node.lastPlace = node.place;
      node.place = others.shift();
    }
    node.otherPlaces = others.length === 0 ? undefined : others;
  }
}

function placesOf(node: Node): Place[] {
  return [...(node.place ? [node.place] : []), ...(node.otherPlaces ?? [])];
}

function deleteChild(folder: Node, name: string): void {
  if (folder.children?.delete(name) && folder.children.size === 0) folder.children = undefined;
}

/** As {@link isSame}, of what a node is now. The root is never another. */
export function isStill(node: Node, now: NodeInfo): boolean {
  return node.id === ROOT_ID || isSame(node.info, now);
}

/** Whether the kernel may keep what it has of a node: it is the same file, and the same version of it. */
function isSame(known: NodeInfo, now: NodeInfo): boolean {
  if (known.kind !== now.kind || known.inode !== now.inode || known.version !== now.version) return false;
  // The number of a removed file is another's by now.
  if (known.disk?.bornNs !== now.disk?.bornNs) return false;
  // The kernel keeps the texts of links; those of a disk are never changed, and have an inode.
  return (
    now.kind !== 'link' ||
    now.inode !== undefined ||
    (known.modifiedNs === now.modifiedNs && known.sizeBytes === now.sizeBytes)
  );
}

/** Whether a live file has the same bytes still, as far as size and time tell. */
export function hasSameBytes(before: NodeInfo, now: NodeInfo): boolean {
  return before.sizeBytes === now.sizeBytes && before.modifiedNs === now.modifiedNs;
}

/**
 * What may be told of a node as it is now. A live file that others made longer keeps its size until the kernel has let go of the page in which
 * it ended: a new size alone would have that page show NUL bytes behind the old end. What lies on a disk others seldom lengthen, and the kernel
 * does so in more ways than by writing.
 */
export function tellable({ info, bytesAsOf, forgetting }: Node, now: NodeInfo): NodeInfo {
  const isLive = now.kind === 'file' && now.version === undefined && now.disk === undefined;
  if (!isLive || now.inode !== info.inode || hasSameBytes(bytesAsOf, now)) return now;
  const most = forgetting > 0 ? info.sizeBytes : Math.max(info.sizeBytes, bytesAsOf.sizeBytes);
  const sizeBytes = Math.min(now.sizeBytes, most);
  return sizeBytes === now.sizeBytes ? now : { ...now, sizeBytes };
}
