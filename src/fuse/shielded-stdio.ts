/**
 * The standard streams of a child: nothing in, and its output (1) or its errors (2) to be read. Each hidden descriptor is replaced by a closed pipe:
 * one of /dev/fuse that a child inherits would keep the connection alive after us.
 */
export function shieldedStdio(read: 1 | 2, hidden: readonly number[]): ('ignore' | 'pipe')[] {
  const stdio: ('ignore' | 'pipe')[] = [
    'ignore',
    read === 1 ? 'pipe' : 'ignore',
    read === 2 ? 'pipe' : 'ignore',
  ];
  for (let descriptor = stdio.length; descriptor <= Math.max(...hidden, 2); descriptor += 1) {
    stdio.push(hidden.includes(descriptor) ? 'pipe' : 'ignore');
  }
  return stdio;
}
