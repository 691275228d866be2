import type { App } from '../app/app.ts';
import { pathInDocs, placeOnDisk } from '../core/docs-selection.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import type { MapFault } from '../schema/map-error.ts';
import { isOwnRecordGone } from '../state/record-file.ts';
import { sharedFiles } from '../state/state-folder.ts';
import { Looks } from '../system/looks.ts';
import type { Faults } from './faults.ts';
import type { SchemaWatch } from './schema-watch.ts';
import type { StatusPublisher } from './status-publisher.ts';
import { faultText, mapName } from './status-view.ts';

/** A schema map that has changed is read only once it has stayed the same for this long. */
const MAP_AGAIN_MS = 500;

export interface OthersChangesParts {
  readonly app: App;
  readonly schema: SchemaWatch;
  readonly status: StatusPublisher;
  readonly faults: Faults;
  /** Called at each look that finds the daemon's own record gone, so that no command finds this daemon any more. */
  readonly onLost: () => void;
  /** Called with the rules of a schema map that has changed; undefined if there is none any more. */
  readonly onMap: (schema: SchemaRules | undefined) => void;
}

/** Takes in what others change, and shows it: other processes and threads in the files of a project, and people in its schema map. */
export class OthersChanges {
  readonly #parts: OthersChangesParts;
  #revision: number;
  #looks: readonly Looks[] = [];
  readonly #closing = new AbortController();

  constructor(parts: OthersChangesParts) {
    this.#parts = parts;
    const { app, schema } = parts;
    const { file, faults } = schema.state();
    if (file !== undefined) this.#noteBrokenMap(file, faults);
    this.#revision = app.store.revision();
  }

  /** Begins to look for changes. */
  follow(): void {
    const { app, schema } = this.#parts;
    // There are two, so that a schema map on a disk that does not answer does not hold up the rest.
    this.#looks = [
      new Looks({ files: () => sharedFiles(app.state), look: () => this.#look() }),
      new Looks({ files: () => schema.files(), look: () => this.#lookAtMap() }),
    ];
  }

  /** Looks as soon as that is allowed, if this follows changes at all. */
  soon(): void {
    for (const looks of this.#looks) looks.soon();
  }

  close(): void {
    this.#closing.abort();
    for (const looks of this.#looks) looks.close();
  }

  /** Shows the present content of the index. */
  noticeRevision(): void {
    if (this.#closing.signal.aborted) return;
    const { app, faults, status } = this.#parts;
    faults.aside('index', () => {
      const revision = app.store.revision();
      if (revision !== this.#revision) {
        app.graphChanged();
        this.#revision = revision;
        status.publish();
      }
      app.refuseReplacedIndex();
    });
  }

  /** @returns as {@link LooksOptions.look} */
  #look(): number | undefined {
    const { app, faults, status } = this.#parts;
    app.fs.tellNextUse(() => this.soon());
    this.noticeRevision();
    const refreshedMs = faults.aside('refresh', () => app.refresh());
    const dueMs = [status.publishFigures(), refreshedMs];
    if (isOwnRecordGone(app.state)) this.#parts.onLost();
    return Math.min(...dueMs.filter((ms) => ms !== undefined));
  }

  /** @returns as {@link LooksOptions.look} */
  async #lookAtMap(): Promise<number | undefined> {
    const { schema, faults, onMap } = this.#parts;
    try {
      const isSettled = await schema.look({
        onMap: (rules) => {
          if (!this.#closing.signal.aborted) onMap(rules);
        },
        onBroken: (file, faults) => this.#noteBrokenMap(file, faults),
      });
      return isSettled ? undefined : MAP_AGAIN_MS;
    } catch (error) {
      faults.add('refresh', error);
      return undefined;
    }
  }

  /** @param file an absolute path */
  #noteBrokenMap(file: string, faults: readonly MapFault[]): void {
    const { docs, selection } = this.#parts.app.settings;
    const place = placeOnDisk(selection, file);
    const path = place === undefined ? '/' : `/docs/${pathInDocs(place.root, place.path)}`;
    for (const fault of faults) {
      const text = faultText(mapName(docs, file), fault);
      const message = `${text}; the schema map is wrong, and the one before stays in use`;
      this.#parts.app.errors.add({ code: 'EINVAL', path, line: fault.line, message });
    }
  }
}
