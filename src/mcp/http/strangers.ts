import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds the connections of those who have not shown a token yet: when there are too many, the oldest goes. So however many are opened and left so, there is
 * always room for the next one.
 */
export class Strangers {
  /** The oldest first. */
  readonly #sockets = new Set<Socket>();

  constructor(server: Server, most: number) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      if (this.#sockets.size <= most) return;
      const [oldest] = this.#sockets;
      oldest?.destroy();
      if (oldest !== undefined) this.#sockets.delete(oldest);
    });
  }

  /** Whoever is behind a connection has shown the token. */
  isKnown(socket: Socket): void {
    this.#sockets.delete(socket);
  }
}
