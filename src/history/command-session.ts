import type { Sessions } from './sessions.ts';

/** The session of command lines that belong to no other. */
const COMMAND_LINE_SESSION = 'cli';

/** In which session a command works: the one that is named, else that of a live mount, else one for all such commands. */
export function commandSession(sessions: Sessions, id: string | undefined): string {
  return id ?? sessions.list().findLast((session) => sessions.isLive(session))?.id ?? COMMAND_LINE_SESSION;
}
