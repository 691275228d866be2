import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isRecent } from '../../core/clock.ts';
import { reasonOf, systemCodeOf } from '../../core/errors.ts';
import { isoTime } from '../../core/iso-time.ts';
import { writeKept } from '../kept-files.ts';

export interface GithubApiOptions {
  /** The address of the repository in the API. */
  readonly url: string;
  readonly pages: number;
  /** How long an answer is used before the server is asked again. */
  readonly refreshMs: number;
  readonly token: string | undefined;
  /** The folder in which answers are stored. */
  readonly folder: string;
}

const keptSchema = z.object({
  url: z.string(),
  etag: z.string().nullable(),
  /** The address of the next page. */
  next: z.string().nullable(),
  fetchedMs: z.number(),
  body: z.unknown(),
});
type Kept = z.infer<typeof keptSchema>;

const TIMEOUT_MS = 8000;
const MAX_BODY_BYTES = 16 << 20;
const MAX_REDIRECTS = 3;
const PER_PAGE = 100;
/**
 * The longest time that a server can ask to be left alone. A rate limit begins anew each hour, and a server whose clock is wrong must not block for
 * years.
 */
const MAX_REST_MS = 3_600_000;
/** How long to wait if GitHub does not say: it recommends a minute. */
const REST_MS = 60_000;
/** A server that gave no answer is left alone this long, rather than asked for each of many files. */
const OFFLINE_REST_MS = 5000;

/** The answers of the server, or those of the last time. Asks for lists page by page, with the ETag of each page, and within the rate limit. */
export class GithubApi {
  readonly #options: GithubApiOptions;
  readonly #origin: string;
  #restUntilMs = 0;
  #remaining: number | null = null;
  #problem: string | undefined;
  /** Why the last answer could not be stored. */
  #unkept: string | undefined;
  /** When the oldest part of what is shown was read. */
  #oldestMs: number | undefined;

  constructor(options: GithubApiOptions) {
    this.#options = options;
    this.#origin = new URL(options.url).origin;
  }

  status(): unknown {
    return {
      online: this.#problem === undefined,
      problem: this.#problem ?? null,
      unkept: this.#unkept ?? null,
      as_of: this.#oldestMs === undefined ? null : isoTime(this.#oldestMs),
      rate_limit_remaining: this.#remaining,
      rests_until: this.#rests() ? isoTime(this.#restUntilMs) : null,
    };
  }

  /** If the clock was set back meanwhile, the wait is not prolonged by that. */
  #rests(): boolean {
    const leftMs = this.#restUntilMs - Date.now();
    return leftMs > 0 && leftMs <= MAX_REST_MS;
  }

  /** What a file says of its age if the server did not answer. */
  oldNote(): string | undefined {
    if (this.#problem === undefined) return undefined;
    return `As of ${this.#oldestMs === undefined ? 'an earlier time' : isoTime(this.#oldestMs)}, from the cache: ${this.#problem}`;
  }

  /** All items of a list, as many pages as are wanted. Items that do not match the schema are left out. @throws Error as `#get` */
  async all<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>[]> {
    const items: z.infer<Schema>[] = [];
    let url: string | null =
      `${this.#options.url}${path}${path.includes('?') ? '&' : '?'}per_page=${PER_PAGE}`;
    for (let page = 0; url !== null && page < this.#options.pages; page += 1) {
      const answer: Kept | undefined = await this.#get(url);
      if (answer === undefined) break;
      for (const item of z.array(z.unknown()).catch([]).parse(answer.body)) {
        const parsed = schema.safeParse(item);
        if (parsed.success) items.push(parsed.data);
      }
      url = answer.next;
    }
    return items;
  }

  /** One item; undefined if it does not exist. @throws Error as `#get` */
  async one<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema> | undefined> {
    const answer = await this.#get(`${this.#options.url}${path}`);
    return answer && schema.safeParse(answer.body).data;
  }

  /** @throws Error EACCES if the server refuses, EBUSY if it has to be left alone, EIO; unless there is an answer of the last time */
  async #get(url: string): Promise<Kept | undefined> {
    const kept = this.#kept(url);
    if (kept !== undefined && isRecent(kept.fetchedMs, this.#options.refreshMs)) return this.#shown(kept);
    if (this.#rests()) return this.#old(kept, this.#problem ?? 'the rate limit is used up', 'EBUSY');
    let response: Response;
    try {
      response = await this.#fetch(url, kept?.etag ?? undefined);
    } catch (error) {
      this.#restUntilMs = Date.now() + OFFLINE_REST_MS;
      return this.#old(kept, `the server cannot be reached: ${this.#safe(whyNot(error))}`, 'EIO');
    }
    this.#noteLimits(response);
    return this.#answered(url, response, kept);
  }

  async #answered(url: string, response: Response, kept: Kept | undefined): Promise<Kept | undefined> {
    const { status } = response;
    if (status === 304 && kept !== undefined) return this.#keep({ ...kept, fetchedMs: Date.now() });
    if (status === 404 || status === 410) {
      this.#problem = undefined;
      return undefined;
    }
    if (status === 200) {
      let body: unknown;
      try {
        body = JSON.parse(await bodyOf(response));
      } catch (error) {
        // The connection broke off, or this is a page that a network shows to everybody who has not logged in.
        return this.#old(
          kept,
          `what the server answered cannot be read: ${this.#safe(reasonOf(error))}`,
          'EIO',
        );
      }
      const etag = response.headers.get('etag');
      return this.#keep({ url, etag, next: this.#nextOf(response), fetchedMs: Date.now(), body });
    }
    // If the body cannot be read, the status alone says enough.
    const said = this.#safe((await bodyOf(response).catch(() => '')).slice(0, 300));
    if (status === 429 || (status === 403 && this.#rests())) {
      return this.#old(kept, `the rate limit is used up until ${isoTime(this.#restUntilMs)}`, 'EBUSY');
    }
    return this.#old(
      kept,
      `the server answered ${status}: ${said}`,
      status === 401 || status === 403 ? 'EACCES' : 'EIO',
    );
  }

  /** Redirects are followed only within the server: the token goes nowhere else. */
  async #fetch(url: string, etag: string | undefined): Promise<Response> {
    const { token } = this.#options;
    let target = url;
    for (let redirects = 0; ; redirects += 1) {
      if (new URL(target).origin !== this.#origin || redirects > MAX_REDIRECTS)
        throw new Error(`it leads to another server: ${new URL(target).origin}`);
      const response = await fetch(target, {
        headers: {
          accept: 'application/vnd.github+json',
          'user-agent': 'kgraphfs',
          'x-github-api-version': '2022-11-28',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const location = response.headers.get('location');
      if (response.status < 301 || response.status > 308 || response.status === 304 || location === null)
        return response;
      await response.body?.cancel();
      target = new URL(location, target).href;
    }
  }

  #noteLimits({ status, headers }: Response): void {
    const remaining = numberOf(headers.get('x-ratelimit-remaining'));
    if (remaining !== undefined) this.#remaining = remaining;
    const retryAfter = numberOf(headers.get('retry-after'));
    const reset = numberOf(headers.get('x-ratelimit-reset'));
    const nowMs = Date.now();
    const until = (ms: number) => Math.min(ms, nowMs + MAX_REST_MS);
    if (retryAfter !== undefined && status >= 400) this.#restUntilMs = until(nowMs + retryAfter * 1000);
    else if (remaining === 0 && reset !== undefined) this.#restUntilMs = until(reset * 1000);
    else if (status === 429) this.#restUntilMs = nowMs + REST_MS;
  }

  #nextOf(response: Response): string | null {
    const next = /<([^>]+)>\s*;\s*rel="?next"?/.exec(response.headers.get('link') ?? '')?.[1];
    return next !== undefined && URL.canParse(next) && new URL(next).origin === this.#origin ? next : null;
  }

  #old(kept: Kept | undefined, problem: string, code: string): Kept {
    this.#problem = problem;
    if (kept === undefined) throw Object.assign(new Error(problem), { code });
    return this.#shown(kept);
  }

  #shown(kept: Kept): Kept {
    this.#oldestMs = Math.min(this.#oldestMs ?? kept.fetchedMs, kept.fetchedMs);
    return kept;
  }

  #keep(kept: Kept): Kept {
    this.#problem = undefined;
    this.#oldestMs = kept.fetchedMs;
    try {
      writeKept(this.#fileOf(kept.url), JSON.stringify(kept));
      this.#unkept = undefined;
    } catch (error) {
      // If the disk is full or fails, the answer of the server still counts.
      if (systemCodeOf(error) === undefined) throw error;
      this.#unkept = reasonOf(error);
    }
    return kept;
  }

  #kept(url: string): Kept | undefined {
    const file = this.#fileOf(url);
    if (!existsSync(file)) return undefined;
    try {
      return keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      // Something that another version stored, or that was cut short, is asked for again.
      return undefined;
    }
  }

  #fileOf(url: string): string {
    // The token is a part of the name: what one token may read another may not.
    return join(
      this.#options.folder,
      `${hash('sha256', `${this.#options.token ?? ''} ${url}`).slice(0, 40)}.json`,
    );
  }

  #safe(text: string): string {
    const { token } = this.#options;
    return token === undefined ? text : text.replaceAll(token, '[token]');
  }
}

async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BODY_BYTES) throw new Error(`the server answered more than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function whyNot(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? reasonOf(error) : reasonOf(cause);
}

function numberOf(text: string | null): number | undefined {
  const number = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}
