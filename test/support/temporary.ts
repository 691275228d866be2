import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a tap test offers for cleaning up. */
export interface Teardown {
  teardown(action: () => unknown): void;
}

/** An empty folder that is gone when the test has ended. */
export function temporaryFolder(t: Teardown): string {
  const folder = mkdtempSync(join(tmpdir(), 'kgraphfs-test-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
