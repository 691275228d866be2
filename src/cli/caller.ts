import { UserError } from '../core/errors.ts';
import type { OpContext } from '../core/resolver.ts';
import { isSessionId } from '../core/session-id.ts';
import type { Io } from './io.ts';

/** The actor of a command unless KGRAPHFS_ACTOR says otherwise; it is shown to those who look at what was done. */
const DEFAULT_ACTOR = 'kgraphfs';

/** The actor of commands: `KGRAPHFS_ACTOR`, or `kgraphfs`. */
export function actorName({ environment: { actor = DEFAULT_ACTOR } }: Io): string {
  return actor;
}

/**
 * The actor and the session of a command: `KGRAPHFS_ACTOR` and `KGRAPHFS_SESSION`, or by default `kgraphfs` and the session that the state folder is at.
 * @throws UserError if KGRAPHFS_SESSION is no id of a session
 */
export function callerContext(io: Io): OpContext {
  const { session } = io.environment;
  const caller = { name: actorName(io), pid: process.pid };
  if (session === undefined) return { caller };
  if (isSessionId(session)) return { caller: { ...caller, session } };
  throw new UserError(
    `KGRAPHFS_SESSION: "${session}" is not a session id, which has letters, digits and hyphens; unset it, or choose one that "kgraphfs session list" shows`,
  );
}
