import type { Database, PreparedStatement } from './database.ts';

export const SESSION_SCHEMA = `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    actor TEXT NOT NULL,
    mountpoint TEXT,
    pid INTEGER,
    start_ticks TEXT,
    is_next INTEGER NOT NULL DEFAULT 0,
    summary TEXT,
    topics TEXT NOT NULL DEFAULT '[]',
    turn_count INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

/** The very process in which a session is live. */
export interface SessionProcess {
  readonly pid: number;
  /** When the process began, in clock ticks since boot. */
  readonly startTicks: string;
}

/** A session as it is stored. Times are milliseconds since 1970. */
export interface SessionRow {
  readonly id: string;
  readonly startedMs: number;
  /** Null while the session is live, or if its daemon has died. */
  readonly endedMs: number | null;
  readonly actor: string;
  /** The path where it was mounted last. */
  readonly mountpoint: string | null;
  readonly pid: number | null;
  readonly startTicks: string | null;
  readonly summary: string | null;
  readonly topics: readonly string[];
  readonly turnCount: number;
}

interface RawSession extends Omit<SessionRow, 'topics'> {
  readonly topics: string;
}

const COLUMNS = `id, started_ms AS startedMs, ended_ms AS endedMs, actor, mountpoint, pid, start_ticks AS startTicks, summary, topics,
  turn_count AS turnCount`;
const NEXT_REVISION = '(SELECT ifnull(max(revision), 0) + 1 FROM sessions)';

/** The sessions of one state folder. Changes are to be made inside a transaction. */
export class SessionTable {
  readonly #add: PreparedStatement<[string, number, string]>;
  readonly #get: PreparedStatement<[string], RawSession>;
  readonly #all: PreparedStatement<[], RawSession>;
  readonly #next: PreparedStatement<[], RawSession>;
  readonly #forgetNext: PreparedStatement<[]>;
  readonly #markNext: PreparedStatement<[string]>;
  readonly #live: PreparedStatement<[string, number, string, string]>;
  readonly #end: PreparedStatement<[number, string]>;
  readonly #remove: PreparedStatement<[string]>;
  readonly #touchNewest: PreparedStatement<[number]>;
  readonly #revision: PreparedStatement<[], { revision: number }>;

  constructor(database: Database) {
    this.#add = database.prepare(
      `INSERT INTO sessions (id, started_ms, actor, revision) VALUES (?, ?, ?, ${NEXT_REVISION})`,
    );
    this.#get = database.prepare(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`);
    this.#all = database.prepare(`SELECT ${COLUMNS} FROM sessions ORDER BY started_ms, id`);
    this.#next = database.prepare(`SELECT ${COLUMNS} FROM sessions WHERE is_next = 1`);
    this.#forgetNext = database.prepare('UPDATE sessions SET is_next = 0 WHERE is_next = 1');
    this.#markNext = database.prepare('UPDATE sessions SET is_next = 1 WHERE id = ?');
    this.#live = database.prepare(
      'UPDATE sessions SET mountpoint = ?, pid = ?, start_ticks = ?, ended_ms = NULL, is_next = 0 WHERE id = ?',
    );
    this.#end = database.prepare('UPDATE sessions SET ended_ms = ?, pid = NULL WHERE id = ?');
    this.#remove = database.prepare('DELETE FROM sessions WHERE id = ?');
    this.#touchNewest = database.prepare(
      'UPDATE sessions SET revision = ? WHERE id = (SELECT id FROM sessions ORDER BY revision DESC LIMIT 1)',
    );
    this.#revision = database.prepare('SELECT ifnull(max(revision), 0) AS revision FROM sessions');
  }

  add(id: string, startedMs: number, actor: string): void {
    this.#add.run(id, startedMs, actor);
  }

  get(id: string): SessionRow | undefined {
    return parsed(this.#get.get(id));
  }

  /** All sessions, oldest first. */
  all(): SessionRow[] {
    return this.#all.all().flatMap((row) => parsed(row) ?? []);
  }

  /** The session that the next mount is to continue. */
  next(): SessionRow | undefined {
    return parsed(this.#next.get());
  }

  setNext(id: string): void {
    this.#forgetNext.run();
    this.#markNext.run(id);
  }

  setLive(id: string, mountpoint: string, { pid, startTicks }: SessionProcess): void {
    this.#live.run(mountpoint, pid, startTicks, id);
  }

  setEnded(id: string, endedMs: number): void {
    this.#end.run(endedMs, id);
  }

  remove(id: string): void {
    const next = this.revision() + 1;
    this.#remove.run(id);
    this.#touchNewest.run(next);
  }

  /** Changes whenever what the graph shows of sessions does. */
  revision(): number {
    return this.#revision.get()?.revision ?? 0;
  }
}

function parsed(row: RawSession | undefined): SessionRow | undefined {
  return row && { ...row, topics: JSON.parse(row.topics) };
}
