import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '../core/errors.ts';
import { programFile } from '../core/program-file.ts';
import { MESSAGE_DESCRIPTOR, MessagePipe } from './message-pipe.ts';
import { replySchema } from './reply-schema.ts';
import type { ModuleReply, ModuleRequest, ModuleStart, ModuleTask } from './wire.ts';

/** The limit of its JavaScript heap. V8 ends a process that needs more. */
const HEAP_MIB = 256;
const FLAGS = [`--max-old-space-size=${HEAP_MIB}`, '--max-semi-space-size=8'];
/** How much is kept of what it prints. When V8 ends it, the reason is followed by a stack or two. */
const KEPT_OUTPUT = 16_384;
/** How long to wait for its last output after its end: a process that it has started may keep the pipe open. */
const LAST_WORDS_WITHIN_MS = 250;

export interface ModuleChildOptions {
  readonly task: ModuleTask;
  readonly onReply: (reply: Exclude<ModuleReply, { readonly type: 'crashed' }>) => void;
  /** Called once, after its last reply. @param told why it ended, for people */
  readonly onEnd: (told: string) => void;
}

/** The process of a module, seen as the messages to it and from it. It does not keep this process from exiting, and ends with it. */
export class ModuleChild {
  readonly #child: ChildProcess;
  readonly #pipe: MessagePipe | undefined;
  #printed = '';
  #crash: string | undefined;
  #replies = 0;

  /** @throws the error of spawn(3) if that fails at once, such as ENOMEM; other failures to start are told by `onEnd` */
  constructor({ task, onReply, onEnd }: ModuleChildOptions) {
    const main = fileURLToPath(programFile('modules/module-main.js'));
    const child = spawn(process.execPath, [...FLAGS, main, task.name], {
      argv0: 'kgraphfs-module',
      // In a session of its own, so that the keys of a terminal do not reach it.
      detached: true,
      // Its output must not mix with that of this process. The last descriptor is for messages.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    // There are none if descriptors have run out, whatever the type says.
    const sockets = (child.stdio ?? []).filter((stream) => stream instanceof Socket);
    const socket = sockets.find((one) => one === child.stdio[MESSAGE_DESCRIPTOR]);
    this.#pipe =
      socket &&
      new MessagePipe({
        socket,
        onMessage: (message) => {
          this.#replies += 1;
          const { data: reply } = replySchema.safeParse(message);
          if (reply === undefined) this.#spokeNonsense('what it sent is not a message');
          else if (reply.type === 'crashed') this.#crash = reply.reason;
          else onReply(reply);
        },
        onNonsense: (reason) => this.#spokeNonsense(reason),
      });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#printed = (this.#printed + text).slice(-KEPT_OUTPUT);
    });
    child.on('error', (error) => {
      // Other errors concern messages to a process that has ended.
      if (child.pid === undefined) onEnd(`its process cannot be started: ${reasonOf(error)}`);
    });
    child.once('exit', (status, signal) => {
      this.#endGroup();
      const end = () => {
        clearTimeout(timer);
        child.off('close', end);
        // If somebody still has them open, they are no longer read.
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

  /** Has it close what it has open, and kills it if it has not ended within this time. */
  end(withinMs: number): void {
    this.send({ type: 'end' });
    const timer = setTimeout(() => this.kill(), withinMs).unref();
    this.#child.once('exit', () => clearTimeout(timer));
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /**
   * Asks the processes that it has started to end, too, unless they are in a group of their own. As long as the group has members, its number is not
   * given to another one.
   */
  #endGroup(): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGTERM');
    } catch {
      // The group has no members left, or none that this user may end.
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
    // A process that was never heard of had not begun. Then Node says why, on its standard error.
    const early = this.#replies > 0 || status === 0 ? undefined : lastErrorOf(this.#printed);
    const error = this.#crash ?? fatal ?? early;
    if (error !== undefined) return `it ended with an error: ${error}`;
    return signal === null ? 'it ended by itself' : `it was ended by ${signal}`;
  }
}

/** The error in what Node prints at its end: it stands between its place and its stack. Or the message about Node's options. */
function lastErrorOf(printed: string): string | undefined {
  return /^\w*Error\b.*$/m.exec(printed)?.[0] ?? /^kgraphfs-module: (.*)$/m.exec(printed)?.[1];
}
