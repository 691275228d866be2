/** The package as npm packs it: in an empty folder, with what it depends on, and nothing of this one. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import t from 'tap';
import { z } from 'zod';
import { VERSION } from '../../src/core/version.ts';
import { startChatServer } from '../support/chat-server.ts';
import { temporaryFolder } from '../support/temporary.ts';

const packageSchema = z.object({
  dependencies: z.record(z.string(), z.string()),
  bin: z.record(z.string(), z.string()),
});
const EXAMPLES = ['library', 'openai-tools', 'langchain-tools', 'mcp-client'];
const LIMIT_MS = 240_000;
/** What a host that runs examples has beside it: the models' own library, and LangChain's core. */
const OF_HOST = ['openai', '@langchain/core', '@modelcontextprotocol/sdk', '@types/node', 'typescript'];

const folder = temporaryFolder(t);
const installed = join(folder, 'node_modules', 'kgraphfs');
const env = {
  ...process.env,
  PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
  XDG_CONFIG_HOME: join(folder, 'config'),
};

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: folder, env, encoding: 'utf8', timeout: LIMIT_MS });
}

/** Files below a folder, relative to it; of what is large and never packed, one each. */
function namesOf(top: string): string[] {
  return readdirSync(top, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', '.git', 'build'].includes(entry.name)) return [join(entry.name, 'index.js')];
    if (!entry.isDirectory()) return entry.isFile() ? [entry.name] : [];
    return readdirSync(join(top, entry.name), { recursive: true, withFileTypes: true })
      .filter((below) => below.isFile())
      .map((below) => relative(top, join(below.parentPath, below.name)));
  });
}

t.before(() => {
  // npm chooses by names alone, and takes longer to compress all that it packs than all of the rest here: it is given files without content.
  const names = join(folder, 'names');
  for (const name of namesOf('.')) {
    mkdirSync(dirname(join(names, name)), { recursive: true });
    writeFileSync(join(names, name), '');
  }
  cpSync('package.json', join(names, 'package.json'));
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: names,
    encoding: 'utf8',
  });
  mkdirSync(installed, { recursive: true });
  run('tar', 'xf', packed.trim(), '-C', installed, '--strip-components=1');
  for (const name of namesOf(installed)) copyFileSync(name, join(installed, name));
  // Offline, as nothing is to be downloaded: what npm would install is linked.
  const { dependencies, bin } = packageSchema.parse(
    JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')),
  );
  for (const name of new Set([...Object.keys(dependencies), ...OF_HOST])) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve('node_modules', name), link);
  }
  mkdirSync(join(folder, 'bin'));
  for (const [name, file] of Object.entries(bin)) {
    chmodSync(join(installed, file), 0o755);
    symlinkSync(join(installed, file), join(folder, 'bin', name));
  }
  cpSync('docs/sample', join(folder, 'docs'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}\n');
});

t.test('it brings what it needs, and no sources, tests or samples of others', async (t) => {
  for (const file of ['gemini-extension.json', 'commands/kgraphfs/answer.toml', 'docs/guide.md', 'LICENSE'])
    t.ok(existsSync(join(installed, file)), file);
  for (const file of ['src', 'test', '.git', 'node_modules'])
    t.notOk(existsSync(join(installed, file)), file);
});

t.test('its commands run', async (t) => {
  t.equal(run('kgraphfs', '--version'), `${VERSION}\n`);
  const input = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const answer = execFileSync('kgraphfs', ['mcp', '--no-start'], {
    cwd: folder,
    env,
    encoding: 'utf8',
    input: `${JSON.stringify(input)}\n`,
  });
  t.equal(JSON.parse(answer).result.tools.length, 16);
  t.match(run('kgraphfs', 'vfs', 'read', '/graph/nodes/Charge'), /"entity": "Charge"/);
});

t.test('its library is imported, with types', async (t) => {
  const host = `import { openContext, type Context } from 'kgraphfs';
import { langChainTools } from 'kgraphfs/langchain';
export async function steps(): Promise<number | undefined> {
  const context: Context = await openContext({ docs: 'docs', watch: false });
  const tools: { name: string }[] = langChainTools(context);
  const length: number | undefined = context.connect('Subscription', 'Charge')?.path_length;
  // @ts-expect-error there is no such relation
  context.relate('a', 'resembles', 'b');
  await context.close();
  return tools.length > 0 ? length : undefined;
}
`;
  writeFileSync(join(folder, 'host.ts'), host);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  t.equal(run('node', resolve('node_modules/typescript/bin/tsc'), ...options, 'host.ts'), '');
});

t.test('the examples of the documentation run', async (t) => {
  const page = readFileSync('docs/library.md', 'utf8');
  for (const name of EXAMPLES) {
    const text = readFileSync(join('examples', `${name}.mjs`), 'utf8');
    t.ok(page.includes(`\`\`\`js\n${text}\`\`\``), `docs/library.md shows examples/${name}.mjs`);
  }
  const example = (name: string, ...args: string[]) =>
    run('node', join(installed, 'examples', `${name}.mjs`), ...args);
  const library = example('library', 'docs');
  t.match(
    library,
    /^\/docs\/.*\.md:\d+\nSubscription → Invoice → Charge → charge\.succeeded\nfact\/renewals 0\.9\n\d+ tokens about Subscription\n/,
  );
  t.match(
    example('langchain-tools', 'docs', 'Subscription', 'charge.succeeded'),
    /^Subscription generates Invoice generates Charge triggers charge\.succeeded\n$/,
  );
  t.match(example('mcp-client', 'docs', 'How do refunds work?'), /^\/docs\/.*refund/m);
  run('kgraphfs', 'stop');
});

t.test('the example with a model calls the tools that the model asks for', async (t) => {
  const server = await startChatServer();
  t.teardown(() => server.close());
  const request = { name: 'connect', arguments: '{"from": "Subscription", "to": "Charge"}' };
  const whole = (message: object) => ({
    whole: { choices: [{ index: 0, message: { role: 'assistant', ...message } }] },
  });
  server.script(
    whole({ content: null, tool_calls: [{ id: 'call_1', type: 'function', function: request }] }),
    (seen) =>
      whole({ content: `It takes ${JSON.parse(String(seen.messages.at(-1)?.content)).path_length} steps.` }),
  );
  const child = spawn('node', [join(installed, 'examples/openai-tools.mjs'), 'docs', 'How?'], {
    cwd: folder,
    env: { ...env, OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: server.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  t.equal(Buffer.concat(chunks).toString(), 'It takes 2 steps.\n');
  t.equal(server.requests[0]?.tools?.length, 16);
});
