import { Listeners } from '../core/listeners.ts';
import { ALL_BELOW, type SubPath } from '../core/paths.ts';
import type { ChangeListener, Unsubscribe } from '../core/resolver.ts';

/** What tells of changes. */
export interface Topics {
  readonly docs: Topic;
  readonly graph: Topic;
  readonly status: Topic;
  /** Of whatever answers are made of: docs and graph, and memory, which whoever opens it has to publish. */
  readonly answers: Topic;
}

export function openTopics(): Topics {
  const topics = { docs: new Topic(), graph: new Topic(), status: new Topic(), answers: new Topic() };
  topics.docs.subscribe(() => topics.answers.publish());
  topics.graph.subscribe(() => topics.answers.publish());
  return topics;
}

/** Tells its listeners which paths of a subtree changed: all of it, unless said otherwise. */
class Topic {
  readonly #listeners = new Listeners<[paths: readonly SubPath[]]>();

  readonly subscribe = (listener: ChangeListener): Unsubscribe => this.#listeners.add(listener);

  readonly publish = (paths: readonly SubPath[] = ALL_BELOW): void => {
    if (paths.length > 0) this.#listeners.tell(paths);
  };
}
