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
  /** Absolute. */
  readonly mountpoint: string;
  /** Lets other users of the machine in, as far as permission bits allow. */
  readonly allowOther: boolean;
  /** Makes the driver. What it reports are bugs, which go to errors.jsonl. */
  readonly driver: (report: BugReporter) => Driver & { readonly name: DriverName };
}

export interface DaemonOptions {
  readonly settings: Settings;
  /** Undefined for a daemon without a mount: it keeps the index up to date, and a state folder has at most one. */
  readonly mount: MountWish | undefined;
  /** Whether the history is kept. A read-only mount without a history need not see opens, so the kernel can open cached files by itself. */
  readonly audit: boolean;
  /** The session to go on with; undefined for a new one. */
  readonly session: string | undefined;
  /** Whose embeddings search uses; undefined for none. */
  readonly embeddings?: EmbeddingSettings | undefined;
  /** Undefined where no module is configured. */
  readonly openModules?: OpenModules | undefined;
  /** Identifies the configuration of the modules, so that commands can tell whether it was changed since. */
  readonly modulesMark?: ConfiguredModules;
  /** The actor in the history for what no caller is known of; undefined for the user of this process. */
  readonly actor: string | undefined;
  readonly onProgress: (status: StatusView) => void;
  /** Called once, when the first index is complete, or with the reason if it could not be made. */
  readonly onReady: (status: StatusView, failure: string | undefined) => void;
}

export interface Daemon {
  status(): StatusView;
  /** Resolves when all is closed, for whatever reason, such as an unmount from outside. */
  readonly ended: Promise<void>;
  /** Unmounts and ends. Further calls wait for the same end. */
  stop(): Promise<void>;
}
