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
  /** Made again it may be another one though nothing changed, so it is not kept. */
  readonly isPassing?: boolean;
}

/** A text as a file shows it. */
export interface MadePage {
  /** The same for the same bytes. */
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly changedMs: number;
}

export interface MadePagesParts {
  /** In front of all keys. */
  readonly name: string;
  /** Undefined where there is nothing of this name. */
  readonly make: (name: string) => PromiseLike<MadeText | undefined>;
  /** Stays the same as long as texts do. */
  readonly revision: () => string;
}

/** As a generated tree shows it. What it is made of is not told of when it changes. */
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

/** Texts that take some time to make, made when somebody asks and kept as long as they are right. */
export class MadePages {
  readonly #parts: MadePagesParts;
  readonly #kept = new LRUCache<string, MadePage & { readonly revision: string }>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ bytes }, name) => bytes.length + name.length * 2 + PAGE_OVERHEAD_BYTES,
  });
  /** Those that are being made: all who ask meanwhile wait for the same. */
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
