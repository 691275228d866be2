import { closeSync, openSync, readdirSync } from 'node:fs';
import { after, recover } from '../../core/awaitable.ts';
import { fileOfBytes } from '../../core/open-file.ts';
import { partsOf, type VfsPath } from '../../core/paths.ts';
import type { DirEntry } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import type { MountOptions } from '../driver.ts';
import type { BugReporter } from '../errno.ts';
import { Version } from '../version.ts';
import { Callers, Process } from './callers.ts';
import type { Node } from './node-table.ts';
import { PAYLOAD } from './protocol/answer.ts';
import { askForName, askForNames, askToOpen, askToRead, askToRelease } from './protocol/asking.ts';
import { ListingEncoder } from './protocol/listing-encoder.ts';
import { RequestContext } from './request-context.ts';
import { openServing, type Serving } from './serving.ts';

/**
 * How many files a round opens at most, each of them twice: first as a kernel does that has nothing of the file, and then as one does that has its content. If
 * the docs have fewer files, a first user does not wait for more either.
 */
const MAX_FILES = 800;
/**
 * Each round has its own session and tree: V8 takes what never changes during a round for constant, and compiles again in the next one. Measurements show that
 * little of this is left after four rounds; with half as many, a first user waits half as long again for the compiler.
 */
const ROUNDS = 4;
/** The longest time that a request waits which comes during a step. */
const STEP_MS = 4;
/**
 * How long a round waits in all for answers that come late, as they do while the process is looked up. With a tree that never answers at once, the rehearsal
 * gains nothing.
 */
const MAX_LATE_MS = 1000;
/** The longest part of a wait that counts. If a wait is longer, this thread was busy with something else. */
const LONGEST_LOOK_MS = 50;
/** What the kernel asks for first of a file, at most. Most files end before that. */
const READ_BYTES = 128 << 10;
/** Room for the listing of a folder. Names that do not fit are left out. */
const LISTED_BYTES = 128 << 10;
const DOCS = 'docs';
const NODES = '/graph/nodes' as VfsPath;
/** How many nodes a round opens at most. Each round takes other nodes, since the page of a node is made only once. */
const MAX_NODES = 400;

/** Some openings are answered later, for example while the process is looked up. */
type Opening = 'done' | 'answered later';

/** One object of each class. */
export type Examples = Map<unknown, object>;

/** The time that is left for answers that come late. */
interface Patience {
  leftMs: number;
}

/**
 * Serves the requests of a `grep -r` over the docs and the graph without a caller: the same code runs on separate nodes and handles, and the answers go to
 * /dev/null. V8 compiles code that has run often, and code that is new to it runs many times slower. A quarter of the time of somebody's first `grep -r` over
 * 10,000 files was spent on that.
 *
 * V8 throws compiled code away, with everything that was compiled into it, when it meets a case that it has not seen yet. So nothing that each opening goes
 * through may be left out here: requests come from a process that is looked up, and what they open is recorded.
 *
 * Each `next` is a step of some milliseconds. It ends by itself. Where opens are not seen, files are read instead of opened.
 * @param makeTree makes a tree that records opens as the mount's own does, without keeping them
 * @param examples takes one object of each class whose objects serving makes and does not keep. They are to be kept for as long as the mount lives: when all
 * garbage is collected, after nobody has used the mount for some seconds, a class without objects loses its shape, and with it all code that V8 has compiled
 * for it
 */
export function* rehearsal(
  makeTree: () => Vfs,
  options: MountOptions,
  report: BugReporter,
  examples: Examples,
): Generator<undefined> {
  keepTransient(examples);
  const use = options.seeOpens ? openAndClose : readWhole;
  const descriptor = openSync('/dev/null', 'r+');
  const ends: Promise<void>[] = [];
  try {
    const names = yield* inSteps(namesOfNodes(makeTree()));
    for (let round = 0; round < ROUNDS; round += 1) {
      const serving = openServing({ vfs: makeTree(), descriptor, options, report, asked() {} });
      try {
        const hasOpened = yield* inSteps(opens(serving, use, examples));
        const some = names.slice(round * MAX_NODES, (round + 1) * MAX_NODES);
        const hasLooked = yield* inSteps(looks(serving, use, some, examples));
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

/** @returns the result of the generator */
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

/** Uses files of the docs, each twice. @returns whether there were any, and all requests were answered in time */
function* opens(serving: Serving, use: Use, examples: Examples): Generator<Opening, boolean> {
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
      use(serving, file, examples);
      yield 'done';
      if (!(yield* answers(serving, patience))) return false;
      // Releases what was opened by late answers.
      serving.releaseAll();
    }
    opened += 1;
    if (opened === MAX_FILES) break;
  }
  return opened > 0;
}

/**
 * The names of nodes; empty if there is no graph, or listing it takes too long. A large graph is listed in turns, as for anybody, and that may go on after the
 * rehearsal has ended.
 */
function* namesOfNodes(tree: Vfs): Generator<'answered later', readonly string[]> {
  const patience = { leftMs: MAX_LATE_MS };
  let names: readonly string[] | undefined;
  // A user who lists the folder is told why it cannot be listed.
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

/** Looks up nodes of the graph and uses them, as most of them are listed without their attributes. @returns as {@link opens} */
function* looks(
  serving: Serving,
  use: Use,
  names: readonly string[],
  examples: Examples,
): Generator<Opening, boolean> {
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
    if (node !== undefined) use(serving, node, examples);
    yield 'done';
    if (!(yield* answers(serving, patience))) return false;
    serving.releaseAll();
  }
  return true;
}

/** Waits until all requests are answered. @returns whether they are; false if no time was left */
function* answers({ session }: Serving, patience: Patience): Generator<'answered later', boolean> {
  while (session.figures().pending > 0) if (!(yield* passes(patience))) return false;
  return true;
}

/** Waits for a moment. @returns false if no time is left for that */
function* passes(patience: Patience): Generator<'answered later', boolean> {
  if (patience.leftMs <= 0) return false;
  const sinceMs = performance.now();
  yield 'answered later';
  patience.leftMs -= Math.min(performance.now() - sinceMs, LONGEST_LOOK_MS);
  return true;
}

/** The requests of a program that reads a file. */
type Use = (serving: Serving, file: Node, examples: Examples) => void;

function openAndClose(serving: Serving, file: Node, examples: Examples): void {
  const handle = ask(serving, askToOpen(file.id, process.pid));
  serving.session.prefetch();
  if (handle === undefined) return;
  const opened = serving.handles.file(handle);
  keep(examples, opened);
  keep(examples, opened.file);
  ask(serving, askToRelease(file.id, handle));
}

/** As of a program whose open(2) the kernel does not send. */
function readWhole(serving: Serving, file: Node): void {
  ask(serving, askToRead(file.id, READ_BYTES));
}

/** Keeps one object of each class that every request makes and nobody keeps. */
function keepTransient(examples: Examples): void {
  const context = new RequestContext({ pid: 0, uid: 0, gid: 0 }, new Callers());
  keep(examples, context);
  keep(examples, context.caller);
  keep(examples, new Process({ pid: 0, key: '', command: '', image: '' }));
  keep(examples, new ListingEncoder(Buffer.alloc(0), 0));
  keep(examples, new Version(fileOfBytes(Buffer.alloc(0))));
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
  // Large folders are listed in turns.
  if (!(yield* answers(serving, patience))) return;
  for (const node of [...(folder.children?.values() ?? [])]) {
    if (node.info.kind === 'file') yield node;
    else if (node.info.kind === 'directory') yield* filesBelow(serving, node, patience);
  }
}

/** @returns the first number of the answer, which is that of a node or a handle; undefined if there was no answer at once */
function ask({ session }: Serving, request: Buffer): number | undefined {
  const { output } = session;
  output.fill(0, 0, PAYLOAD + 4);
  session.serve(request);
  const isRefused = output.readInt32LE(4) !== 0;
  return isRefused ? undefined : output.readUInt32LE(PAYLOAD) || undefined;
}
