import { systemClock } from '../core/clock.ts';
import { Listeners } from '../core/listeners.ts';
import type { Awaitable, Unsubscribe } from '../core/resolver.ts';
import { inSlices } from '../core/slices.ts';
import { Ledger } from './ledger.ts';
import { MemoryFeed } from './memory-feed.ts';
import type { MemoryEnd, MemoryGraphOptions } from './memory-graph.ts';
import type { NodeId } from './model.ts';

/** How long others may have to wait. */
const SLICE_MS = 4;

/** The ledger of memory and sessions. It takes in changes when it is asked for, and tells when there is something to take in. */
export class FollowedMemory {
  readonly settle: () => Awaitable<void>;
  /** Stops listening to memory. */
  readonly close: Unsubscribe;
  readonly #ledger = new Ledger();
  readonly #feed: MemoryFeed;
  readonly #listeners = new Listeners();
  #wasTold: boolean;

  constructor({ memory, sessions, docs, clock = systemClock }: MemoryGraphOptions) {
    this.#feed = new MemoryFeed({ memory, sessions, docs, ledger: this.#ledger, clock });
    this.#wasTold = false;
    this.settle = inSlices(() => {
      this.#wasTold = false;
      return this.#feed.takeInSome(SLICE_MS);
    });
    this.close = memory.onChange((places) => {
      this.#feed.note(places);
      this.#tell();
    });
  }

  /** The ledger with all changes taken in. @throws if memory cannot be read */
  now(): Ledger {
    this.#wasTold = false;
    this.#feed.takeIn();
    return this.#ledger;
  }

  /** The end of an edge, in the ledger as it was last asked for. */
  endOf(id: NodeId): MemoryEnd {
    const node = this.#ledger.node(id);
    if (node) return { id, home: 'memory', type: node.type, display: node.label, name: node.name };
    const name = this.#feed.names().get(id);
    if (name === undefined) throw new Error(`an edge leads to ${id}, which is not there`);
    return { id, home: 'docs', type: name.type, display: name.display, name: name.name };
  }

  /** Tells that something may have changed, once until the ledger is asked for again. */
  onChange(listener: () => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  #tell(): void {
    if (this.#wasTold) return;
    this.#wasTold = true;
    this.#listeners.tell();
  }
}
