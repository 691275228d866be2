const PLAIN_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_ .+@-]{0,99}$/u;

/** Whether a docs root may have this name. It is a part of the path of each document, so it has to be plain. */
export function isRootName(name: string): boolean {
  return PLAIN_NAME.test(name) && !name.endsWith(' ');
}

/** Why a docs root may not have a name that {@link isRootName} denies. */
export function noRootName(name: string): string {
  return `"${name}" cannot be the name of a docs root; a name has letters, digits, spaces and . _ - + @, with none of these but _ at its beginning and no space at its end`;
}
