/** Whether a text can be the name of an entry of a folder at all, and leads nowhere else. */
export function isEntryName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0');
}
