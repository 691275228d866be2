/** All cases of the suite; long because it is a list of them, read from top to bottom. */

import type { Test } from 'tap';
import type { Ability, Change, ClientPath, FsClient } from './client.ts';
import { BIG_BYTES, bigContent, entryName, HOSTILE_NAMES, MANY_COUNT, MODIFIED_MS } from './fixture.ts';

/** One behaviour. `run` is for subjects with the abilities it needs; the others have to refuse as `otherwise` says. */
export interface Case {
  readonly name: string;
  readonly needs?: readonly Ability[];
  run(client: FsClient, t: Test): Promise<unknown>;
  otherwise?(client: FsClient, t: Test): Promise<unknown>;
}

/** Runs all cases; one that a subject can neither pass nor refuse is a skip that says why. */
export async function runSuite(t: Test, client: FsClient, cases: readonly Case[] = CASES): Promise<void> {
  for (const { name, needs = [], run, otherwise } of cases) {
    const missing = needs.filter((ability) => !client.abilities.has(ability));
    if (missing.length === 0) await t.test(name, async (t) => void (await run(client, t)));
    else if (otherwise) await t.test(`${name}: refused`, async (t) => void (await otherwise(client, t)));
    else await t.test(name, { skip: `needs ${missing.join(', ')}` }, async () => {});
  }
}

/** The errno's name that an attempt ends with. */
async function codeOf(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
    return 'success';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

/** A case about an error of reading. */
function fails(name: string, code: string, attempt: (client: FsClient) => Promise<unknown>): Case {
  return { name, run: async (client, t) => t.equal(await codeOf(attempt(client)), code) };
}

/** A case about a change: it is made and seen, or refused with EROFS. */
function changes(name: string, change: Change, seen: (client: FsClient, t: Test) => Promise<void>): Case {
  return {
    name,
    needs: ['changes'],
    async run(client, t) {
      await client.change(change);
      await seen(client, t);
    },
    otherwise: async (client, t) => t.equal(await codeOf(client.change(change)), 'EROFS'),
  };
}

/** A case about a change that cannot be, wherever one looks before one refuses. */
function cannot(name: string, change: Change, code: string): Case {
  return {
    name,
    needs: ['looks-first'],
    run: async (client, t) => t.equal(await codeOf(client.change(change)), code),
    async otherwise(client, t) {
      const answer = await codeOf(client.change(change));
      t.ok(answer === code || answer === 'EROFS', `${answer}`);
    },
  };
}

const there = (path: string, kind: string) => async (client: FsClient, t: Test) => {
  t.equal((await client.lstat(path)).kind, kind);
};
const gone = (path: string) => async (client: FsClient, t: Test) => {
  t.equal(await codeOf(client.lstat(path)), 'ENOENT');
};
const holds = (path: string, text: string) => async (client: FsClient, t: Test) => {
  t.equal(Buffer.from(await client.readFile(path)).toString(), text);
};

const READING: readonly Case[] = [
  {
    name: 'stat tells kinds, sizes and times',
    async run(client, t) {
      const file = { kind: 'file', modifiedMs: MODIFIED_MS };
      t.same(await client.lstat('/read/hello.txt'), { ...file, sizeBytes: 12 });
      t.same(await client.lstat('/read/empty'), { ...file, sizeBytes: 0 });
      t.same(await client.lstat('/read/big.bin'), { ...file, sizeBytes: BIG_BYTES });
      t.equal((await client.lstat('/read/nested')).kind, 'directory');
      t.match(await client.lstat('/read/link'), { kind: 'link', sizeBytes: 9 });
      t.equal((await client.lstat('/')).kind, 'directory');
    },
  },
  {
    name: 'stat follows links, lstat does not',
    async run(client, t) {
      t.match(await client.stat('/read/link'), { kind: 'file', sizeBytes: 12 });
      t.equal((await client.stat('/read/folder-link')).kind, 'directory');
      t.match(await client.stat('/read/up-link'), { kind: 'file', sizeBytes: 10 });
      t.equal((await client.lstat('/read/broken')).kind, 'link');
    },
  },
  {
    name: 'a link tells its target as it was written',
    async run(client, t) {
      t.equal(await client.readLink('/read/link'), 'hello.txt');
      t.equal(await client.readLink('/read/up-link'), '../names/with space');
      t.equal(await client.readLink('/read/broken'), 'nowhere');
    },
  },
  {
    name: 'a path may lead through a link to a folder',
    async run(client, t) {
      t.same(await client.list('/read/folder-link'), ['b']);
      t.equal(Buffer.from(await client.readFile('/read/folder-link/b/c.txt')).toString(), 'deep\n');
    },
  },
  {
    name: 'what is listed can be stated and opened',
    async run(client, t) {
      const names = await client.list('/read');
      t.same(names.toSorted(), [
        'big.bin',
        'broken',
        'empty',
        'folder-link',
        'hello.txt',
        'link',
        'loop',
        'nested',
        'pool',
        'up-link',
      ]);
      for (const name of names) {
        const { kind, sizeBytes } = await client.lstat(`/read/${name}`);
        if (kind === 'file') t.equal((await client.readFile(`/read/${name}`)).length, sizeBytes, name);
      }
    },
  },
  {
    name: 'a read gives what lies at its position, and nothing past the end',
    async run(client, t) {
      const at = async (position: number, sizeBytes: number) =>
        Buffer.from(await client.readAt('/read/hello.txt', position, sizeBytes)).toString();
      t.equal(await at(0, 5), 'hello');
      t.equal(await at(6, 100), 'world\n');
      t.equal(await at(11, 1), '\n');
      t.equal(await at(12, 10), '');
      t.equal(await at(1e12, 10), '');
    },
  },
  {
    name: 'an empty file reads as nothing',
    run: async (client, t) => t.equal((await client.readFile('/read/empty')).length, 0),
  },
  {
    name: 'a file of a mebibyte and a byte keeps every byte in its place',
    async run(client, t) {
      const expected = bigContent();
      t.ok(expected.equals(await client.readFile('/read/big.bin')));
      for (const position of [0, 4095, 131_071, 131_072, 700_001, BIG_BYTES - 10]) {
        const part = await client.readAt('/read/big.bin', position, 200_000);
        t.ok(expected.subarray(position, position + 200_000).equals(part), `from ${position}`);
      }
    },
  },
  {
    name: 'a folder of ten thousand entries lists each of them once',
    async run(client, t) {
      const names = (await client.list('/many')).toSorted();
      t.equal(names.length, MANY_COUNT);
      t.ok(names.every((name, number) => name === entryName(number)));
    },
  },
  {
    name: 'names keep every character, and lead to their files',
    async run(client, t) {
      t.same((await client.list('/names')).toSorted(), HOSTILE_NAMES.toSorted());
      for (const name of HOSTILE_NAMES) {
        t.equal(Buffer.from(await client.readFile(`/names/${name}`)).toString(), name);
      }
    },
  },
  {
    name: 'two spellings of one character are two names',
    async run(client, t) {
      t.equal(await codeOf(client.lstat('/names/combining \u00e9')), 'ENOENT');
      t.equal(await codeOf(client.lstat('/names/composed e\u0301')), 'ENOENT');
    },
  },
  {
    name: 'thirty-two readers at once all get the same bytes',
    async run(client, t) {
      const expected = bigContent();
      const reads = Array.from({ length: 32 }, () => client.readFile('/read/big.bin'));
      t.ok((await Promise.all(reads)).every((bytes) => expected.equals(bytes)));
    },
  },
];

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const notText = (path: ClientPath) => (client: FsClient) => client.lstat(path);

const ERRORS: readonly Case[] = [
  fails('a name that is not there is ENOENT', 'ENOENT', (client) => client.lstat('/read/nothing')),
  fails('so is the start of a name', 'ENOENT', (client) => client.readFile('/read/hell')),
  fails('so is a property that every object has', 'ENOENT', (client) => client.lstat('/read/__proto__')),
  fails('a path through a missing folder is ENOENT', 'ENOENT', (client) =>
    client.lstat('/read/no/such/path'),
  ),
  fails('a path through a file is ENOTDIR', 'ENOTDIR', (client) => client.lstat('/read/hello.txt/x')),
  fails('listing a file is ENOTDIR', 'ENOTDIR', (client) => client.list('/read/hello.txt')),
  fails('reading a folder is EISDIR', 'EISDIR', (client) => client.readFile('/read/nested')),
  fails('a link that leads nowhere is ENOENT', 'ENOENT', (client) => client.readFile('/read/broken')),
  fails('links in a circle are ELOOP', 'ELOOP', (client) => client.readFile('/read/loop')),
  fails('what is no link has no target', 'EINVAL', (client) => client.readLink('/read/hello.txt')),
  fails('a name of 256 bytes is ENAMETOOLONG', 'ENAMETOOLONG', (client) =>
    client.lstat(`/read/${'a'.repeat(256)}`),
  ),
  fails('bytes count, not characters', 'ENAMETOOLONG', (client) => client.lstat(`/read/${'é'.repeat(128)}`)),
  fails('a long name is ENAMETOOLONG on the way too', 'ENAMETOOLONG', (client) =>
    client.lstat(`/read/${'a'.repeat(300)}/x`),
  ),
  {
    name: 'a name that is no UTF-8 is just not there',
    needs: ['any-bytes'],
    run: async (client, t) => t.equal(await codeOf(notText(bytesOf('/read/bad\xff'))(client)), 'ENOENT'),
    otherwise: async (client, t) =>
      t.equal(await codeOf(notText(bytesOf('/read/bad\xff'))(client)), 'EILSEQ'),
  },
];

const CHANGES: readonly Case[] = [
  changes(
    'a file is opened to be written',
    { operation: 'open to write', path: '/change/file' },
    holds('/change/file', 'content\n'),
  ),
  changes('a file is made', { operation: 'create', path: '/change/new' }, there('/change/new', 'file')),
  changes(
    'a file is written',
    { operation: 'write', path: '/change/file' },
    holds('/change/file', 'changed\n'),
  ),
  changes(
    'text is appended',
    { operation: 'append', path: '/change/file' },
    holds('/change/file', 'changed\nchanged'),
  ),
  changes('a file is cut', { operation: 'truncate', path: '/change/file' }, holds('/change/file', 'c')),
  changes(
    'a folder is made',
    { operation: 'mkdir', path: '/change/made' },
    there('/change/made', 'directory'),
  ),
  changes('a folder is removed', { operation: 'rmdir', path: '/change/empty' }, gone('/change/empty')),
  changes(
    'a link is made',
    { operation: 'symlink', target: 'x', path: '/change/link' },
    there('/change/link', 'link'),
  ),
  changes(
    'a second name is made',
    { operation: 'link', from: '/change/other', path: '/change/second' },
    there('/change/second', 'file'),
  ),
  changes('a pipe is made', { operation: 'mknod', path: '/change/pipe' }, there('/change/pipe', 'other')),
  changes(
    'a file is renamed',
    { operation: 'rename', from: '/change/other', path: '/change/moved' },
    gone('/change/other'),
  ),
  changes(
    'a file is renamed over another',
    { operation: 'rename', from: '/change/file', path: '/change/victim' },
    holds('/change/victim', 'c'),
  ),
  changes('modes change', { operation: 'chmod', path: '/change/victim' }, there('/change/victim', 'file')),
  changes('owners change', { operation: 'chown', path: '/change/victim' }, there('/change/victim', 'file')),
  changes('times change', { operation: 'utimens', path: '/change/victim' }, async (client, t) => {
    t.equal((await client.lstat('/change/victim')).modifiedMs, 2_000_000);
  }),
  changes('a file is removed', { operation: 'unlink', path: '/change/victim' }, gone('/change/victim')),
  // What cannot be changed anywhere. On a tree that was changed above, these names are still as they were.
  cannot(
    'a folder that is there already cannot be made',
    { operation: 'mkdir', path: '/change/folder' },
    'EEXIST',
  ),
  cannot('nor a file', { operation: 'create', path: '/change/folder/inside' }, 'EEXIST'),
  cannot('nor a link', { operation: 'symlink', target: 'x', path: '/change/folder/inside' }, 'EEXIST'),
  cannot(
    'a file cannot be made in a folder that is not there',
    { operation: 'create', path: '/change/no/file' },
    'ENOENT',
  ),
  cannot(
    'a folder cannot be made in a file',
    { operation: 'mkdir', path: '/read/hello.txt/folder' },
    'ENOTDIR',
  ),
  cannot('a missing file cannot be removed', { operation: 'unlink', path: '/change/missing' }, 'ENOENT'),
  cannot('nor a missing folder', { operation: 'rmdir', path: '/change/missing' }, 'ENOENT'),
  cannot(
    'nor renamed',
    { operation: 'rename', from: '/change/missing', path: '/change/elsewhere' },
    'ENOENT',
  ),
  cannot('nor written', { operation: 'write', path: '/change/missing' }, 'ENOENT'),
  cannot('nor can its mode change', { operation: 'chmod', path: '/change/missing' }, 'ENOENT'),
  cannot(
    'a name of 256 bytes cannot be made',
    { operation: 'mkdir', path: `/change/${'a'.repeat(256)}` },
    'ENAMETOOLONG',
  ),
];

/** Attributes apart: a plain folder may lie on a disk that has none. */
export const ATTRIBUTE_CHANGES: readonly Case[] = [
  changes(
    'attributes are set',
    { operation: 'setxattr', path: '/read/hello.txt' },
    there('/read/hello.txt', 'file'),
  ),
  changes(
    'attributes are removed',
    { operation: 'removexattr', path: '/read/hello.txt' },
    there('/read/hello.txt', 'file'),
  ),
];

/** In this order: the changes are made last. */
export const CASES: readonly Case[] = [...READING, ...ERRORS, ...CHANGES];
