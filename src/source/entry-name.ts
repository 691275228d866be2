/** Whether a text can be the name of an entry in a folder, and leads nowhere else. */
export function isEntryName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0');
}
