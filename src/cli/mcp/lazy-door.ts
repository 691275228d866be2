import type { ProjectDoor } from '../../mcp/project.ts';
import type { Io } from '../io.ts';
import type { DoorArguments } from './project-door.ts';

export interface ClosableDoor extends ProjectDoor {
  /** Lets go of the project, if it was opened. A daemon goes on. */
  close(): Promise<void>;
}

/** The project of a command line. What opens it is loaded when it is needed, so that a client which begins is answered before that. */
export function lazyDoor(args: DoorArguments, io: Io): ClosableDoor {
  let loading: Promise<ClosableDoor> | undefined;
  const load = async (): Promise<ClosableDoor> => {
    const { CommandDoor } = await import('./project-door.ts');
    return new CommandDoor(args, io);
  };
  return {
    async open(onProgress) {
      loading ??= load();
      return (await loading).open(onProgress);
    },
    async use(work, onProgress) {
      loading ??= load();
      return (await loading).use(work, onProgress);
    },
    async close() {
      await (await loading)?.close();
    },
  };
}
