/** Looks into the docs folder in its argument while it may have few files open, and prints as JSON what came of it. */
import { closeSync, openSync } from 'node:fs';
import { reasonOf } from '../../src/core/errors.ts';
import { openDocsRoot } from '../../src/source/docs-root.ts';
import { scan } from '../../src/source/scan.ts';
import { readText } from './docs-fixture.ts';

const [, , folder = ''] = process.argv;
const root = openDocsRoot(folder, { report: () => {} });
const fresh = openDocsRoot(folder, { report: () => {} });
const taken: number[] = [];

function takeAll(): void {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    // There are no more.
  }
}

function give(count: number): void {
  for (const descriptor of taken.splice(-count)) closeSync(descriptor);
}

function tried(look: () => unknown): unknown {
  try {
    return look();
  } catch (error) {
    return reasonOf(error);
  }
}

const folders = root.list('').map(({ name }) => name);
function readAll(): string[] {
  return folders.map(
    (name) => `${root.list(name).map((entry) => entry.name)}: ${readText(root, `${name}/x.md`)}`,
  );
}

takeAll();
give(20);
const withFew = tried(readAll);
takeAll();
// The first look has given up what was kept open.
tried(() => root.list('f0'));
takeAll();
const withNone = [tried(() => root.list('f0')), tried(() => [...scan(root)].length)];
give(1);
// Enough for the folder, and not for its ignore file.
const withOne = tried(() => fresh.stat('f0/hidden.md').kind);
give(taken.length);
const afterwards = {
  read: tried(readAll),
  scanned: [...scan(root)].map(({ path }) => path),
  hidden: tried(() => fresh.stat('f0/hidden.md').kind),
};
process.stdout.write(JSON.stringify({ withFew, withNone, withOne, afterwards }));
