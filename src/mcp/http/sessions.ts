import { randomUUID } from 'node:crypto';
import { clearInterval, setInterval } from 'node:timers';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

export interface SessionLimits {
  /** The maximal number of sessions. If another one begins, the one that was unused for the longest time ends. */
  readonly most: number;
  /** A session without an open stream ends after being unused for this long. */
  readonly idleMs: number;
}

/** A client that has begun a session, with its server. */
export interface HttpSession {
  readonly transport: StreamableHTTPServerTransport;
  readonly server: Server;
  usedMs: number;
  /** The number of requests that are being answered, including streams of the server's messages. */
  running: number;
}

const SWEEPS_PER_IDLE = 4;

/** The sessions of clients. */
export class Sessions {
  readonly #open: () => Server;
  readonly #limits: SessionLimits;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #sweeping: NodeJS.Timeout;

  constructor(open: () => Server, limits: SessionLimits) {
    this.#open = open;
    this.#limits = limits;
    this.#sweeping = setInterval(() => this.#sweep(), limits.idleMs / SWEEPS_PER_IDLE).unref();
  }

  get count(): number {
    return this.#sessions.size;
  }

  /** The session with an id; undefined if there is none, or none any more. */
  get(id: string): HttpSession | undefined {
    return this.#sessions.get(id);
  }

  /** Begins a session, which is kept when its client has initialized it; undefined if too many are in use. */
  async begin(): Promise<HttpSession | undefined> {
    if (this.#sessions.size >= this.#limits.most && !this.#makeRoom()) return undefined;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, session);
      },
    });
    const server = this.#open();
    const session: HttpSession = { transport, server, usedMs: performance.now(), running: 0 };
    await server.connect(transport);
    const closed = server.onclose;
    server.onclose = () => {
      closed?.();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    return session;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.close()));
  }

  #makeRoom(): boolean {
    const unused = [...this.#sessions.values()].filter(({ running }) => running === 0);
    const [oldest] = unused.sort((a, b) => a.usedMs - b.usedMs);
    if (oldest === undefined) return false;
    this.#end(oldest);
    return true;
  }

  #sweep(): void {
    const nowMs = performance.now();
    for (const session of this.#sessions.values()) {
      if (session.running === 0 && nowMs - session.usedMs > this.#limits.idleMs) this.#end(session);
    }
  }

  #end({ server, transport }: HttpSession): void {
    if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    // It was removed from the list before, so nothing is left to be done if closing fails.
    server.close().catch(() => undefined);
  }
}
