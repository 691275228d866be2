import { closeSync, openSync } from 'node:fs';
import type { Vfs } from '../../vfs/vfs.ts';
import type { MountOptions } from '../driver.ts';
import type { BugReporter } from '../errno.ts';
import type { Node } from './node-table.ts';
import { PAYLOAD } from './protocol/answer.ts';
import {
  askForName,
  askForNames,
  askToOpen,
  askToOpenFolder,
  askToRelease,
  askToReleaseFolder,
} from './protocol/asking.ts';
import { openServing, type Serving } from './serving.ts';

/** By then V8 has compiled nearly all that it will, measured: a third of them gains half as much. */
const OPENS = 3000;
/** Who comes meanwhile waits no longer. */
const STEP_MS = 4;
/** Of a folder, as much as fits. */
const LISTED_BYTES = 128 << 10;
const FOLDER = 'docs';

/**
 * Serves what a `grep -r` of the docs asks, with nobody there who asked: the same code on nodes and handles of its own, whose answers go to
 * /dev/null. V8 runs what is new to it many times slower than what it has compiled, which it does with what was run often. A quarter of somebody's
 * first `grep -r` over 10,000 files was that.
 *
 * Each `next` is a step of some milliseconds. It ends by itself, at once where a read-only mount does not see opens: there is little to compile.
 * @param tree where nobody notes what is opened
 */
export function* rehearsal(tree: Vfs, options: MountOptions, report: BugReporter): Generator<undefined> {
  if (!options.seeOpens) return;
  const descriptor = openSync('/dev/null', 'r+');
  const serving = openServing({ vfs: tree, descriptor, options, report, asked() {} });
  try {
    const opened = opens(serving);
    let untilMs = performance.now() + STEP_MS;
    while (opened.next().done !== true) {
      if (performance.now() < untilMs) continue;
      yield;
      untilMs = performance.now() + STEP_MS;
    }
  } finally {
    serving.session.end();
    serving.handles.releaseAll();
    void serving.notices.close().finally(() => closeSync(descriptor));
  }
}

/** Opens all files over and over until that is enough. */
function* opens(serving: Serving): Generator<undefined> {
  let left = OPENS;
  for (;;) {
    const leftBefore = left;
    ask(serving, askForName(serving.nodes.root.id, FOLDER));
    const folder = serving.nodes.root.children?.get(FOLDER);
    if (folder === undefined) return;
    for (const file of filesBelow(serving, folder)) {
      const handle = ask(serving, askToOpen(file.id));
      if (handle !== undefined) ask(serving, askToRelease(file.id, handle));
      // What is answered later is waited for by nobody.
      else if (serving.session.figures().pending > 0) return;
      left -= 1;
      if (left === 0) return;
      yield;
    }
    if (left === leftBefore) return;
  }
}

function* filesBelow(serving: Serving, folder: Node): Generator<Node> {
  const handle = ask(serving, askToOpenFolder(folder.id));
  if (handle === undefined) return;
  ask(serving, askForNames(folder.id, handle, 0, LISTED_BYTES));
  ask(serving, askToReleaseFolder(folder.id, handle));
  for (const node of [...(folder.children?.values() ?? [])]) {
    if (node.info.kind === 'file') yield node;
    else if (node.info.kind === 'directory') yield* filesBelow(serving, node);
  }
}

/** @returns the number that the answer begins with: of a node or a handle; undefined where there was none at once */
function ask({ session }: Serving, request: Buffer): number | undefined {
  const { output } = session;
  output.fill(0, 0, PAYLOAD + 4);
  session.serve(request);
  const isRefused = output.readInt32LE(4) !== 0;
  return isRefused ? undefined : output.readUInt32LE(PAYLOAD) || undefined;
}
