import { renameSync } from 'node:fs';

/**
 * Run as a program: keeps putting something else in the place of a file or folder and back again, as one who can write
 * to the docs folder might. Arguments: rounds, then pairs of a path and what takes its place.
 */
const [rounds = '0', ...pairs] = process.argv.slice(2);
process.stdout.write('ready\n');
for (let round = 0; round < Number(rounds); round += 1) {
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [path = '', other = ''] = pairs.slice(at, at + 2);
    renameSync(path, `${path}-aside`);
    renameSync(other, path);
    renameSync(path, other);
    renameSync(`${path}-aside`, path);
  }
}
