import { Listeners } from '../core/listeners.ts';
import { ALL_BELOW, type SubPath } from '../core/paths.ts';
import type { ChangeListener, Unsubscribe } from '../core/resolver.ts';

/** Sources of notifications about changes. */
export interface Topics {
  readonly docs: Topic;
  readonly graph: Topic;
  readonly status: Topic;
  /** For changes of anything that answers are made from: docs, graph and memory. Whoever opens memory has to publish its changes here. */
  readonly answers: Topic;
}

export function openTopics(): Topics {
  const topics = { docs: new Topic(), graph: new Topic(), status: new Topic(), answers: new Topic() };
  topics.docs.subscribe(() => topics.answers.publish());
  topics.graph.subscribe(() => topics.answers.publish());
  return topics;
}

/** Tells its listeners which paths of a subtree have changed. Default: all of it. */
class Topic {
  readonly #listeners = new Listeners<[paths: readonly SubPath[]]>();

  readonly subscribe = (listener: ChangeListener): Unsubscribe => this.#listeners.add(listener);

  readonly publish = (paths: readonly SubPath[] = ALL_BELOW): void => {
    if (paths.length > 0) this.#listeners.tell(paths);
  };
}
