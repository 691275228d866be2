import { childOf, ROOT, type VfsPath } from '../../core/paths.ts';
import type { NodeInfo } from '../../core/resolver.ts';
import { inodeOf, ROOT_INODE } from './inode-number.ts';
import { tellable } from './live-bytes.ts';

/** One name of a node: what the kernel calls a dentry. */
export interface Place {
  readonly folder: Node;
  readonly name: string;
}

/** What the kernel knows under one node number: a file, one version of a file, a folder or a link. */
export class Node {
  readonly id: number;
  /** `st_ino`: the same for all versions of a file. */
  readonly inode: number;
  /** What the kernel was last told about it. The size of a live file includes what was written through the kernel since. */
  info: NodeInfo;
  /** Of a live file: its state at a moment since when the kernel has read all that it holds of the bytes, or has had it written through itself. */
  bytesAsOf: NodeInfo;
  /** How many notices are on their way that make the kernel drop its bytes. */
  invalidating = 0;
  /** Whether it was ever open to be written to, so that the kernel may have pages that it was not given. */
  hadWriter = false;
  /** Of a live file that was: when it was last found at an open to have bytes that others wrote, on the clock of `performance.now()`. */
  othersWroteMs = Number.NEGATIVE_INFINITY;
  /** The kernel's count of references: how often it was given the node, less how often it gave it back. */
  lookUps = 0;
  /** How many handles are open. */
  openings = 0;
  /** Whether the kernel has read bytes of it: only then can a program have a page mapped where the disk has a hole. */
  wasRead = false as boolean;
  /** The version of which the kernel was given all bytes ahead. It may have dropped them since. */
  given: string | undefined;
  /** While it is open: the number of the backing file that the kernel reads instead of asking. */
  backing: number | undefined;
  /** The name by which it was found last. Older names may be gone without notice: it comes late, or never if the folder around them went first. */
  place: Place | undefined;
  /** The last name of a node that has none any more. */
  lastPlace: Place | undefined;
  /** Whether its last name was removed through this mount, and not only lost to somebody else's change, after which it may have another. */
  isRemoved = false as boolean;
  /** The further names of a file that has several. */
  otherPlaces: Place[] | undefined;
  /** Of a folder: the nodes in it that the kernel knows, by name. */
  children: Map<string, Node> | undefined;
  /** Of a folder: the names that the kernel was told do not exist. */
  missed: Set<string> | undefined;
  /** Of a folder: a digest of the names in the last listing that the kernel got and may have kept; see listing.ts. */
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
 * All nodes that the kernel knows, by number and by name. A number is never used again. When a file changes, its new version becomes a new
 * node, so that whoever reads the old version keeps its pages; the old node loses its name and lives on until the kernel gives it back.
 */
export class NodeTable {
  readonly root: Node;
  readonly #byId = new Map<number, Node>();
  /** Nodes that bring an inode number of their own, which does not depend on their name. */
  readonly #byInode = new Map<number, Node>();
  /** Folders whose inode number is derived from a path: the one by which they were first found. */
  readonly #foldersByInode = new Map<number, Node>();
  #lastId: number;
  /** The names in `missed` of all folders together. */
  #missed = 0;

  /** @param before how many numbers are left out between that of the root and the first one */
  constructor(root: NodeInfo, before = 0) {
    this.#lastId = ROOT_ID + before;
    this.root = new Node(ROOT_ID, ROOT_INODE, root);
    this.#byId.set(ROOT_ID, this.root);
  }

  /** The number of nodes, with the root. */
  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Node | undefined {
    return this.#byId.get(id);
  }

  /** @returns undefined for a node that has no name any more */
  pathOf(node: Node): VfsPath | undefined {
    if (node === this.root) return ROOT;
    if (node.place === undefined) return undefined;
    const folder = this.pathOf(node.place.folder);
    return folder === undefined ? undefined : childOf(folder, node.place.name);
  }

  /** The path of a node, or the one it had last; undefined if the folder around it has no name. */
  lastPathOf(node: Node): VfsPath | undefined {
    const place = node.place ?? node.lastPlace;
    const folderPath = place && this.pathOf(place.folder);
    return folderPath && childOf(folderPath, place.name);
  }

  /** The same, where each folder on the way may have lost its name too. */
  formerPathOf(node: Node): VfsPath | undefined {
    if (node === this.root) return ROOT;
    const place = node.place ?? node.lastPlace;
    const folderPath = place && this.formerPathOf(place.folder);
    return folderPath && childOf(folderPath, place.name);
  }

  /**
   * The node for what a name leads to now: the one that the kernel knows by this name, unless that is another file or version by now.
   * If this is a look-up, the caller has to count it.
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

  /** The inode number for a name. The first choice may be taken by a folder that was renamed: programs take two folders of one number, one in the other, for a loop. */
  newInode(folder: Node, name: string, info: Pick<NodeInfo, 'kind' | 'inode'>): number {
    const inode = inodeOf(folder.inode, name, info);
    const isTaken = info.kind === 'directory' && this.#foldersByInode.get(inode)?.place !== undefined;
    // No real name ends with a slash.
    return isTaken ? this.newInode(folder, `${name}/`, info) : inode;
  }

  /** Notes that the kernel will be told that a name does not exist. @returns whether it may be told: if too many are noted, it has to ask each time */
  noteMissed(folder: Node, name: string): boolean {
    if (folder.missed?.has(name)) return true;
    if (this.#missed >= MAX_MISSED) return false;
    this.#missed += 1;
    folder.missed ??= new Set();
    folder.missed.add(name);
    return true;
  }

  /** Notes that the kernel no longer believes that a name is missing. */
  forgetMissed(folder: Node, name: string): void {
    if (!folder.missed?.delete(name)) return;
    this.#missed -= 1;
    if (folder.missed.size === 0) folder.missed = undefined;
  }

  /** Removes a name. The node stays until the kernel gives it back. */
  removeName(folder: Node, name: string): void {
    const node = folder.children?.get(name);
    if (node === undefined) return;
    deleteChild(folder, name);
    this.#dropPlace(node, folder, name);
  }

  /** What unlink(2) and rmdir(2) do to names. */
  remove(folder: Node, name: string): void {
    const node = folder.children?.get(name);
    this.removeName(folder, name);
    if (node !== undefined) node.isRemoved = node.place === undefined;
  }

  /** What rename(2) does to names; the kernel keeps the nodes. */
  move(folder: Node, name: string, newFolder: Node, newName: string): void {
    const node = folder.children?.get(name);
    const replaced = newFolder.children?.get(newName);
    this.forgetMissed(newFolder, newName);
    // rename(2) of one name of a file to another name of it does nothing.
    if (node !== undefined && node === replaced) return;
    this.remove(newFolder, newName);
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

  /** Counts look-ups down that the kernel gives back; with the last of them the node goes. */
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
    // The kernel may still know the nodes in it by other names. If it looks the folder up again, that will be another node, which takes part in renames and removals.
    for (const [name, child] of node.children ?? []) this.#dropPlace(child, node, name);
    node.children = undefined;
  }

  /** The node of the same file under another name. */
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
    node.isRemoved = false;
  }

  /** Makes the name by which a node was found the first of its names. */
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

/** All names of a node. */
export function placesOf(node: Node): Place[] {
  return [...(node.place ? [node.place] : []), ...(node.otherPlaces ?? [])];
}

function deleteChild(folder: Node, name: string): void {
  if (folder.children?.delete(name) && folder.children.size === 0) folder.children = undefined;
}

/** Whether what stands at a node's path now is still that node. The root always is. */
export function isStill(node: Node, now: NodeInfo): boolean {
  return node.id === ROOT_ID || isSame(node.info, now);
}

/** Whether two looks saw the same file in the same version, so that the kernel may keep what it has of it. */
function isSame(known: NodeInfo, now: NodeInfo): boolean {
  if (known.kind !== now.kind || known.inode !== now.inode || known.version !== now.version) return false;
  // A disk gives the number of a removed file to a new one.
  if (known.disk?.bornNs !== now.disk?.bornNs) return false;
  // The kernel caches the texts of links. A link of a disk has an inode number and never changes its text; any other one may.
  return (
    now.kind !== 'link' ||
    now.inode !== undefined ||
    (known.modifiedNs === now.modifiedNs && known.sizeBytes === now.sizeBytes)
  );
}
