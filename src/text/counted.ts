/** A count with its noun: `1 document`, `2 documents`, `3 entries`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
