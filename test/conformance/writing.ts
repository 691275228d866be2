/** What programs do when they write; long because it is a list of cases, read from top to bottom. */

import type { Test } from 'tap';
import type { Outcome, Step, StepRunner } from './steps.ts';

/** One program: its steps, each with what it gives. Every case begins in an empty folder. */
export interface WritingCase {
  readonly name: string;
  readonly steps: readonly (readonly [Step, Outcome?])[];
}

/** @param inNewFolder makes an empty folder, which is the root for the steps that the answer takes */
export async function runWriting(t: Test, inNewFolder: (name: string) => Promise<StepRunner>): Promise<void> {
  for (const [number, { name, steps }] of WRITING.entries()) {
    await t.test(name, async (t) => {
      const run = await inNewFolder(`case-${number}`);
      const outcomes = await run(steps.map(([step]) => step));
      t.same(
        outcomes,
        steps.map(([, outcome]) => outcome),
      );
    });
  }
}

const open = (as: string, path: string, flags: 'r' | 'r+' | 'w' | 'wx' | 'w+' | 'a' | 'ax' | 'a+'): Step => ({
  do: 'open',
  as,
  path,
  flags,
});
const write = (to: string, text: string, position?: number): Step => ({
  do: 'write',
  to,
  text,
  ...(position === undefined ? {} : { position }),
});
const read = (from: string, position: number, sizeBytes: number): Step => ({
  do: 'read',
  from,
  position,
  sizeBytes,
});
const cut = (file: string, sizeBytes: number): Step => ({ do: 'cut', file, sizeBytes });
const size = (file: string): Step => ({ do: 'size', file });
const sync = (file: string): Step => ({ do: 'sync', file });
const close = (file: string): Step => ({ do: 'close', file });
const cat = (path: string): Step => ({ do: 'cat', path });
const stat = (path: string): Step => ({ do: 'stat', path });
const list = (path: string): Step => ({ do: 'list', path });
const cutPath = (path: string, sizeBytes: number): Step => ({ do: 'cut path', path, sizeBytes });
const mkdir = (path: string): Step => ({ do: 'mkdir', path });
const rmdir = (path: string): Step => ({ do: 'rmdir', path });
const unlink = (path: string): Step => ({ do: 'unlink', path });
const rename = (from: string, to: string): Step => ({ do: 'rename', from, to });

/** A file with a content, in three steps. */
function file(path: string, text: string): [Step, Outcome?][] {
  return [[open('made', path, 'w')], [write('made', text), Buffer.byteLength(text)], [close('made')]];
}

const WRITING: readonly WritingCase[] = [
  {
    name: 'what is written is there, and listed',
    steps: [...file('/a', 'hello\n'), [cat('/a'), 'hello\n'], [stat('/a'), 6], [list('/'), ['a']]],
  },
  {
    name: 'an empty file is a file',
    steps: [[open('f', '/a', 'wx')], [close('f')], [stat('/a'), 0], [cat('/a'), '']],
  },
  {
    name: 'what is exclusive is refused where there is something',
    steps: [...file('/a', 'x'), [open('f', '/a', 'wx'), 'EEXIST'], [open('g', '/a', 'ax'), 'EEXIST']],
  },
  {
    name: 'opening to write what is not there is refused',
    steps: [
      [open('f', '/none', 'r+'), 'ENOENT'],
      [open('g', '/no/folder', 'w'), 'ENOENT'],
    ],
  },
  {
    name: 'bytes are replaced in place, and a gap is zeros',
    steps: [
      ...file('/a', 'hello world'),
      [open('f', '/a', 'r+')],
      [write('f', 'W', 6), 1],
      [write('f', '!', 13), 1],
      [close('f')],
      [cat('/a'), 'hello World\0\0!'],
    ],
  },
  {
    name: 'an opening with truncation empties the file',
    steps: [...file('/a', 'long content'), ...file('/a', 'x'), [cat('/a'), 'x']],
  },
  {
    name: 'a truncation without a write empties the file too',
    steps: [...file('/a', 'content'), [open('f', '/a', 'w')], [size('f'), 0], [close('f')], [cat('/a'), '']],
  },
  {
    name: 'appenders lose nothing of each other',
    steps: [
      ...file('/a', '0'),
      [open('f', '/a', 'a')],
      [open('g', '/a', 'a')],
      [write('f', 'f1'), 2],
      [write('g', 'g1'), 2],
      [write('f', 'f2'), 2],
      [close('g')],
      [write('f', 'f3'), 2],
      [close('f')],
      [cat('/a'), '0f1g1f2f3'],
    ],
  },
  {
    name: 'a reader sees what a writer writes, before and after it is closed',
    steps: [
      ...file('/a', 'old'),
      [open('r', '/a', 'r')],
      [read('r', 0, 10), 'old'],
      [open('w', '/a', 'r+')],
      [write('w', 'new and longer'), 14],
      [size('r'), 14],
      [read('r', 0, 20), 'new and longer'],
      [close('w')],
      [read('r', 4, 20), 'and longer'],
      [close('r')],
    ],
  },
  {
    name: 'a file grows and shrinks by its handle and by its path',
    steps: [
      ...file('/a', 'abcdef'),
      [open('f', '/a', 'r+')],
      [cut('f', 3)],
      [size('f'), 3],
      [cut('f', 5)],
      [read('f', 0, 9), 'abc\0\0'],
      [close('f')],
      [cutPath('/a', 2)],
      [cat('/a'), 'ab'],
      [cutPath('/a', 4)],
      [cat('/a'), 'ab\0\0'],
      [cutPath('/none', 1), 'ENOENT'],
    ],
  },
  {
    name: 'an open file outlives its name',
    steps: [
      ...file('/a', 'content'),
      [open('f', '/a', 'r+')],
      [unlink('/a')],
      [stat('/a'), 'ENOENT'],
      [list('/'), []],
      [read('f', 0, 20), 'content'],
      [write('f', 'CON', 0), 3],
      [read('f', 0, 20), 'CONtent'],
      [size('f'), 7],
      [close('f')],
      [stat('/a'), 'ENOENT'],
    ],
  },
  {
    name: 'a new file of the name of one that is open and removed is another',
    steps: [
      ...file('/a', 'first'),
      [open('f', '/a', 'r+')],
      [unlink('/a')],
      ...file('/a', 'second'),
      [read('f', 0, 20), 'first'],
      [write('f', 'FIRST', 0), 5],
      [close('f')],
      [cat('/a'), 'second'],
    ],
  },
  {
    name: 'a rename replaces what is there, in one step',
    steps: [
      ...file('/a', 'new'),
      ...file('/b', 'old'),
      [rename('/a', '/b')],
      [cat('/b'), 'new'],
      [stat('/a'), 'ENOENT'],
      [list('/'), ['b']],
    ],
  },
  {
    name: 'who has a replaced file open keeps it',
    steps: [
      ...file('/a', 'new'),
      ...file('/b', 'old'),
      [open('f', '/b', 'r')],
      [rename('/a', '/b')],
      [read('f', 0, 9), 'old'],
      [cat('/b'), 'new'],
      [close('f')],
      [cat('/b'), 'new'],
    ],
  },
  {
    name: 'what is written to an open file that is renamed goes to the new name',
    steps: [
      [open('f', '/a', 'w')],
      [write('f', 'one '), 4],
      [rename('/a', '/b')],
      [write('f', 'two'), 3],
      [close('f')],
      [cat('/b'), 'one two'],
      [stat('/a'), 'ENOENT'],
    ],
  },
  {
    name: 'a rename to itself does nothing',
    steps: [...file('/a', 'x'), [rename('/a', '/a')], [cat('/a'), 'x']],
  },
  {
    name: 'a rename of nothing, or into nothing, is refused',
    steps: [
      [rename('/none', '/a'), 'ENOENT'],
      ...file('/a', 'x'),
      [rename('/a', '/no/folder'), 'ENOENT'],
      [cat('/a'), 'x'],
    ],
  },
  {
    name: 'folders are made, moved with what they hold, and removed when empty',
    steps: [
      [mkdir('/d')],
      [mkdir('/d'), 'EEXIST'],
      ...file('/d/x', 'in'),
      [rmdir('/d'), 'ENOTEMPTY'],
      [rename('/d', '/e')],
      [cat('/e/x'), 'in'],
      [stat('/d'), 'ENOENT'],
      [unlink('/e/x')],
      [rmdir('/e')],
      [rmdir('/e'), 'ENOENT'],
      [list('/'), []],
    ],
  },
  {
    name: 'a folder is not a file, and a file no folder',
    steps: [
      [mkdir('/d')],
      ...file('/a', 'x'),
      [open('f', '/d', 'r+'), 'EISDIR'],
      [unlink('/d'), 'EISDIR'],
      [rmdir('/a'), 'ENOTDIR'],
      [rename('/a', '/d'), 'EISDIR'],
      [rename('/d', '/a'), 'ENOTDIR'],
      [mkdir('/a/b'), 'ENOTDIR'],
      [rename('/d', '/d/below'), 'EINVAL'],
    ],
  },
  {
    name: 'a folder replaces an empty one only',
    steps: [
      [mkdir('/a')],
      [mkdir('/b')],
      ...file('/a/x', 'x'),
      [rename('/a', '/b')],
      [cat('/b/x'), 'x'],
      [mkdir('/c')],
      [rename('/c', '/b'), 'ENOTEMPTY'],
    ],
  },
  {
    name: 'syncing keeps what was written so far',
    steps: [
      [open('f', '/a', 'w')],
      [write('f', 'one'), 3],
      [sync('f')],
      [cat('/a'), 'one'],
      [write('f', ' two'), 4],
      [close('f')],
      [cat('/a'), 'one two'],
    ],
  },
  {
    name: 'an editor that writes beside and renames',
    steps: [
      ...file('/a', 'v1'),
      ...file('/a~tmp', 'v2'),
      [rename('/a~tmp', '/a')],
      [cat('/a'), 'v2'],
      [list('/'), ['a']],
    ],
  },
  {
    name: 'an editor that moves the old file away, writes the new one and removes the old',
    steps: [
      ...file('/a', 'v1'),
      [rename('/a', '/a~')],
      ...file('/a', 'v2'),
      [unlink('/a~')],
      [cat('/a'), 'v2'],
      [list('/'), ['a']],
    ],
  },
];
