import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';

export interface StrangerLimits {
  readonly strangers: number;
  readonly headersMs: number;
}

/**
 * Bounds the connections of those who have not shown a token yet: when there are too many, the oldest goes, and each goes after some time. So however many
 * are opened and left so, there is always room for the next one. Node's own limit of time begins with the first byte of a request.
 */
export class Strangers {
  /** The oldest first, with what ends each. */
  readonly #waiting = new Map<Socket, NodeJS.Timeout>();

  constructor(server: Server, { strangers, headersMs }: StrangerLimits) {
    server.on('connection', (socket: Socket) => {
      const end = (): void => {
        socket.destroy();
      };
      this.#waiting.set(socket, setTimeout(end, headersMs).unref());
      socket.once('close', () => this.isKnown(socket));
      const [oldest] = this.#waiting.keys();
      if (oldest === undefined || this.#waiting.size <= strangers) return;
      this.isKnown(oldest);
      oldest.destroy();
    });
  }

  /** Whoever is behind a connection has shown the token, or has gone. */
  isKnown(socket: Socket): void {
    clearTimeout(this.#waiting.get(socket));
    this.#waiting.delete(socket);
  }
}
