import type { ProjectDoor } from '../../mcp/project.ts';
import type { Io } from '../io.ts';
import { hasEnded } from './has-ended.ts';
import type { DoorArguments } from './project-door.ts';

export interface ClosableDoor extends ProjectDoor {
  /** Closes the project, if it was opened. A daemon goes on. */
  close(): Promise<void>;
}

/** The project of a command line. The code that opens it is only loaded when needed, so that a client's first request is answered before that. */
export function lazyDoor(args: DoorArguments, io: Io): ClosableDoor {
  let loading: Promise<ClosableDoor> | undefined;
  let closed: Promise<void> | undefined;
  const load = async (): Promise<ClosableDoor> => {
    const { CommandDoor } = await import('./project-door.ts');
    return new CommandDoor(args, io);
  };
  const loaded = async (): Promise<ClosableDoor> => {
    if (closed !== undefined) throw hasEnded();
    loading ??= load();
    return loading;
  };
  return {
    async open(onProgress) {
      return (await loaded()).open(onProgress);
    },
    async use(work, onProgress) {
      return (await loaded()).use(work, onProgress);
    },
    close() {
      closed ??= (async () => (await loading)?.close())();
      return closed;
    },
  };
}
