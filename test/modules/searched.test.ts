import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { kgraphfs } from '../cli/run-cli.ts';
import { runHere } from '../cli/run-here.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { PETSTORE } from './petstore.ts';

const NOTES = `
export const resolver = () => ({
  at: ([name, ...rest]) =>
    rest.length > 0 ? undefined
    : name === undefined ? { folder: ['zebras.md', 'plain.txt'] }
    : name === 'zebras.md' ? { file: '# Zebras\\n\\nA Zebra is striped, and belongs to a Herd.\\n', modified: 1e12 }
    : name === 'plain.txt' ? { file: 'giraffes are tall' } : undefined,
});
`;

const LIMIT_MS = 60_000;

function project(t: Test, modules: Readonly<Record<string, unknown>>) {
  const cwd = realpathSync(temporaryFolder(t));
  const own = join(cwd, 'own/kgraphfs');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, 'docs/a.md'), '# Shop\n\nThe shop calls `POST /v1/pets` and shows a **Pet**.\n');
  writeFileSync(join(own, 'notes.mjs'), NOTES);
  writeFileSync(join(own, 'api.yaml'), PETSTORE);
  const set = (modules: Readonly<Record<string, unknown>>) =>
    writeFileSync(join(own, 'config.json'), JSON.stringify({ modules }), { mode: 0o600 });
  set(modules);
  const env = { XDG_CONFIG_HOME: join(cwd, 'own') };
  const ran = (...args: string[]) => runHere(args, { cwd, env });
  const run = async (...args: string[]) => {
    const { status, out, err } = await ran(...args);
    t.equal(status, 0, `${args.join(' ')}: ${err}`);
    return out;
  };
  return { cwd, own, set, run, ran };
}

t.test('operations of an API are documents of the graph, beside the docs, and are found', async (t) => {
  const { run, own } = project(t, { api: { module: 'openapi', file: 'api.yaml' } });
  t.match(await run('build'), /built 11 documents/);
  const node = JSON.parse(await run('vfs', 'read', '/graph/nodes/POST %2Fv1%2Fpets'));
  t.equal(node.type, 'Endpoint');
  t.ok(node.sources.includes('/modules/api/operations/v1/pets/POST.md:3'), node.sources.join(', '));
  t.ok(node.sources.includes('a.md:3'));
  const edges = node.outgoing_relationships.map(
    (edge: { edge_type: string; node: string }) => `${edge.edge_type} ${edge.node}`,
  );
  t.ok(edges.includes('requires NewPet'), edges.join(', '));
  t.ok(edges.includes('returns Pet'), edges.join(', '));
  const [place = ''] = node.outgoing_relationships[0].evidence;
  const [, path = '', line = ''] = /^(.*):(\d+)$/.exec(place) ?? [];
  t.match(
    (await run('vfs', 'read', path)).split('\n')[Number(line) - 1],
    /NewPet|Pet/,
    'evidence is a place of the mount',
  );
  t.match(JSON.parse(await run('vfs', 'read', '/graph/nodes/Pet')), { type: 'APIObject' });
  const [hit] = JSON.parse(await run('search', 'register a pet', '--json')).hits;
  t.match(hit, { path: '/modules/api/operations/v1/pets/POST.md', kind: 'document' });
  t.match(await run('search', 'in:/modules/api register'), /modules\/api\/operations\/v1\/pets\/POST\.md/);
  t.notMatch(await run('search', 'in:/docs register a pet'), /modules\/api/);
  const exact = JSON.parse(await run('vfs', 'search', 'Register a pet', '--json')).answers;
  t.same(
    exact.flatMap(({ mount, hits }: { mount: string; hits: { path: string }[] }) =>
      hits.map(({ path }) => `${mount} ${path}`),
    ),
    ['/modules /modules/api/operations/v1/pets/POST.md'],
  );
  t.same(
    JSON.parse(await run('lint', '--json')).findings ?? [],
    [],
    'what an API says is nobody’s to mend here',
  );
  t.match(await run('check'), /./);

  writeFileSync(join(own, 'api.yaml'), PETSTORE.replaceAll('/v1/pets', '/v2/pets'));
  await run('build');
  t.match(JSON.parse(await run('vfs', 'read', '/graph/nodes/POST %2Fv2%2Fpets')), { type: 'Endpoint' });
  const gone = JSON.parse(await run('vfs', 'read', '/graph/nodes/POST %2Fv1%2Fpets'));
  t.same(gone.sources, ['a.md:3'], 'only the docs speak of it now');
});

t.test('a context cites what an API says by where that is in the mount', async (t) => {
  const { run } = project(t, { api: { module: 'openapi', file: 'api.yaml' } });
  const context = await run('context', 'build', 'POST /v1/pets');
  t.match(context, /POST \/v1\/pets requires NewPet \(modules\/api\/operations\/v1\/pets\/POST\.md:\d+/);
  t.notMatch(context, 'docs//');
});

t.test('a summary of all docs has nothing of a module', async (t) => {
  const { run } = project(t, { api: { module: 'openapi', file: 'api.yaml' } });
  const summary = await run('context', 'summary', 'docs');
  t.match(summary, /\nSummary of 1 document, 1 of them in this folder itself\.\n/);
  t.notMatch(summary, '## Folders');
});

t.test('texts of a module are searched where the config says so, and are no part of the graph', async (t) => {
  const { run, set } = project(t, { notes: { module: './notes.mjs', search: true } });
  await run('build');
  const [hit] = JSON.parse(await run('search', 'striped zebra', '--json')).hits;
  t.match(hit, { path: '/modules/notes/zebras.md', kind: 'document', stale: false });
  t.match(await run('search', 'giraffes'), /modules\/notes\/plain\.txt/);
  t.match(await run('vfs', 'read', '/search/striped zebra'), /modules\/notes\/zebras\.md:3/);
  t.notMatch(await run('nodes'), /Zebra/);
  set({ notes: { module: './notes.mjs' } });
  t.notMatch(await run('search', 'shop or striped zebra'), /modules\/notes/, 'taken back with the config');
});

const SAID = `
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
export const resolver = (_config, { folder }) => {
  const text = () => readFileSync(join(folder, 'said.txt'), 'utf8');
  return {
    at: ([name]) => name === undefined ? { folder: ['said.md'] } : { file: text() },
    revision: text,
  };
};
`;

t.test('every door finds what a module says, and says now', async (t) => {
  const { cwd, own, run, ran } = project(t, { said: { module: './said.mjs', search: true } });
  const env = { XDG_CONFIG_HOME: join(cwd, 'own') };
  writeFileSync(join(own, 'said.mjs'), SAID);
  writeFileSync(join(own, 'said.txt'), 'A quokka smiles.\n');
  const call = { name: 'search_files', arguments: { query: 'quokka' } };
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })}\n`;
  const served = kgraphfs(['mcp', '--no-start', '--docs', join(cwd, 'docs')], { input, env });
  t.match(served.out, /modules\/said\/said\.md/, 'a server that keeps the index itself');
  for (const asked of [
    ['search', 'quokka'],
    ['search', 'uokka', '--contains', 'uokk'],
    ['vfs', 'search', 'quokka'],
    ['vfs', 'read', '/search/quokka'],
    ['tools', 'call', 'search_files', '{"query": "quokka"}'],
  ])
    t.match(await run(...asked), /modules\/said\/said\.md/, asked.join(' '));
  t.match(await ran('search', 'quokka', '--scope', '/docs'), { status: 1 });

  writeFileSync(join(own, 'said.txt'), 'A wombat digs.\n');
  const searchLater = async () => {
    const before = new Date(Date.now() - 60_000);
    utimesSync(join(cwd, '.kgraphfs/modules/said/texts.json'), before, before);
    return (await ran('search', 'wombat')).out;
  };
  // On a busy machine a module may take longer than a search waits for it; the next one asks again.
  const endMs = Date.now() + LIMIT_MS;
  let found = await searchLater();
  while (found === '' && Date.now() < endMs) found = await searchLater();
  t.match(found, /modules\/said\/said\.md/, 'it was looked at again');
});

t.test('a module that is slow is waited for only where nothing is kept of it', async (t) => {
  const { cwd, own, run, ran } = project(t, { said: { module: './said.mjs', search: true } });
  writeFileSync(join(own, 'said.mjs'), SAID);
  writeFileSync(join(own, 'said.txt'), 'A quokka smiles.\n');
  await run('search', 'quokka');
  writeFileSync(
    join(own, 'said.mjs'),
    SAID.replace('revision: text', 'revision: () => new Promise(() => {})'),
  );
  const before = new Date(Date.now() - 60_000);
  utimesSync(join(cwd, '.kgraphfs/modules/said/texts.json'), before, before);
  t.match(await ran('search', 'quokka'), {
    status: 0,
    out: /modules\/said\/said\.md/,
    err: /not all answered within 2000 ms/,
  });
  t.match(await ran('search', 'quokka'), { status: 0, err: '' }, 'for some seconds nobody looks again');
});

t.test('no link in a state folder that came with a repository is followed for a module', async (t) => {
  const { cwd, run, ran } = project(t, { notes: { module: './notes.mjs', search: true } });
  const outside = join(cwd, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'private.md'), '# Private\n\nThe wombat is secret.\n');
  const kept = join(cwd, '.kgraphfs/modules/notes');
  mkdirSync(kept, { recursive: true });
  symlinkSync(outside, join(kept, 'texts'));
  writeFileSync(join(kept, 'texts.json'), '{"revision": null, "readMs": 9e15, "files": {}}');
  t.notMatch(await run('search', 'shop or secret wombat'), /private/, 'not read');
  await run('build');
  t.same(readdirSync(outside), ['private.md'], 'nothing is written or removed there');
  t.notMatch(await run('search', 'shop or secret wombat'), /private/);

  rmSync(join(cwd, '.kgraphfs/modules'), { recursive: true });
  mkdirSync(join(kept, 'texts'), { recursive: true });
  symlinkSync(outside, join(kept, 'texts/folder'));
  symlinkSync(join(outside, 'private.md'), join(kept, 'texts/zebras.md'));
  await run('build');
  t.match(await run('search', 'striped zebra'), /modules\/notes\/zebras\.md/);
  t.match(readFileSync(join(outside, 'private.md'), 'utf8'), /wombat/);
  t.notMatch(await run('search', 'shop or secret wombat'), /folder/);

  rmSync(join(cwd, '.kgraphfs/modules'), { recursive: true });
  symlinkSync(outside, join(cwd, '.kgraphfs/modules'));
  t.match(await ran('build'), { status: 1, err: /\.kgraphfs\/modules: it is a link/ });
  t.same(readdirSync(outside), ['private.md']);
  t.match(await ran('vfs', 'list', '/modules/notes'), {
    status: 1,
    err: /\.kgraphfs\/modules: it is a link/,
  });
});
