import { join } from 'node:path';
import { systemClock } from '../../src/core/clock.ts';
import { ErrorLog } from '../../src/core/error-log.ts';
import type { HistoryRecorder } from '../../src/core/history-event.ts';
import { parsePath, ROOT } from '../../src/core/paths.ts';
import { MemoryPaths } from '../../src/memory/memory-paths.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { fixedResolver } from '../../src/resolvers/fixed.ts';
import { memoryResolver } from '../../src/resolvers/memory.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';

/** Where the cases of the suite begin, below the root of {@link memoryAt}. */
export const FACTS = parsePath('/context/memory/fact');

/** A namespace with a memory whose store is in a folder. @param record is told of what memory enters into the history */
export function memoryAt(
  folder: string,
  reportBug: (error: unknown) => void,
  record: HistoryRecorder = () => {},
): SystemFs {
  const errors = new ErrorLog(systemClock);
  const memory = openMemory({
    store: openContextStore(join(folder, 'context.sqlite')),
    record,
    clock: systemClock,
    errors,
    actorOf: () => 'tester',
    sessionOf: () => 'conformance',
  });
  const resolver = memoryResolver({
    files: memory.files,
    paths: new MemoryPaths({ files: memory.files, errors, startedMs: 0 }),
    search: (query) => memory.search(query),
  });
  return new SystemFs(
    [
      { point: ROOT, resolver: fixedResolver('root', {}, 0n) },
      { point: parsePath('/context'), resolver },
    ],
    reportBug,
  );
}
