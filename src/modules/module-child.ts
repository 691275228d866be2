import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '../core/errors.ts';
import { programFile } from '../core/program-file.ts';
import { MESSAGE_DESCRIPTOR, MessagePipe } from './message-pipe.ts';
import { replySchema } from './reply-schema.ts';
import type { ModuleReply, ModuleRequest, ModuleStart, ModuleTask } from './wire.ts';

/** Of its JavaScript heap: V8 ends a process that needs more. */
const HEAP_MIB = 256;
const FLAGS = [`--max-old-space-size=${HEAP_MIB}`, '--max-semi-space-size=8'];
/** Of what it prints: what V8 says when it ends it is followed by a stack or two. */
const KEPT_OUTPUT = 16_384;
/** How long what it told last is waited for after its end: a process that it started may hold its output open. */
const LAST_WORDS_WITHIN_MS = 250;

export interface ModuleChildOptions {
  readonly task: ModuleTask;
  readonly onReply: (reply: Exclude<ModuleReply, { readonly type: 'crashed' }>) => void;
  /** Called once, after its last reply. @param told why it ended, for people */
  readonly onEnd: (told: string) => void;
}

/** The process of a module, as what is sent to it and comes from it. It keeps nobody from ending, and ends with this process. */
export class ModuleChild {
  readonly #child: ChildProcess;
  readonly #pipe: MessagePipe | undefined;
  #printed = '';
  #crash: string | undefined;
  #replies = 0;

  /** @throws what spawn(3) cannot start and tells at once, such as ENOMEM; the rest of that is told by `onEnd` */
  constructor({ task, onReply, onEnd }: ModuleChildOptions) {
    const main = fileURLToPath(programFile('modules/module-main.js'));
    const child = spawn(process.execPath, [...FLAGS, main, task.name], {
      argv0: 'kgraphfs-module',
      // In a session of its own: the keys of a terminal are not for it.
      detached: true,
      // What it prints must not mix with the output of this process. The last one is for messages.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    // None where descriptors have run out, whatever the type says.
    const sockets = (child.stdio ?? []).filter((stream) => stream instanceof Socket);
    const socket = sockets.find((one) => one === child.stdio[MESSAGE_DESCRIPTOR]);
    this.#pipe =
      socket &&
      new MessagePipe({
        socket,
        onMessage: (message) => {
          this.#replies += 1;
          const { data: reply } = replySchema.safeParse(message);
          if (reply === undefined) this.#spokeNonsense('what it sent is no message');
          else if (reply.type === 'crashed') this.#crash = reply.reason;
          else onReply(reply);
        },
        onNonsense: (reason) => this.#spokeNonsense(reason),
      });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#printed = (this.#printed + text).slice(-KEPT_OUTPUT);
    });
    child.on('error', (error) => {
      // Others are of what is sent to one that has ended.
      if (child.pid === undefined) onEnd(`its process cannot be started: ${reasonOf(error)}`);
    });
    child.once('exit', (status, signal) => {
      this.#endGroup();
      const end = () => {
        clearTimeout(timer);
        child.off('close', end);
        // Whoever has them still is read no longer.
        for (const one of sockets) one.destroy();
        onEnd(this.#whyEnded(status, signal));
      };
      const timer = setTimeout(end, LAST_WORDS_WITHIN_MS).unref();
      child.once('close', end);
    });
    child.unref();
    for (const one of sockets) one.unref();
    this.send({ type: 'start', hostPid: process.pid, task });
  }

  send(message: ModuleStart | ModuleRequest): void {
    this.#pipe?.send(message);
  }

  /** Has it close what it has open, and kills it if it does not end within this time. */
  end(withinMs: number): void {
    this.send({ type: 'end' });
    const timer = setTimeout(() => this.kill(), withinMs).unref();
    this.#child.once('exit', () => clearTimeout(timer));
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Whoever it started is asked to end, too, unless they went into a group of their own; the number of a group that has members is given to no other. */
  #endGroup(): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGTERM');
    } catch {
      // It has no members left, or none that may be ended.
    }
  }

  #spokeNonsense(reason: string): void {
    this.#crash = reason;
    this.kill();
  }

  #whyEnded(status: number | null, signal: NodeJS.Signals | null): string {
    const fatal = /^FATAL ERROR: (.*)$/m.exec(this.#printed)?.[1];
    if (fatal?.includes('heap') === true)
      return `it ended with an error: ${fatal}: a module has ${HEAP_MIB} MiB`;
    // Who was never heard of had not begun: Node itself says why, on its standard error.
    const early = this.#replies > 0 || status === 0 ? undefined : lastErrorOf(this.#printed);
    const error = this.#crash ?? fatal ?? early;
    if (error !== undefined) return `it ended with an error: ${error}`;
    return signal === null ? 'it ended by itself' : `it was ended by ${signal}`;
  }
}

/** Of what Node prints at its end: the error, which stands between its place and its stack; or what it says of its options. */
function lastErrorOf(printed: string): string | undefined {
  return /^\w*Error\b.*$/m.exec(printed)?.[0] ?? /^kgraphfs-module: (.*)$/m.exec(printed)?.[1];
}
