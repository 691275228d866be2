/** The path with letter case ignored, and characters composed. */
export function foldCase(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Resolves `.` and `..`. @returns undefined if that leads above the root, except by the name of the root itself */
export function joinPath(folder: string, relative: string, rootName: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  let above = 0;
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.pop() === undefined) above += 1;
    } else if (above === 1 && part === rootName) above = 0;
    else parts.push(part);
  }
  return above > 0 ? undefined : parts.join('/');
}

/** The path from a folder to another path, as a link has it. */
export function relativePath(fromFolder: string, path: string): string {
  const from = fromFolder === '' ? [] : fromFolder.split('/');
  const to = path.split('/');
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common += 1;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}
