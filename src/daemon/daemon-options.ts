import type { DriverName } from '../config/schema.ts';
import type { Settings } from '../config/settings.ts';
import type { Driver } from '../fuse/driver.ts';
import type { BugReporter } from '../fuse/errno.ts';
import type { OpenModules } from '../modules/modules.ts';
import type { EmbeddingSettings } from '../settings/embeddings.ts';
import type { ConfiguredModules } from '../state/daemons.ts';
import type { StatusView } from './status-view.ts';

/** Where the tree is shown, and how. */
export interface MountWish {
  /** An absolute path. */
  readonly mountpoint: string;
  /** Whether other users of the machine are let in, as far as permission bits allow. */
  readonly allowOther: boolean;
  /** Makes the driver. What it reports are bugs, which are written to errors.jsonl. */
  readonly driver: (report: BugReporter) => Driver & { readonly name: DriverName };
}

export interface DaemonOptions {
  readonly settings: Settings;
  /** Undefined for a daemon without a mount, which only keeps the index up to date. A state folder has at most one of those. */
  readonly mount: MountWish | undefined;
  /** Whether the history is kept. For a read-only mount without a history no opens need to be seen, so the kernel can open cached files by itself. */
  readonly audit: boolean;
  /** The session to continue; undefined for a new one. */
  readonly session: string | undefined;
  /** The service whose embeddings search uses; undefined for none. */
  readonly embeddings?: EmbeddingSettings | undefined;
  /** Undefined if no module is configured. */
  readonly openModules?: OpenModules | undefined;
  /** Identifies the configuration of the modules, so that commands can tell whether it has changed since. */
  readonly modulesMark?: ConfiguredModules;
  /** The actor in the history for events without a known caller; undefined for the user of this process. */
  readonly actor: string | undefined;
  readonly onProgress: (status: StatusView) => void;
  /** Called once: when the first index is complete, or with the reason if it could not be made. */
  readonly onReady: (status: StatusView, failure: string | undefined) => void;
}

export interface Daemon {
  status(): StatusView;
  /** Resolves when everything is closed, whatever the cause, for example an unmount from outside. */
  readonly ended: Promise<void>;
  /** Unmounts and ends. Later calls wait for the same end. */
  stop(): Promise<void>;
}
