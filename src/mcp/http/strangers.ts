import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';

export interface StrangerLimits {
  /** The maximal number of connections without a token, except for a moment. */
  readonly strangers: number;
  /** The maximal number of all connections that the server accepts. */
  readonly connections: number;
  readonly headersMs: number;
}

/**
 * The share of the time limit that each connection has at least, however many there are: a client may open all its connections before it sends a
 * request on the first one.
 */
const CROWD_SHARE = 1 / 5;

/**
 * Limits the connections that have not shown a token yet. If there are too many, the oldest is closed, and each is closed after some time. So however
 * many are opened and left idle, there is always room for the next one. Node's own time limit only begins with the first byte of a request.
 */
export class Strangers {
  readonly #limits: StrangerLimits;
  readonly #open = new Set<Socket>();
  /** The oldest first, with the timer that ends each. */
  readonly #waiting = new Map<Socket, { readonly timer: NodeJS.Timeout; readonly sinceMs: number }>();
  #looking: NodeJS.Timeout | undefined;

  constructor(server: Server, limits: StrangerLimits) {
    this.#limits = limits;
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      const timer = setTimeout(() => this.#end(socket), limits.headersMs).unref();
      this.#waiting.set(socket, { timer, sinceMs: performance.now() });
      socket.once('close', () => this.#forget(socket));
      const { connections, strangers } = limits;
      const isFull = this.#open.size > Math.max(connections - strangers, strangers);
      this.#endSurplus(isFull ? 0 : limits.headersMs * CROWD_SHARE);
    });
  }

  /** To be called when a connection has shown the token. */
  isKnown(socket: Socket): void {
    clearTimeout(this.#waiting.get(socket)?.timer);
    this.#waiting.delete(socket);
  }

  /** @param afterMs connections that are younger than this are not closed yet */
  #endSurplus(afterMs: number): void {
    for (const [socket, { sinceMs }] of this.#waiting) {
      if (this.#waiting.size <= this.#limits.strangers) return;
      const leftMs = sinceMs + afterMs - performance.now();
      if (leftMs > 0) {
        this.#lookAgain(leftMs, afterMs);
        return;
      }
      this.#end(socket);
    }
  }

  #lookAgain(inMs: number, afterMs: number): void {
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      this.#endSurplus(afterMs);
    }, inMs).unref();
  }

  #end(socket: Socket): void {
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Socket): void {
    this.isKnown(socket);
    this.#open.delete(socket);
  }
}
