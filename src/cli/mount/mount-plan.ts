import { refuseAway } from '../../config/docs-roots.ts';
import type { EmbeddingFlags } from '../../config/embeddings-asked.ts';
import type { DriverName } from '../../config/schema.ts';
import type { Settings } from '../../config/settings.ts';
import { wayOf } from '../../core/docs-selection.ts';
import { UserError } from '../../core/errors.ts';
import type { EmbeddingSettings } from '../../settings/embeddings.ts';
import type { StateFolder } from '../../state/state-folder.ts';
import { whyNodeWouldEnd } from '../../store/ending-addon.ts';
import type { CommonArguments } from '../command.ts';
import { embeddingsOf } from '../embeddings.ts';
import type { Io } from '../io.ts';
import { findPlace } from '../project.ts';
import type { DaemonPlan } from './daemon-messages.ts';
import { resolveMountPoint } from './mount-point.ts';
import { refuseHiding } from './refuse-hiding.ts';

/** The arguments of `mount` and `start`: what to mount, and how. */
export interface MountArguments extends CommonArguments, EmbeddingFlags {
  /** Undefined for a daemon without a mount. */
  readonly dir: string | undefined;
  readonly wait: boolean | undefined;
  readonly driver: DriverName | undefined;
  readonly allowOther: boolean | undefined;
  readonly readOnly: boolean | undefined;
  readonly audit: 'on' | 'off';
  readonly session: string | undefined;
}

/** How to run a daemon, with all defaults filled in. */
export interface MountPlan {
  readonly settings: Settings;
  readonly state: StateFolder;
  readonly allowOther: boolean;
  readonly audit: boolean;
  /** Absolute, as the kernel lists it; undefined for a daemon without a mount. */
  readonly mountpoint: string | undefined;
  /** Undefined for the first driver that works. */
  readonly driver: DriverName | undefined;
  /** The session to continue; undefined for a new one. */
  readonly session: string | undefined;
  /** The embeddings that search uses; undefined for none. */
  readonly embeddings: EmbeddingSettings | undefined;
  readonly waitForAll: boolean;
  readonly json: boolean;
}

/** Plans a daemon. @throws UserError if config file or docs root cannot be used, the mount would hide what its daemon needs, or the daemon could not live long */
export async function planMount(args: MountArguments, io: Io): Promise<MountPlan> {
  const whyNot = whyNodeWouldEnd();
  if (whyNot !== undefined) throw new UserError(whyNot);
  const { settings, state } = await findPlace(args, io, { keepsLast: true });
  refuseAway(settings.selection.folders, state.path, io.workingFolder());
  const { allowOther = false, readOnly = settings.readOnly } = args;
  const mountpoint =
    args.dir === undefined ? undefined : await resolveMountPoint(args.dir, io.workingFolder());
  if (mountpoint !== undefined) await refuseHiding(mountpoint, settings);
  return {
    settings: { ...settings, readOnly },
    state,
    allowOther,
    audit: args.audit === 'on',
    mountpoint,
    driver: args.driver ?? settings.driver,
    session: args.session,
    embeddings: await embeddingsOf(settings, args, io),
    waitForAll: args.wait ?? false,
    json: args.json ?? false,
  };
}

/** The plan as the daemon's process receives it. */
export function daemonPlan(plan: MountPlan): DaemonPlan {
  const { settings, mountpoint, driver, allowOther, audit, session, embeddings } = plan;
  const { selection, state, configFile, readOnly } = settings;
  const docs = selection.folders.map((root) => ({
    name: root.name,
    path: wayOf(root),
    ...(root.base === undefined ? {} : { base: root.base }),
  }));
  const flags = { docs, state, ...(configFile === undefined ? {} : { config: configFile }) };
  const asked = {
    ...(mountpoint === undefined ? {} : { mountpoint }),
    ...(driver === undefined ? {} : { driver }),
    ...(session === undefined ? {} : { session }),
    ...(embeddings === undefined ? {} : { embeddings }),
  };
  return { flags, allowOther, audit, readOnly, ...asked };
}
