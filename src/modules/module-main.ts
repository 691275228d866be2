import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { reasonOf } from '../core/errors.ts';
import { limitThisChild } from '../system/child-limits.ts';
import { cutText } from '../text/cut-text.ts';
import { loadModule, Unusable } from './load-module.ts';
import { MESSAGE_DESCRIPTOR, MessagePipe } from './message-pipe.ts';
import type { ModuleHost, ModulePlace, ModuleResolver } from './module.ts';
import { contentOf, seenPlace } from './seen-place.ts';
import type {
  ModuleQuestion,
  ModuleReply,
  ModuleRequest,
  ModuleStart,
  ModuleTask,
  SeenPlace,
} from './wire.ts';

/** How often messages of a module that nobody asked for are passed on. */
const TELL_EVERY_MS = 100;
const MAX_TOLD_PATHS = 1000;
const MAX_NOTES = 5;
const MAX_REASON = 2000;
/** How long it may take to close what it has open if there is no host that would kill it. */
const END_WITHIN_MS = 1000;

type Tell = (reply: ModuleReply, onTold?: () => void) => void;

/** Runs one module in this process, until it ends. @returns what takes requests */
function run(tell: Tell, task: ModuleTask): (request: ModuleRequest) => void {
  const waiting = new Map<number, AbortController>();
  const news = new News(tell);
  const host: ModuleHost = {
    name: task.name,
    folder: task.folder,
    docs: task.docs,
    stateFolder: task.stateFolder,
    secrets: task.secrets,
    changed: (paths) => news.changed(paths),
    note: (message) => news.note(message),
    started(pid) {
      // A program that could not be started has no pid.
      if (Number.isInteger(pid)) tell({ type: 'started', pid });
    },
  };

  async function serve(resolver: ModuleResolver, id: number, question: ModuleQuestion): Promise<void> {
    const asking = new AbortController();
    waiting.set(id, asking);
    try {
      const place = await answer(resolver, question, asking.signal, host.note);
      tell({ type: 'answer', id, place });
    } catch (error) {
      tell({ type: 'failure', id, ...toldOf(error) });
    } finally {
      waiting.delete(id);
    }
  }

  const loading = loadModule(task, host);
  loading.then(
    ({ staysUp }) => tell({ type: 'ready', staysUp }),
    (error) => {
      if (!(error instanceof Unusable)) throw error;
      tell({ type: 'unusable', faults: error.faults, reason: error.message });
    },
  );
  return (request) => {
    if (request.type === 'ping') tell({ type: 'pong' });
    else if (request.type === 'abort') waiting.get(request.id)?.abort();
    else if (request.type === 'end') {
      void loading
        .then(({ resolver }) => resolver.close?.())
        // Nobody waits any more for what it could not close.
        .catch(() => undefined)
        .finally(() => process.exit());
    } else {
      // A failure to load was reported above, once, and the host answers with that.
      void loading.then(({ resolver }) => serve(resolver, request.id, request)).catch(() => undefined);
    }
  };
}

async function answer(
  resolver: ModuleResolver,
  question: ModuleQuestion,
  signal: AbortSignal,
  note: (message: string) => void,
): Promise<SeenPlace | undefined> {
  const { path } = question;
  if (question.type === 'revision') {
    const version = await resolver.revision?.({ signal });
    return version === undefined ? undefined : revisionPlace(String(version));
  }
  if (question.type === 'write') {
    await resolver.write?.(path, question.content, { signal });
    return undefined;
  }
  const place: ModulePlace | undefined = await resolver.at(path, { signal });
  if (place === undefined || place === null) return undefined;
  const seen = await seenPlace(place, note);
  if (question.type === 'look' || seen.kind !== 'file' || seen.bytes !== undefined || !('file' in place))
    return seen;
  const bytes = await contentOf(place);
  return { ...seen, bytes, sizeBytes: bytes.length };
}

function revisionPlace(version: string): SeenPlace {
  return { kind: 'file', sizeBytes: 0, version, modifiedMs: undefined, isWritable: false, bytes: undefined };
}

/** What was thrown, in a form that can be sent: it may be any value. */
function toldOf(error: unknown): { readonly code: string | undefined; readonly reason: string } {
  try {
    const { code } = error instanceof Error && 'code' in error ? error : {};
    return {
      code: typeof code === 'string' ? code : undefined,
      reason: cutText(String(reasonOf(error)), MAX_REASON),
    };
  } catch {
    // Its message, or its conversion to text, throws as well.
    return { code: undefined, reason: 'it threw what cannot be told' };
  }
}

/** Messages of a module that nobody asked for. However often the module sends them, the host gets them a few times a second. */
class News {
  readonly #tell: Tell;
  readonly #paths = new Set<string>();
  readonly #notes: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  changed(paths: readonly string[] = ['']): void {
    for (const path of paths) this.#paths.add(this.#paths.size < MAX_TOLD_PATHS ? String(path) : '');
    this.#soon();
  }

  note(message: string): void {
    if (this.#notes.length < MAX_NOTES) this.#notes.push(cutText(String(message), MAX_REASON));
    this.#soon();
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#paths.size > 0) this.#tell({ type: 'changed', paths: [...this.#paths] });
      this.#paths.clear();
      for (const message of this.#notes.splice(0)) this.#tell({ type: 'note', message });
    }, TELL_EVERY_MS);
  }
}

/** Serves the process that started this one. */
function begin(): void {
  if (!isSocket(MESSAGE_DESCRIPTOR))
    throw new Error('this is a part of kgraphfs, which starts it where a module is asked');
  const socket = new Socket({ fd: MESSAGE_DESCRIPTOR, readable: true, writable: true });
  const tell: Tell = (reply, onTold) => pipe.send(reply, onTold);
  limitThisChild();
  process.on('uncaughtException', (error) =>
    tell({ type: 'crashed', reason: toldOf(error).reason }, () => process.exit(1)),
  );
  let takeRequest: ((request: ModuleRequest) => void) | undefined;
  const pipe = new MessagePipe({
    socket,
    onMessage(message) {
      // Messages come from the process that started this one, which sends only these types.
      const request = message as ModuleStart | ModuleRequest;
      if (request.type !== 'start') takeRequest?.(request);
      // The host has exited. The signal of its end does not reach a process that asks for it later.
      else if (process.ppid !== request.hostPid) process.exit();
      else takeRequest = run(tell, request.task);
    },
    onNonsense(reason) {
      throw new Error(reason);
    },
  });
  socket.once('close', () => {
    setTimeout(() => process.exit(), END_WITHIN_MS);
    takeRequest?.({ type: 'end' });
  });
}

function isSocket(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isSocket();
  } catch {
    // There is no process of this pid.
    return false;
  }
}

begin();
