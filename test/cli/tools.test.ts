import { join } from 'node:path';
import t from 'tap';
import { TOOLS } from '../../src/toolkit/toolkit.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

const place = ['--docs', 'docs/sample', '--state', join(temporaryFolder(t), 'state')];

async function call(tool: string, args: object, ...rest: string[]) {
  const ran = await runHere(['tools', 'call', tool, JSON.stringify(args), ...rest, ...place]);
  return { status: ran.status, reply: ran.out === '' ? undefined : JSON.parse(ran.out), err: ran.err };
}

t.test('all tools are listed, for people and as functions of the API', async (t) => {
  const { out } = await runHere(['tools']);
  for (const { name } of TOOLS) t.ok(out.includes(`${name} `), name);
  t.match(out, /get_dependencies node \[direction\] \[depth\]/);
  const functions: { type: string; function: { name: string; parameters: object } }[] = JSON.parse(
    (await runHere(['tools', '--json'])).out,
  );
  t.same(
    functions.map((one) => one.function.name),
    TOOLS.map(({ name }) => name),
  );
  t.match(functions[1], {
    type: 'function',
    function: { parameters: { type: 'object', required: ['node'] } },
  });
});

t.test('a tool answers by hand as it does a model, within a ceiling', async (t) => {
  const small = ['--max-tokens', '250'];
  const { status, reply } = await call('navigate', { node: 'Charge' }, ...small);
  t.equal(status, 0);
  t.match(reply, { call: { tool: 'navigate', args: { node: 'Charge' } }, more: { left: Number } });
  const next = await call(reply.more.call.tool, reply.more.call.args, ...small);
  t.notSame(next.reply.neighbours[0], reply.neighbours[0]);
});

t.test('each call that an answer gives for the rest is one that its tool takes', async (t) => {
  const asked: Readonly<Record<string, object>> = {
    search_files: { query: 'charge', top_k: 5 },
    vfs_search: { query: 'charge', top_k: 5 },
    search_topology: { query: 'charge', top_k: 10 },
    query_knowledge: { query: 'How is a charge refunded?', top_k: 10, depth: 0 },
    get_dependencies: { node: 'Subscription', depth: 3 },
    inspect: { node: 'Charge' },
    search_graph: { query: 'char' },
    vfs_list: { path: '/graph/nodes' },
    vfs_read: { path: '/graph/nodes/Charge' },
  };
  for (const [tool, args] of Object.entries(asked)) {
    const { reply } = await call(tool, args, '--max-tokens', '300');
    t.ok(reply.more, `${tool} has more`);
    const { tool: again, args: rest } = reply.more.call;
    t.match(await call(again, rest, '--max-tokens', '300'), { status: 0, reply: { call: { tool } } });
  }
});

t.test('what a model gets wrong is told with what would be right', async (t) => {
  const wrong: readonly (readonly [tool: string, args: object, message: RegExp])[] = [
    ['navigat', {}, /the tools are query_knowledge, navigate/],
    ['navigate', { node: 'Chrage' }, /did you mean "Charge"/],
    [
      'navigate',
      { node: 'Charge', edge_types: ['trigers'] },
      /no edge type "trigers"; the types are .*triggers/,
    ],
    ['get_dependencies', { node: 'Charge', depth: 6 }, /depth/],
    ['query_knowledge', { query: 'x', top_k: 21 }, /top_k/],
    ['query_knowledge', { query: 'x', path_regex: '(' }, /path_regex/],
    ['vfs_read', { path: '/../../etc/passwd' }, /\.\.|EINVAL|path/],
    ['vfs_write', { path: '/docs/x.md', content: 'x' }, /tools write below \/context\/memory/],
  ];
  for (const [tool, args, message] of wrong) {
    const { status, reply } = await call(tool, args);
    t.equal(status, 1, tool);
    t.match(reply.error.message, message);
  }
  const { status, err } = await runHere(['tools', 'call', 'navigate', '[1]', ...place]);
  t.match({ status, err }, { status: 2, err: /not a JSON object/ });
});

t.test('filters of query_knowledge narrow what is found', async (t) => {
  const question = 'How is a charge refunded?';
  const paths = async (more: object): Promise<string[]> => {
    const { reply } = await call(
      'query_knowledge',
      { query: question, top_k: 20, ...more },
      '--max-tokens',
      '20000',
    );
    return reply.hits.map(({ path }: { path: string }) => path);
  };
  const charges = await paths({ path_regex: '^/docs/charges/' });
  t.ok(charges.length > 0);
  t.ok(charges.every((path) => path.startsWith('/docs/charges/')));
  t.ok((await paths({ keyword: 'CHARGE.REFUNDED' })).length > 0);
  t.same(await paths({ keyword: 'stands nowhere in there' }), []);
  t.same(await paths({}), await paths({}), 'the same twice');
});
