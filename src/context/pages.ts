import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Page } from '../core/generated-tree.ts';
import { msToNs } from '../core/node-info.ts';
import { ownBytes } from '../core/own-bytes.ts';
import type { Awaitable } from '../core/resolver.ts';

/** A text that was made for a name. */
export interface MadeText {
  readonly text: string;
  /** When what it shows last changed: milliseconds since 1970. */
  readonly changedMs: number;
  /** Whether it may be different if it is made again though nothing has changed. Then it is not cached. */
  readonly isPassing?: boolean;
}

/** A text with what a file shows of it. */
export interface MadePage {
  /** The same for the same bytes. */
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly changedMs: number;
}

export interface MadePagesParts {
  /** The prefix of all keys. */
  readonly name: string;
  /** Makes the text; undefined if nothing has this name. */
  readonly make: (name: string) => PromiseLike<MadeText | undefined>;
  /** Stays the same as long as the texts do. */
  readonly revision: () => string;
}

/** The page as a generated tree shows it. No change of its sources is reported for it. */
export function fileOf(page: MadePage): Page {
  return {
    kind: 'file',
    modifiedNs: msToNs(page.changedMs),
    pageKey: page.key,
    render: () => page.bytes,
    changesUntold: true,
  };
}

const MAX_KEPT_BYTES = 8 << 20;
const PAGE_OVERHEAD_BYTES = 500;

/** Texts that take some time to make. They are made when somebody asks for them, and cached as long as they are right. */
export class MadePages {
  readonly #parts: MadePagesParts;
  readonly #kept = new LRUCache<string, MadePage & { readonly revision: string }>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ bytes }, name) => bytes.length + name.length * 2 + PAGE_OVERHEAD_BYTES,
  });
  /** Pages that are being made. Everybody who asks meanwhile waits for the same one. */
  readonly #promised = new Map<string, Promise<MadePage | undefined>>();

  constructor(parts: MadePagesParts) {
    this.#parts = parts;
  }

  page(name: string): Awaitable<MadePage | undefined> {
    const revision = this.#parts.revision();
    const known = this.#kept.get(name);
    if (known?.revision === revision) return known;
    const promiseKey = `${revision}\n${name}`;
    const promised = this.#promised.get(promiseKey) ?? this.#make(name, revision);
    this.#promised.set(promiseKey, promised);
    return promised.finally(() => this.#promised.delete(promiseKey));
  }

  async #make(name: string, revision: string): Promise<MadePage | undefined> {
    const made = await this.#parts.make(name);
    if (made === undefined) return undefined;
    const bytes = ownBytes(made.text);
    const page = {
      key: `${this.#parts.name} ${hash('sha256', bytes)}`,
      bytes,
      changedMs: made.changedMs,
      revision,
    };
    if (!made.isPassing) this.#kept.set(name, page);
    return page;
  }
}
