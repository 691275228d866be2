import { hash } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import { shownSettings } from '../config/shown-settings.ts';
import type { Clock } from '../core/clock.ts';
import type { ErrorLog } from '../core/error-log.ts';
import { jsonText } from '../core/json-text.ts';
import { msToNs } from '../core/node-info.ts';
import type { StatusText } from '../resolvers/status.ts';
import type { Store } from '../store/store.ts';
import { errorLines } from './error-lines.ts';

export interface StatusFilesParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly errors: ErrorLog;
  readonly clock: Clock;
  /** The current schema map, in the form for {@link shownSettings}. */
  readonly schemaMap: () => string | undefined;
  readonly lint: () => StatusText;
  /** The content of `status.json`; undefined if there is no such file. */
  readonly status: (() => unknown) | undefined;
}

/** The files of `.kgraphfs/` by name. */
export function statusFiles({
  settings,
  store,
  errors,
  clock,
  schemaMap,
  lint,
  status,
}: StatusFilesParts): Readonly<Record<string, () => StatusText>> {
  const remembered = new Map<string, StatusText>();

  /** A text has the time of its last change, so the time is stored with it. */
  function dated(name: string, text: string): StatusText {
    const before = remembered.get(name);
    if (before?.text === text) return before;
    const now = { text, version: hash('sha1', text), modifiedNs: msToNs(clock.nowMs()) };
    remembered.set(name, now);
    return now;
  }

  return {
    'config.json': () => dated('config.json', jsonText(shownSettings(settings, schemaMap()))),
    // It is private since it names files below /context.
    'errors.jsonl': () => ({ ...dated('errors.jsonl', errorText(store, errors)), isPrivate: true }),
    'lint.jsonl': lint,
    ...(status ? { 'status.json': () => dated('status.json', jsonText(status())) } : {}),
  };
}

function errorText(store: Store, errors: ErrorLog): string {
  return errorLines(store, errors.entries())
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}
