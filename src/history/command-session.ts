import type { Sessions } from './sessions.ts';

/** The session of commands that belong to no other session. */
const COMMAND_LINE_SESSION = 'cli';

/** The session in which a command works: the one that was named, or that of a live mount, or one that all other commands share. */
export function commandSession(sessions: Sessions, id: string | undefined): string {
  return id ?? sessions.list().findLast((session) => sessions.isLive(session))?.id ?? COMMAND_LINE_SESSION;
}
