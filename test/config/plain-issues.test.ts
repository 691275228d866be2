import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { z } from 'zod';
import { parseConfig } from '../../src/config/load.ts';
import { chooseModules } from '../../src/config/modules.ts';
import { configSchema } from '../../src/config/schema.ts';
import { plainIssues } from '../../src/core/plain-issues.ts';
import { temporaryFolder } from '../support/temporary.ts';

const FILE = join(temporaryFolder(t), 'kgraphfs.config.json');
writeFileSync(FILE, '');
const NOBODY = { XDG_CONFIG_HOME: '/nowhere' };

function said(config: unknown): string {
  try {
    parseConfig(configSchema, JSON.stringify(config), FILE);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
}

function refused(modules: Record<string, unknown>): string {
  const asked = { asked: modules, file: FILE, text: JSON.stringify({ modules }) };
  return chooseModules(asked, NOBODY)
    .refused.map(({ reason }) => reason)
    .join('\n');
}

t.test('a value of the wrong kind is said with its key and what it has to be', (t) => {
  t.equal(said({ state: 7 }), `${FILE}:1:2: state: it has to be a text in quotation marks`);
  t.equal(said({ state: [] }), `${FILE}:1:2: state: it has to be a text in quotation marks`, 'once');
  t.equal(said({ index: null }), `${FILE}:1:2: index: it has to be an object in braces`);
  t.equal(
    said({ mount: { driver: 7 } }),
    `${FILE}:1:11: mount.driver: it has to be "linux" or "fuse-native"`,
  );
  t.equal(said({ search: { k: -1 } }), `${FILE}:1:12: search.k: it has to be more than 0`);
  t.equal(said([]), `${FILE}:1:1: the whole file: it has to be an object in braces`);
  t.end();
});

t.test('of several choices that is named which is wrong in the one that was meant', (t) => {
  t.equal(said({ llm: { model: 7 } }), `${FILE}:1:9: llm.model: it has to be a text in quotation marks`);
  t.match(said({ docs: [{ name: 7, path: 'docs' }] }), /: docs\.0\.name: it has to be a text/);
  t.match(said({ docs: [7] }), /: docs\.0: a folder, or a list/);
  t.equal(said({ llm: { mdoel: 'x' } }), `${FILE}:1:9: unknown key llm.mdoel; did you mean model?`);
  t.end();
});

t.test('beside a key that there is not stands the one that was meant, or those that there are', (t) => {
  const after = (config: unknown) => said(config).replace(/^.*?: /, '');
  t.equal(after({ docz: 'docs' }), 'unknown key docz; did you mean docs?');
  t.equal(after({ memory: { max: 1 } }), 'unknown key memory.max; known here: maxEntryBytes, removedDays');
  t.equal(
    after({ lint: { rules: { 'broken-lnk': 'off' } } }),
    'unknown key lint.rules.broken-lnk; did you mean broken-link?',
  );
  const price = { input: 3, output: 15, inptu: 1 };
  t.equal(after({ llm: { price } }), 'unknown key llm.price.inptu; did you mean input?');
  t.equal(
    after({ docs: [{ name: 'a', path: 'a', pahts: 'b' }] }),
    'unknown key docs.0.pahts; known here: name, path',
  );
  t.match(after({ colour: 'red' }), /^unknown key colour; known here: docs, include, exclude, state, /);
  t.end();
});

t.test(
  'whatever JSON a config is, what is wrong names file and line, and is in no words of a program',
  (t) => {
    const keys = fc.constantFrom(...Object.keys(configSchema.shape));
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue({ maxDepth: 3 })), (config) => {
        for (const line of said(config).split('\n').filter(Boolean)) {
          if (!line.startsWith(`${FILE}:1:`)) return false;
          if (/undefined|Invalid|expected|\[object/.test(line)) return false;
        }
        return true;
      }),
    );
    t.end();
  },
);

t.test('a module that is named wrongly is told which value is wrong, and what would be right', (t) => {
  const which =
    'it has to be a built-in module (git, github, mcp, openapi), or the path of a file, such as "./team.mjs"';
  for (const module of [7, null, [], {}, '', undefined])
    t.match(refused({ team: { module } }), `modules.team.module: ${which}`);
  t.match(refused({ team: 7 }), 'modules.team: it has to be an object such as {"module": "git"}');
  t.match(
    refused({ team: { module: 'git', search: 'yes' } }),
    'modules.team.search: it has to be true or false',
  );
  t.match(
    refused({ team: { module: 'git', timeoutMs: 1 } }),
    'modules.team.timeoutMs: it has to be at least 50',
  );
  t.end();
});

t.test('what a module of a stranger would start or ask is shown as it is written, whatever it is', (t) => {
  t.match(
    refused({ a: { module: 'mcp', command: 'x', args: [7, { b: 1 }] } }),
    'the program "x 7 {"b":1}" is started',
  );
  t.equal(refused({ a: { module: 'mcp' } }), '', 'it names nothing to start: the module itself says so');
  t.equal(refused({ a: { module: 'mcp', command: 7 } }), '');
  t.match(refused({ a: { module: 'mcp', command: 'x', url: 7 } }), 'the program "x" is started');
  t.match(refused({ a: { module: 'github', baseUrl: {} } }), 'go to https://api.github.com');
  t.end();
});

t.test('words that a schema has of its own stay, and so do those of another library', (t) => {
  const result = z
    .strictObject({ a: z.string('letters only'), b: z.url() })
    .safeParse({ a: 1, b: 'x', c: 2 });
  t.same(
    plainIssues(result.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`),
    [
      'a: letters only',
      'b: it has to be a URL, such as "https://api.example.org"',
      'c: there is no such key',
    ],
  );
  t.same(plainIssues([{ path: ['a'], message: 'Required', code: 'invalid_type' }]), [
    { path: ['a'], message: 'Required', isUnknownKey: false },
  ]);
  t.end();
});

t.test('of more modules than there may be the first too many says so, and the others run', (t) => {
  const modules = Object.fromEntries(
    Array.from({ length: 52 }, (_, index) => [`m${index + 1}`, { module: 'git' }]),
  );
  const asked = { asked: modules, file: FILE, text: JSON.stringify({ modules }) };
  const choices = chooseModules(asked, NOBODY);
  t.equal(choices.modules.length, 50);
  t.match(choices.refused, [
    { name: 'm51', reason: /:1:\d+: modules\.m51: a config has 50 modules at most, and this one has 52: / },
  ]);
  t.equal(choices.refused.length, 1);
  t.end();
});
