import { renameSync, symlinkSync, unlinkSync } from 'node:fs';

/**
 * Run as a program: keeps swapping a file or folder for a link of the same name, as one who can write to the docs
 * folder might. Arguments: rounds, then pairs of a path and what its link leads to.
 */
const [rounds = '0', ...pairs] = process.argv.slice(2);
process.stdout.write('ready\n');
for (let round = 0; round < Number(rounds); round += 1) {
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [path = '', outside = ''] = pairs.slice(at, at + 2);
    renameSync(path, `${path}-aside`);
    symlinkSync(outside, path);
    unlinkSync(path);
    renameSync(`${path}-aside`, path);
  }
}
