const OF_OWNER = ['/context/', '/graph/memory/', '/modules/'];

/** Whether a path of the mount is its owner's alone, and so what shows it. */
export function isOfOwner(path: string): boolean {
  return OF_OWNER.some((folder) => path.startsWith(folder));
}
