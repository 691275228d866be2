import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { runHere } from '../cli/run-here.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** The sample of a spec-driven workflow, in a project that reads it by the ready map unless said otherwise. */
function project(t: Teardown, config: unknown = { docs: 'specs', schemaMap: 'spec-driven' }) {
  const cwd = temporaryFolder(t);
  cpSync('test/fixtures/spec-driven', join(cwd, 'specs'), { recursive: true });
  writeFileSync(join(cwd, 'kgraphfs.config.json'), JSON.stringify(config));
  const run = (...args: string[]) => runHere(args, { cwd });
  return {
    cwd,
    run,
    ask: async (...args: string[]) => {
      const { status, out, err } = await run(...args, '--json');
      if (status !== 0) throw new Error(err);
      const answer: unknown = JSON.parse(out);
      return answer;
    },
  };
}

/** Edges that the ready map adds, as `schema check` shows them. */
const EDGES = [
  'A code runs out child_of Self-service pickup',
  'A code runs out implements Codes as messages',
  'Codes as messages supersedes Ask for codes',
  'Door driver implements Door protocol',
  'Open a locker with a code blocks A code runs out',
  'Open a locker with a code child_of Self-service pickup',
  'Self-service pickup child_of Parcel lockers at stations',
];

t.test('schema check shows what the ready map makes of specifications, and apply does it', async (t) => {
  const { cwd, run, ask } = project(t, { docs: 'specs' });
  t.equal((await run('build')).status, 0);
  const change = await ask('schema', 'check', 'spec-driven');
  t.match(change, {
    map: 'spec-driven',
    documents_read: 8,
    nodes: {
      changed: [
        'A code runs out (Document) -> A code runs out (Story)',
        'Ask for codes (Document) -> Ask for codes (ADR)',
        'Codes as messages (Document) -> Codes as messages (ADR)',
        'Locker controller (Document) -> Locker controller (Architecture)',
        'Open a locker with a code (Document) -> Open a locker with a code (Story)',
        'Parcel lockers at stations (Document) -> Parcel lockers at stations (PRD)',
        'Self-service pickup (Document) -> Self-service pickup (Epic)',
      ],
    },
  });
  t.same(
    EDGES.filter((edge) => !JSON.stringify(change).includes(JSON.stringify(edge))),
    [],
  );
  t.match(await ask('nodes'), [{ type: 'Document' }], 'nothing was changed by that');

  writeFileSync(
    join(cwd, 'kgraphfs.config.json'),
    JSON.stringify({ docs: 'specs', schemaMap: 'spec-driven' }),
  );
  t.match(await ask('schema', 'apply'), { rules: 32, documents: 8, documents_read: 8 });
  t.match(await ask('schema', 'check'), {
    documents_read: 0,
    nodes: { gained: { length: 0 }, lost: { length: 0 }, changed: { length: 0 } },
  });
  t.match(await ask('query', 'Parcel lockers at stations'), {
    type: 'PRD',
    properties: { status: 'approved', owner: 'Logistics' },
    incoming_relationships: [{ edge_type: 'child_of', node: 'Self-service pickup' }],
  });
  t.match(await run('lint'), { status: 0, out: '' });
});

t.test('what was edited and not indexed yet is no part of what a map would change', async (t) => {
  const { cwd, run, ask } = project(t);
  t.equal((await run('build')).status, 0);
  writeFileSync(join(cwd, 'specs/prd/more.md'), '# More\n\n**Kiosk** requires **Power**.\n');
  t.match(await ask('schema', 'check'), {
    documents_read: 0,
    nodes: { gained: { length: 0 }, lost: { length: 0 }, changed: { length: 0 } },
    edges: { gained: { length: 0 }, lost: { length: 0 }, changed: { length: 0 } },
  });
});
