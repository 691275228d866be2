import { join } from 'node:path';
import { systemClock } from '../../src/core/clock.ts';
import { ErrorLog } from '../../src/core/error-log.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** A memory of its own, empty. */
export function emptyMemory(t: Teardown): Memory {
  const store = openContextStore(join(temporaryFolder(t), 'context.sqlite'));
  const memory = openMemory({
    store,
    record: () => {},
    clock: systemClock,
    errors: new ErrorLog(systemClock),
    actorOf: ({ caller }) => caller?.name ?? 'test',
    sessionOf: ({ caller }) => caller?.session ?? 'test',
  });
  t.teardown(() => {
    memory.close();
    store.close();
  });
  return memory;
}
