import t from 'tap';
import { mountStatusSchema } from '../../../src/cli/mount/mount-status.ts';
import { writeStatus } from '../../../src/cli/mount/status-text.ts';
import { memoryOutput } from '../memory-output.ts';
import { EXAMPLE_STATUS } from './example-status.ts';

function said(more: Record<string, unknown>): string {
  const output = memoryOutput();
  writeStatus(output, [mountStatusSchema.parse({ ...EXAMPLE_STATUS, ...more })]);
  return output.text();
}

t.test('paths with a line break are shown as a shell reads them', async (t) => {
  const output = said({ mountpoint: '/home/you/a\nb', state_dir: '/srv/c\nd' });
  t.match(output, "mount point   $'/home/you/a\\nb'\n");
  t.match(output, "state folder  $'/srv/c\\nd'\n");
});

t.test('one path that changed waits, and several wait', async (t) => {
  const indexing = { done: 1, total: 1, lag_ms: 40 };
  t.match(said({ indexing: { ...indexing, pending: 1 } }), /lag +40 ms, 1 changed path waits\n/);
  t.match(said({ indexing: { ...indexing, pending: 2 } }), /lag +40 ms, 2 changed paths wait\n/);
  const map = { file: 'kgraphfs.schema.yaml', error: null };
  t.match(said({ schema_map: { ...map, rules: 1 } }), /schema\.yaml, 1 rule\n/);
});
