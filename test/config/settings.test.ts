import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { hasConfigFile } from '../../src/config/config-file.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { UserError } from '../../src/core/errors.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

function project(t: Teardown, folders: readonly string[], config?: string): string {
  const folder = realpathSync(temporaryFolder(t));
  for (const name of folders) mkdirSync(join(folder, name), { recursive: true });
  if (config !== undefined) writeFileSync(join(folder, 'kgraphfs.config.json'), config);
  return folder;
}

function failure(action: () => unknown): { message: string; exitStatus: number } {
  try {
    action();
  } catch (error) {
    if (error instanceof UserError) return { message: error.message, exitStatus: error.exitStatus };
    throw error;
  }
  return { message: 'nothing was thrown', exitStatus: 0 };
}

t.test('the docs root is the flag, else the config, else ./docs, else the current folder', async (t) => {
  const config = '{"docs": "handbook"}';
  const folder = project(t, ['docs', 'handbook', 'given'], config);
  t.equal(loadSettings({ docs: 'given' }, folder).docs, join(folder, 'given'));
  t.equal(loadSettings({}, folder).docs, join(folder, 'handbook'));
  const plain = project(t, ['docs']);
  t.equal(loadSettings({}, plain).docs, join(plain, 'docs'));
  const bare = project(t, []);
  t.equal(loadSettings({}, bare).docs, bare);
});

t.test(
  'the state folder lies beside the docs, and inside a docs root that is the current folder',
  async (t) => {
    const folder = project(t, ['docs']);
    t.equal(loadSettings({}, folder).state, join(folder, '.kgraphfs'));
    t.equal(loadSettings({ state: 'elsewhere' }, folder).state, join(folder, 'elsewhere'));
    const bare = project(t, []);
    t.equal(loadSettings({}, bare).state, join(bare, '.kgraphfs'));
  },
);

t.test('paths in a config file are relative to the file', async (t) => {
  const folder = project(t, ['a/docs', 'work']);
  writeFileSync(join(folder, 'a', 'my.json'), '{"docs": "docs", "state": "state"}');
  const settings = loadSettings({ config: '../a/my.json' }, join(folder, 'work'));
  t.equal(settings.docs, join(folder, 'a/docs'));
  t.equal(settings.state, join(folder, 'a/state'));
});

t.test('a wrong config is named by file and key, or by line and column', async (t) => {
  const wrong = (config: string) => failure(() => loadSettings({}, project(t, ['docs'], config)));
  t.match(wrong('{"docs": "docs",\n "search": {"k": 3},\n "docs": "other"}'), {
    message: /kgraphfs\.config\.json:3:2: docs: this key is given twice, first in line 1$/,
    exitStatus: 2,
  });
  t.match(
    wrong('{"search": {"k": 3,\n "\\u006b": 4}}').message,
    /kgraphfs\.config\.json:2:2: search\.k: this key is given twice, first in line 1$/,
  );
  t.match(wrong('{"dosc": "x"}'), { message: /kgraphfs\.config\.json:1:2: unknown key dosc/, exitStatus: 2 });
  t.match(
    wrong('{"mount": {"driver": "nfs"}}').message,
    /kgraphfs\.config\.json:1:12: mount\.driver: .*fuse-native/,
  );
  t.match(wrong('{"index": {"maxDocumentBytes": -1}}').message, /index\.maxDocumentBytes/);
  t.match(wrong('{\n  "docs": "x",,\n}').message, /kgraphfs\.config\.json:2:15: this is not JSON/);
  const faults: [string, string][] = [
    ['// c\n{"docs":"docs"}', "1:1: this is not JSON: Unexpected token '/'"],
    ['{\n  "docs": docs\n}', "2:11: this is not JSON: Unexpected token 'd'"],
    [
      '{\n  "docs": "docs",\n  "mount": {"readOnly": yes}\n}\n',
      "3:25: this is not JSON: Unexpected token 'y'",
    ],
    ['{"docs": "docs"', '1:16: this is not JSON: '],
    ['{\n  "docs": "do\ncs"}', '2:14: this is not JSON: '],
    ['', '1:1: this is not JSON: '],
  ];
  for (const [text, fault] of faults) {
    const { message } = wrong(text);
    t.match(message.slice(message.indexOf('.json:') + 6), new RegExp(`^${fault}[^\\n]*$`), text);
  }
  t.match(wrong('[]').message, /kgraphfs\.config\.json:1:1: the whole file/);
});

t.test('how rankings are joined is in the config, each part by itself', async (t) => {
  const usual = loadSettings({}, project(t, ['docs'])).search;
  t.same(usual, { k: 60, weights: { keyword: 1, graph: 3, vector: 1, recency: 1 } });
  const config = '{"search": {"k": 20, "weights": {"graph": 0, "vector": 2.5}}}';
  const { k, weights } = loadSettings({}, project(t, ['docs'], config)).search;
  t.same({ k, weights }, { k: 20, weights: { ...usual.weights, graph: 0, vector: 2.5 } });
  const wrong = (text: string) => failure(() => loadSettings({}, project(t, ['docs'], text))).message;
  t.match(wrong('{"search": {"k": 0}}'), /search\.k/);
  t.match(wrong('{"search": {"weights": {"keyword": -1}}}'), /search\.weights\.keyword/);
  const none = wrong('{"search": {"weights": {"keyword": 0, "graph": 0, "vector": 0, "recency": 1}}}');
  t.match(none, /search\.weights: keyword, graph and vector cannot all be 0/);
  t.match(wrong('{"search": {"weights": {"words": 1}}}'), /unknown key search\.weights\.words/);
});

t.test('a config file can neither let others in nor have its state kept elsewhere', async (t) => {
  const wrong = (config: string) => failure(() => loadSettings({}, project(t, ['docs'], config)));
  t.match(wrong('{"mount": {"allowOther": true}}').message, /unknown key mount\.allowOther/);
  t.match(wrong('{"state": "../elsewhere"}'), { message: /elsewhere: .*--state/, exitStatus: 2 });
  const folder = project(t, ['docs'], '{"state": "cache/state"}');
  t.equal(loadSettings({}, folder).state, join(folder, 'cache/state'));
});

t.test('a docs folder or config file that is not there is named', async (t) => {
  const folder = project(t, []);
  t.match(
    failure(() => loadSettings({ docs: 'nope' }, folder)).message,
    /nope: there is no such folder \(--docs\)/,
  );
  t.match(
    failure(() => loadSettings({ config: 'none.json' }, folder)),
    { message: /none\.json: the config file cannot be read/, exitStatus: 2 },
  );
  writeFileSync(join(folder, 'file'), '');
  const why = (docs: string) => failure(() => loadSettings({ docs }, folder)).message;
  t.match(why('file'), /file: this is not a folder \(--docs\)/);
  t.match(why('file/docs'), /there is no such folder/);
});

t.test('a config file that is found must be a file, and one that is a link must lead to one', async (t) => {
  const folder = project(t, ['docs']);
  const file = join(folder, 'kgraphfs.config.json');
  const why = () => failure(() => loadSettings({}, folder));
  symlinkSync('gone.json', file);
  t.match(why(), { message: /\.json: the config file is a link that leads nowhere; correct/, exitStatus: 2 });
  t.ok(hasConfigFile(folder, undefined), 'no command goes on with the defaults');
  rmSync(file);
  symlinkSync('/dev/null', file);
  t.match(why(), { message: /\.json: the config file is no ordinary file; correct/, exitStatus: 2 });
  writeFileSync(join(folder, 'real.json'), '{"state": "cache"}');
  rmSync(file);
  symlinkSync('real.json', file);
  t.equal(loadSettings({}, folder).state, join(folder, 'cache'));
});

t.test('a templates folder that is not there is named, except to who looks for a daemon', async (t) => {
  const folder = project(t, ['docs'], '{\n  "templates": "forms"\n}');
  const why = () => failure(() => loadSettings({}, folder));
  t.match(why(), {
    message:
      /config\.json:2:3: templates: there is no such folder: .*forms; make it, or remove this setting$/,
    exitStatus: 2,
  });
  t.equal(loadSettings({ mayMissDocs: true }, folder).templates, join(folder, 'forms'));
  writeFileSync(join(folder, 'forms'), '');
  t.match(why().message, /templates: this is not a folder: /);
});

t.test('values that make no sense are refused, each by its key', async (t) => {
  const wrong = (text: string) => failure(() => loadSettings({}, project(t, ['docs'], text)));
  const cases = [
    ['{"memory": {"removedDays": 1e99}}', /1:13: memory\.removedDays: it has to be at most 36500$/],
    ['{"scratchpad": {"keepDays": 36501}}', /scratchpad\.keepDays: it has to be at most 36500$/],
    ['{"history": {"keepDays": 1e308}}', /history\.keepDays: it has to be at most 36500$/],
    [
      '{"llm": {"baseUrl": "no url"}}',
      /1:10: llm\.baseUrl: it has to be the address of an API; one looks like http/,
    ],
    [
      '{"llm": {"baseUrl": "http://u:secret@h/v1"}}',
      /llm\.baseUrl: it holds a name, password or query; a key/,
    ],
    ['{"llm": {"model": "  "}}', /llm\.model: it has to be the name of a model$/],
    [
      '{"search": {"embeddings": {"baseUrl": "ftp://x/v1"}}}',
      /search\.embeddings\.baseUrl: it has to be the address/,
    ],
    [
      '{"search": {"embeddings": {"model": " "}}}',
      /search\.embeddings\.model: it has to be the name of a model$/,
    ],
    ['{"docs": "a\\u0000b"}', /1:2: docs: a path cannot contain the character NUL$/],
    ['{"docs": ["a", "a\\u0000b"]}', /docs\.1: a path cannot contain the character NUL$/],
    ['{"state": "a\\u0000b"}', /1:2: state: a path cannot contain the character NUL$/],
  ] as const;
  for (const [text, message] of cases) t.match(wrong(text), { message, exitStatus: 2 }, text);
  t.notMatch(wrong('{"llm": {"baseUrl": "http://u:secret@h/v1"}}').message, /secret/);
  t.match(wrong('{"history": {"keepDays": 36500}}').message, /nothing was thrown/);
});

t.test('what is wrong in a config file is named with its line and column', async (t) => {
  const text =
    '{\n  "docs": ["docs"],\n  "mount": {\n    "readOnly": 3, "speed": 1\n  },\n  "exclude": ["a:{b", "\\"",\n    5]\n}';
  const folder = project(t, ['docs'], text);
  const { message } = failure(() => loadSettings({}, folder));
  const file = join(folder, 'kgraphfs.config.json');
  t.same(
    message
      .split('\n')
      .map((line) => line.replace(file, '').replace(/: it has to be.*/, ''))
      .sort(),
    [
      ':4:20: unknown key mount.speed; known here: driver, readOnly',
      ':4:5: mount.readOnly',
      ':7:5: exclude.2',
    ],
  );
  const list = project(t, ['docs'], ' []');
  t.match(
    failure(() => loadSettings({}, list)),
    { message: /:1:2: the whole file: /, exitStatus: 2 },
  );
});

t.test('a config file may begin with a byte order mark', async (t) => {
  const folder = project(t, ['handbook'], '\uFEFF{"docs": "handbook"}');
  t.equal(loadSettings({}, folder).docs, join(folder, 'handbook'));
});
