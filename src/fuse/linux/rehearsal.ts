import { closeSync, openSync, readdirSync } from 'node:fs';
import { after, recover } from '../../core/awaitable.ts';
import { partsOf, type VfsPath } from '../../core/paths.ts';
import type { DirEntry } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import type { MountOptions } from '../driver.ts';
import type { BugReporter } from '../errno.ts';
import { Callers, Process } from './callers.ts';
import type { Node } from './node-table.ts';
import { PAYLOAD } from './protocol/answer.ts';
import { askForName, askForNames, askToOpen, askToRelease } from './protocol/asking.ts';
import { ListingEncoder } from './protocol/listing-encoder.ts';
import { RequestContext } from './request-context.ts';
import { openServing, type Serving } from './serving.ts';

/**
 * Files that a round opens, at most, each twice: first as the kernel does that has nothing of it, and then as it does that has its content. Where the docs
 * have fewer, a first user does not wait for them either.
 */
const MAX_FILES = 800;
/**
 * Each with a session and a tree of its own: what is the same all through one, V8 takes for the same for ever, and compiles anew in the next. After four
 * there is little left of that, measured: half of them leave half as much again to who comes first.
 */
const ROUNDS = 4;
/** Longer no request waits that comes meanwhile. */
const STEP_MS = 4;
/** How long a round waits for answers in all, of which some are late: the process is looked up now and then. A tree that never answers at once gains nothing. */
const MAX_LATE_MS = 1000;
/** As much of a wait counts at most: when it is longer, this thread was busy with something else. */
const LONGEST_LOOK_MS = 50;
/** Room for the listing of a folder; names that do not fit are left out. */
const LISTED_BYTES = 128 << 10;
const DOCS = 'docs';
const NODES = '/graph/nodes' as VfsPath;
/** Nodes that a round opens, at most; each round takes others, since the page of a node is made once. */
const MAX_NODES = 400;

/** Some are answered later, as while the process is looked up. */
type Opening = 'done' | 'answered later';

/** One object of each class. */
export type Examples = Map<unknown, object>;

/** For what is answered later. */
interface Patience {
  leftMs: number;
}

/**
 * Serves what a `grep -r` of the docs and of the graph asks, with nobody there who asked: the same code on nodes and handles of its own, whose
 * answers go to /dev/null. V8 runs what is new to it many times slower than what it has compiled, which it does with what was run often. A quarter of
 * somebody's first `grep -r` over 10,000 files was that.
 *
 * What V8 compiled it throws away when it meets what it has not seen yet, and all that was put together with it. So nothing may be left out here that
 * each opening goes through: they come from a process, that is looked up, and what they open is noted.
 *
 * Each `next` is a step of some milliseconds. It ends by itself, at once where a read-only mount does not see opens: there is little to compile.
 * @param makeTree one where what is opened is noted as it is in the mount, and not kept
 * @param examples takes one object of each class that serving makes and does not keep, to be kept as long as the mount is there. Where all garbage is
 *   collected, as soon as nobody has used the mount for some seconds, a class without objects loses its shape, and with that all that V8 has compiled for it
 */
export function* rehearsal(
  makeTree: () => Vfs,
  options: MountOptions,
  report: BugReporter,
  examples: Examples,
): Generator<undefined> {
  if (!options.seeOpens) return;
  keepTransient(examples);
  const descriptor = openSync('/dev/null', 'r+');
  const ends: Promise<void>[] = [];
  try {
    const names = yield* inSteps(namesOfNodes(makeTree()));
    for (let round = 0; round < ROUNDS; round += 1) {
      const serving = openServing({ vfs: makeTree(), descriptor, options, report, asked() {} });
      try {
        const hasOpened = yield* inSteps(opens(serving, examples));
        const some = names.slice(round * MAX_NODES, (round + 1) * MAX_NODES);
        const hasLooked = yield* inSteps(looks(serving, some, examples));
        if (!hasOpened && !hasLooked) return;
      } finally {
        serving.session.end();
        serving.releaseAll();
        ends.push(serving.notices.close());
      }
    }
  } finally {
    void Promise.all(ends).finally(() => closeSync(descriptor));
  }
}

/** @returns what they return */
function* inSteps<Result>(openings: Generator<Opening, Result>): Generator<undefined, Result> {
  let untilMs = performance.now() + STEP_MS;
  for (;;) {
    const { value, done } = openings.next();
    if (done === true) return value;
    if (value === 'done' && performance.now() < untilMs) continue;
    yield;
    untilMs = performance.now() + STEP_MS;
  }
}

/** Opens files of the docs, twice each. @returns whether there were any, and all was answered in time */
function* opens(serving: Serving, examples: Examples): Generator<Opening, boolean> {
  const patience = { leftMs: MAX_LATE_MS };
  ask(serving, askForName(serving.nodes.root.id, DOCS));
  const folder = serving.nodes.root.children?.get(DOCS);
  if (folder === undefined) return false;
  let opened = 0;
  for (const file of filesBelow(serving, folder, patience)) {
    if (file === 'answered later') {
      yield file;
      continue;
    }
    file.given = undefined;
    for (let opening = 0; opening < 2; opening += 1) {
      openAndClose(serving, file, examples);
      yield 'done';
      if (!(yield* answers(serving, patience))) return false;
      // What was opened later.
      serving.releaseAll();
    }
    opened += 1;
    if (opened === MAX_FILES) break;
  }
  return opened > 0;
}

/** None where there is no graph, or it takes its time. A large one is listed in turns, as for anybody, also when this has ended meanwhile. */
function* namesOfNodes(tree: Vfs): Generator<'answered later', readonly string[]> {
  const patience = { leftMs: MAX_LATE_MS };
  let names: readonly string[] | undefined;
  // Whoever lists it is told why it cannot be listed.
  const listed = recover<readonly DirEntry[], readonly DirEntry[]>(
    () => tree.list(NODES, {}),
    () => [],
  );
  void after(listed, (entries) => {
    names = entries.slice(0, ROUNDS * MAX_NODES).map(({ name }) => name);
  });
  while (names === undefined && (yield* passes(patience)));
  return names ?? [];
}

/** Looks up nodes of the graph and opens them: most of them are listed without saying what they are. @returns as {@link opens} */
function* looks(serving: Serving, names: readonly string[], examples: Examples): Generator<Opening, boolean> {
  if (names.length === 0) return false;
  const patience = { leftMs: MAX_LATE_MS };
  let folder = serving.nodes.root;
  for (const name of partsOf(NODES)) {
    ask(serving, askForName(folder.id, name));
    if (!(yield* answers(serving, patience))) return false;
    folder = folder.children?.get(name) ?? folder;
  }
  for (const name of names) {
    ask(serving, askForName(folder.id, name));
    if (!(yield* answers(serving, patience))) return false;
    const node = folder.children?.get(name);
    if (node !== undefined) openAndClose(serving, node, examples);
    yield 'done';
    if (!(yield* answers(serving, patience))) return false;
    serving.releaseAll();
  }
  return true;
}

/** Waits until all is answered. @returns whether it is: there may be no time left for that */
function* answers({ session }: Serving, patience: Patience): Generator<'answered later', boolean> {
  while (session.figures().pending > 0) if (!(yield* passes(patience))) return false;
  return true;
}

/** Waits for a moment. @returns false where there is no time left for that */
function* passes(patience: Patience): Generator<'answered later', boolean> {
  if (patience.leftMs <= 0) return false;
  const sinceMs = performance.now();
  yield 'answered later';
  patience.leftMs -= Math.min(performance.now() - sinceMs, LONGEST_LOOK_MS);
  return true;
}

function openAndClose(serving: Serving, file: Node, examples: Examples): void {
  const handle = ask(serving, askToOpen(file.id, process.pid));
  serving.session.prefetch();
  if (handle === undefined) return;
  const opened = serving.handles.file(handle);
  keep(examples, opened);
  keep(examples, opened.file);
  ask(serving, askToRelease(file.id, handle));
}

/** What each request makes, and nobody keeps. */
function keepTransient(examples: Examples): void {
  const context = new RequestContext({ pid: 0, uid: 0, gid: 0 }, new Callers());
  keep(examples, context);
  keep(examples, context.caller);
  keep(examples, new Process({ pid: 0, key: '', command: '', image: '' }));
  keep(examples, new ListingEncoder(Buffer.alloc(0), 0));
  const [entry] = readdirSync('/proc/self/task', { withFileTypes: true });
  if (entry !== undefined) keep(examples, entry);
}

function keep(examples: Examples, example: object): void {
  examples.set(example.constructor, example);
}

function* filesBelow(
  serving: Serving,
  folder: Node,
  patience: Patience,
): Generator<Node | 'answered later', void> {
  ask(serving, askForNames(folder.id, 0, LISTED_BYTES));
  // Large ones are listed in turns.
  if (!(yield* answers(serving, patience))) return;
  for (const node of [...(folder.children?.values() ?? [])]) {
    if (node.info.kind === 'file') yield node;
    else if (node.info.kind === 'directory') yield* filesBelow(serving, node, patience);
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
