/** The first letters and digits of the words of a name, in capitals: `WAL` of `write-ahead log`. */
export function initialsOf(name: string): string {
  return (name.match(/[\p{L}\d]+/gu) ?? []).map((word) => word.charAt(0).toUpperCase()).join('');
}
