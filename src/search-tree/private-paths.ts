const OF_OWNER = ['/context/', '/graph/memory/', '/modules/'];

/** Whether only the owner may read a path of the mount. The same then goes for everything that shows its content. */
export function isOfOwner(path: string): boolean {
  return OF_OWNER.some((folder) => path.startsWith(folder));
}
