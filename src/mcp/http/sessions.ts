import { randomUUID } from 'node:crypto';
import { clearInterval, setInterval } from 'node:timers';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

export interface SessionLimits {
  /** Sessions at most; the one unused for longest goes where another is begun. */
  readonly most: number;
  /** A session is ended when nobody used it for so long and it has no stream open. */
  readonly idleMs: number;
}

/** One client that began, and what serves it. */
export interface HttpSession {
  readonly transport: StreamableHTTPServerTransport;
  readonly server: Server;
  usedMs: number;
  /** Requests being answered, streams for what the server tells among them. */
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

  /** The session of an id; undefined where there is none, or none any more. */
  get(id: string): HttpSession | undefined {
    return this.#sessions.get(id);
  }

  /** Begins one, which is kept when its client has initialized it; undefined where there are too many in use. */
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
    // It is out of the list already, so that nothing is left to be done where closing fails.
    server.close().catch(() => undefined);
  }
}
