/** Long enough that half of it would be seen to be half. */
const LINES = 300;

export function noteText(name: string, number: number): string {
  return `${name} notes ${number}\n`.repeat(LINES);
}

export function sharedText(name: string, number: number): string {
  return `${name} shares ${number}\n`.repeat(LINES);
}
