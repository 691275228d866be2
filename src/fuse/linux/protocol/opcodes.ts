/** `enum fuse_opcode` of fuse_kernel.h, version 7.38: those that the driver knows. */
export const OPCODE = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  setattr: 4,
  readlink: 5,
  symlink: 6,
  mknod: 8,
  mkdir: 9,
  unlink: 10,
  rmdir: 11,
  rename: 12,
  link: 13,
  open: 14,
  read: 15,
  write: 16,
  statfs: 17,
  release: 18,
  fsync: 20,
  setxattr: 21,
  getxattr: 22,
  listxattr: 23,
  removexattr: 24,
  flush: 25,
  init: 26,
  opendir: 27,
  readdir: 28,
  releasedir: 29,
  fsyncdir: 30,
  create: 35,
  interrupt: 36,
  destroy: 38,
  batchForget: 42,
  fallocate: 43,
  readdirplus: 44,
  rename2: 45,
  lseek: 46,
  copyFileRange: 47,
} as const;

export type Operation = keyof typeof OPCODE;

const NAMES: ReadonlyMap<number, Operation> = new Map(
  Object.keys(OPCODE)
    .filter(isOperation)
    .map((name) => [OPCODE[name], name]),
);

/** The operation of a number; undefined for one that the driver does not know. */
export function operationOf(opcode: number): Operation | undefined {
  return NAMES.get(opcode);
}

function isOperation(name: string): name is Operation {
  return Object.hasOwn(OPCODE, name);
}
