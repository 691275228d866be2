import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { NOTHING, type Seen, seenIn, textOf } from './versioned-text.ts';

/** Where writers and readers work. */
export interface Places {
  /** The docs root itself. */
  readonly docs: string;
  /** A folder of the same filesystem that nobody reads. */
  readonly staging: string;
  /** The mount of the readers. */
  readonly mount: string;
  /** Another mount of the same state folder. */
  readonly other: string;
}

/** A way in which something changes while it is read. */
export interface Race {
  /** When a reader has to see what was published before it opened. */
  readonly seen: 'at once' | 'soon';
  /** Whether there is one version or the other at any time, also while it is written. */
  readonly isAtomic: boolean;
  /** How often a version changes what the name leads to. Default: 1. */
  readonly changesEach?: number;
  /** How many versions stay: a reader who is held up for longer finds nothing. Default: all that it may ask for. */
  readonly keeps?: number;
  /** Makes a version: the next one after the last. */
  write(places: Places, version: number): void;
  /** @param version one that was published */
  read(places: Places, version: number): Seen;
}

const READ_BYTES = 16 << 10;
/** Files of versions that stay. */
const KEPT = 40;

/** As cat(1) does it, with the size before. */
function readFile(path: string): Seen {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if (isMissing(error)) return NOTHING;
    throw error;
  }
  try {
    const { size } = fstatSync(descriptor);
    const chunks: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.alloc(READ_BYTES);
      const count = readSync(descriptor, chunk);
      if (count === 0) return seenIn(Buffer.concat(chunks), size);
      chunks.push(chunk.subarray(0, count));
    }
  } finally {
    closeSync(descriptor);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function replace({ staging }: Places, target: string, text: string, modifiedS?: number): void {
  const file = join(staging, 'next');
  writeFileSync(file, text);
  if (modifiedS !== undefined) utimesSync(file, modifiedS, modifiedS);
  renameSync(file, target);
}

function overwrite(path: string, text: string): void {
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, text, 0);
  closeSync(descriptor);
}

/** A version in six digits, for names that are all of one length. */
function named(prefix: string, version: number): string {
  return `${prefix}-${String(version).padStart(6, '0')}.txt`;
}

const numberIn = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0);

const memoryFile = (mount: string): string => join(mount, 'context/memory/fact/raced');

export const RACES: Readonly<Record<string, Race>> = {
  'a document is edited in place and keeps its size': {
    seen: 'at once',
    isAtomic: false,
    write({ docs }, version) {
      const file = join(docs, 'edited.txt');
      if (version === 1) writeFileSync(file, textOf(1, 'same'));
      else overwrite(file, textOf(version, 'same'));
    },
    read: ({ mount }) => readFile(join(mount, 'docs/edited.txt')),
  },
  'the last of three documents that are read in a row is edited': {
    seen: 'at once',
    isAtomic: false,
    write({ docs }, version) {
      const folder = join(docs, 'row');
      const last = join(folder, 'c.txt');
      if (version > 1) {
        overwrite(last, textOf(version, 'same'));
        return;
      }
      mkdirSync(folder);
      for (const name of ['a.txt', 'b.txt']) writeFileSync(join(folder, name), name);
      writeFileSync(last, textOf(1, 'same'));
    },
    read({ mount }) {
      const folder = join(mount, 'docs/row');
      const names = readdirSync(folder);
      for (const name of names.slice(0, -1)) closeSync(openSync(join(folder, name), 'r'));
      return readFile(join(folder, 'c.txt'));
    },
  },
  'a document is replaced by another file': {
    seen: 'at once',
    isAtomic: true,
    write: (places, version) =>
      replace(
        places,
        join(places.docs, 'replaced.txt'),
        textOf(version, version % 3 === 0 ? 'other' : 'same'),
      ),
    read: ({ mount }) => readFile(join(mount, 'docs/replaced.txt')),
  },
  'a document is cut and written again': {
    seen: 'at once',
    isAtomic: false,
    write: ({ docs }, version) => writeFileSync(join(docs, 'cut.txt'), textOf(version, 'other')),
    read: ({ mount }) => readFile(join(mount, 'docs/cut.txt')),
  },
  'a document is deleted and created anew': {
    seen: 'at once',
    isAtomic: false,
    changesEach: 2,
    write(places, version) {
      const file = join(places.docs, 'anew.txt');
      rmSync(file, { force: true });
      replace(places, file, textOf(version, 'other'));
    },
    read: ({ mount }) => readFile(join(mount, 'docs/anew.txt')),
  },
  'a document appears where one was looked for': {
    seen: 'at once',
    isAtomic: true,
    keeps: KEPT,
    write(places, version) {
      replace(places, join(places.docs, named('new', version)), textOf(version, 'other'));
      rmSync(join(places.docs, named('new', version - KEPT)), { force: true });
    },
    read({ mount }, version) {
      const there = join(mount, 'docs', named('new', version));
      for (const next of [1, 2, 3]) {
        statSync(join(mount, 'docs', named('new', version + next)), { throwIfNoEntry: false });
        readFile(join(mount, 'docs', named('new', version + next)));
      }
      const { mtimeMs = 0 } = statSync(there, { throwIfNoEntry: false }) ?? {};
      return mtimeMs === 0 ? NOTHING : readFile(there);
    },
  },
  'a folder is renamed and another takes its name': {
    seen: 'at once',
    isAtomic: false,
    changesEach: 2,
    write({ docs, staging }, version) {
      const next = join(staging, 'folder');
      mkdirSync(next);
      writeFileSync(join(next, 'inside.txt'), textOf(version, 'same'));
      if (version > 1) renameSync(join(docs, 'folder'), join(docs, 'before'));
      renameSync(next, join(docs, 'folder'));
      rmSync(join(docs, 'before'), { recursive: true, force: true });
    },
    read: ({ mount }) => readFile(join(mount, 'docs/folder/inside.txt')),
  },
  'a link is made to lead to another document': {
    seen: 'at once',
    isAtomic: true,
    keeps: KEPT,
    write(places, version) {
      const { docs, staging } = places;
      replace(places, join(docs, named('target', version)), textOf(version, 'same'));
      symlinkSync(named('target', version), join(staging, 'link'));
      renameSync(join(staging, 'link'), join(docs, 'link.txt'));
      rmSync(join(docs, named('target', version - KEPT)), { force: true });
    },
    read: ({ mount }) => readFile(join(mount, 'docs/link.txt')),
  },
  'a document becomes a link, and a document again': {
    seen: 'at once',
    isAtomic: true,
    keeps: KEPT,
    write(places, version) {
      const { docs, staging } = places;
      const name = join(docs, 'either.txt');
      if (version % 2 === 1) replace(places, name, textOf(version, 'same'));
      else {
        replace(places, join(docs, named('led', version)), textOf(version, 'same'));
        symlinkSync(named('led', version), join(staging, 'link'));
        renameSync(join(staging, 'link'), name);
        rmSync(join(docs, named('led', version - KEPT)), { force: true });
      }
    },
    read: ({ mount }) => readFile(join(mount, 'docs/either.txt')),
  },
  'documents are listed while they come and go': {
    seen: 'soon',
    isAtomic: true,
    write({ docs }, version) {
      mkdirSync(join(docs, 'listed'), { recursive: true });
      writeFileSync(join(docs, 'listed', named('one', version)), '');
      if (version > 1) unlinkSync(join(docs, 'listed', named('one', version - 1)));
    },
    read({ mount }) {
      const versions = readdirSync(join(mount, 'docs/listed')).map(numberIn);
      return { version: Math.max(0, ...versions) };
    },
  },
  'the time of a document is asked for': {
    seen: 'soon',
    isAtomic: true,
    write: (places, version) => replace(places, join(places.docs, 'timed.txt'), '', version),
    read({ mount }) {
      const { mtimeMs } = statSync(join(mount, 'docs/timed.txt'));
      return { version: mtimeMs / 1000 };
    },
  },
  'another process writes to memory through the same mount': {
    seen: 'at once',
    isAtomic: false,
    write: ({ mount }, version) => writeFileSync(memoryFile(mount), textOf(version, 'other')),
    read: ({ mount }) => readFile(memoryFile(mount)),
  },
  'another mount writes to memory': {
    seen: 'soon',
    isAtomic: false,
    write: ({ other }, version) => writeFileSync(memoryFile(other), textOf(version, 'same')),
    read: ({ mount }) => readFile(memoryFile(mount)),
  },
  'the graph is made anew from a document': {
    seen: 'soon',
    isAtomic: true,
    write: (places, version) =>
      replace(
        places,
        join(places.docs, 'charge.md'),
        `# Charge\n\nVersion ${version} of a Charge is no other than ${version}.\n`,
      ),
    read({ mount }) {
      const page = join(mount, 'graph/nodes/Charge');
      let text: string;
      try {
        text = pageText(page);
      } catch (error) {
        if (isMissing(error)) return NOTHING;
        throw error;
      }
      const [, first, second] = /Version (\d+) of a Charge is no other than (\d+)/.exec(text) ?? [];
      const isWhole = first === second && text.endsWith('}\n');
      return { version: Number(first ?? 0), ...(isWhole ? {} : { flaw: text }) };
    },
  },
};

function pageText(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(READ_BYTES);
    return chunk.toString('utf8', 0, readSync(descriptor, chunk));
  } finally {
    closeSync(descriptor);
  }
}
