import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import {
  type Progress,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import t from 'tap';
import { UserError } from '../../src/core/errors.ts';
import { openServer, type ServerOptions } from '../../src/mcp/server.ts';
import type { Teardown } from '../support/temporary.ts';
import { doorTo, sampleProject } from './sample-project.ts';

/** For those who change nothing. */
const shared = await sampleProject(t);

async function connect(t: Teardown, options: ServerOptions, name = 'test-client'): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name, version: '1' });
  await openServer(options).connect(ours);
  await client.connect(theirs);
  t.teardown(() => client.close());
  return client;
}

/** The parts of a resource's or a tool's answer that tests look at. */
function textOf(contents: readonly unknown[]): string {
  const [first] = contents;
  return typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : '';
}

t.test('tools are described with schemas and hints, and answer with structure', async (t) => {
  const { options, calls } = await sampleProject(t);
  const client = await connect(t, options);
  t.match(client.getServerVersion(), { name: 'kgraphfs', version: '1.2.3' });
  const { tools } = await client.listTools();
  t.equal(tools.length, 16);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  t.notMatch(
    JSON.stringify(tools),
    /"(args|additionalProperties)":\{\}/,
    'each schema says something, as the APIs of models want it',
  );
  t.match(byName.get('navigate'), {
    title: 'Navigate',
    inputSchema: { type: 'object', required: ['node'] },
    outputSchema: { type: 'object', required: ['call', 'duration_ms', 'revision'] },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  });
  t.match(byName.get('memory_forget')?.annotations, { readOnlyHint: false, destructiveHint: true });
  t.match(byName.get('memory_relate')?.annotations, { readOnlyHint: false, destructiveHint: false });
  // The client holds each answer against the schema.
  const reply = await client.callTool({ name: 'navigate', arguments: { node: 'charges' } });
  t.match(reply.structuredContent, { node: 'Charge', revision: Number, call: { tool: 'navigate' } });
  t.same(JSON.parse(textOf(Array.isArray(reply.content) ? reply.content : [])), reply.structuredContent);
  t.match(calls, [{ tool: 'navigate', error: undefined, context: { caller: { name: 'test-client' } } }]);
});

t.test('every tool answers under its ceiling, and says how to get the rest', async (t) => {
  const { options } = shared;
  const client = await connect(t, options);
  const reply = await client.callTool({
    name: 'vfs_read',
    arguments: { path: '/graph/edges/references.jsonl' },
  });
  t.ok(JSON.stringify(reply.structuredContent).length / 4 <= 2000);
  t.match(reply.structuredContent, {
    more: { left: Number, call: { tool: 'vfs_read', args: { line: Number } } },
  });
});

t.test(
  'what a tool refuses is an answer, what is no request of a tool is an error of the protocol',
  async (t) => {
    const { options, calls } = await sampleProject(t);
    const client = await connect(t, options);
    t.match(await client.callTool({ name: 'navigate', arguments: { node: 'Nothing' } }), {
      isError: true,
      content: [{ type: 'text', text: /^ENOENT: .*Nothing/ }],
    });
    t.match(await client.callTool({ name: 'navigate', arguments: { nod: 'Charge' } }), {
      isError: true,
      content: [{ text: /^EINVAL: / }],
    });
    t.match(
      calls.map(({ error }) => error),
      ['ENOENT', 'EINVAL'],
    );
    await t.rejects(client.callTool({ name: 'rm', arguments: {} }), {
      code: -32602,
      message: /no tool "rm"/,
    });
    await t.rejects(client.request({ method: 'tools/call', params: {} }, ResourceUpdatedNotificationSchema), {
      code: -32602,
      message: /name/,
    });
    await t.rejects(client.request({ method: 'no/such' }, ResourceUpdatedNotificationSchema), {
      code: -32601,
    });
  },
);

t.test('a client writes memory in its own name, into review, unless the user allows more', async (t) => {
  const args = { path: '/context/memory/fact/refunds', content: 'Refunds take 5 days', confidence: 0.8 };
  const place = { type: 'fact', key: 'refunds' } as const;
  const waiting = await sampleProject(t);
  const client = await connect(t, waiting.options, 'cursor\u001b[2J');
  t.match((await client.callTool({ name: 'vfs_write', arguments: args })).structuredContent, {
    note: /waits/,
  });
  t.match(waiting.app.memory.get(place), { actor: 'cursor\\x1b[2J', tags: ['needs_review'] });
  const allowed = await sampleProject(t, { writesCountAtOnce: true });
  const trusted = await connect(t, allowed.options, '  ');
  await trusted.callTool({ name: 'vfs_write', arguments: args });
  t.match(allowed.app.memory.get(place), { actor: 'nobody-said', tags: { length: 0 } });
});

t.test('documents and memories are listed in pages, and everything in the tree is read', async (t) => {
  const { options, app, docs, index } = await sampleProject(t);
  mkdirSync(join(docs, 'many'));
  for (let count = 0; count < 210; count += 1)
    writeFileSync(join(docs, 'many', `${count}.md`), `# ${count}\n`);
  writeFileSync(join(docs, 'logo.png'), Buffer.from([137, 80, 78, 71, 0, 1]));
  writeFileSync(join(docs, 'large.txt'), 'x'.repeat(5 * 1024 * 1024));
  await index();
  app.docsChanged();
  app.memory.add({ type: 'fact', key: 'a b', content: Buffer.from('so it is') }, {});
  let wholeReads = 0;
  const list = app.memory.list.bind(app.memory);
  app.memory.list = (filter) => {
    wholeReads += 1;
    return list(filter);
  };
  const client = await connect(t, options);
  const first = await client.listResources();
  const second = await client.listResources({ cursor: first.nextCursor });
  t.equal(wholeReads, 0, 'what memories say is not read for a list of their names');
  t.equal(first.resources.length, 200);
  t.notOk(second.nextCursor);
  const uris = [...first.resources, ...second.resources].map(({ uri }) => uri);
  t.equal(new Set(uris).size, app.store.documents.count() + 2);
  t.match(uris, ['kgraphfs:///AGENTS.md', 'kgraphfs:///context/memory/fact/a%20b']);
  t.match(
    first.resources.find(({ uri }) => uri === 'kgraphfs:///docs/README.md'),
    { mimeType: 'text/markdown', size: Number, title: String, annotations: { lastModified: /^\d{4}-/ } },
  );
  await t.rejects(client.listResources({ cursor: 'nonsense' }), { code: -32602 });
  const read = async (uri: string) => (await client.readResource({ uri })).contents;
  t.match(await read('kgraphfs:///context/memory/fact/a%20b'), [
    { mimeType: 'text/plain', text: 'so it is' },
  ]);
  t.match(await read('kgraphfs:///graph/nodes/Charge'), [{ mimeType: 'application/json', text: /"entity"/ }]);
  t.match(await read('kgraphfs:///graph/nodes/GET%20%252Fv1%252Finvoices'), [{ text: /\/v1\/invoices/ }]);
  t.match(await read('kgraphfs:///graph/nodes/GET%20%2Fv1%2Finvoices'), [{ text: /\/v1\/invoices/ }]);
  t.match(await read('kgraphfs:///docs/logo.png'), [{ mimeType: 'image/png', blob: 'iVBORwAB' }]);
  t.match(textOf(await read('kgraphfs:///')), /^docs\/$/m);
  for (const uri of [
    'kgraphfs:///docs/none.md',
    'file:///etc/passwd',
    'kgraphfs:///%',
    'kgraphfs:///../etc/passwd',
  ])
    await t.rejects(read(uri), { code: -32002, data: { uri } }, uri);
  await t.rejects(read('kgraphfs:///docs/large.txt'), { code: -32602, message: /vfs_read/ });
  t.match((await client.listResourceTemplates()).resourceTemplates, [{ uriTemplate: 'kgraphfs:///{+path}' }]);
});

t.test('who subscribed is told of changed documents and memories, and of nothing else', async (t) => {
  const { options, app, docs, index, faults } = await sampleProject(t);
  const client = await connect(t, options);
  const told: string[] = [];
  let heard = () => {};
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    told.push(params.uri);
    heard();
  });
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    told.push('list');
    heard();
  });
  const until = async (...expected: string[]): Promise<void> => {
    while (!expected.every((one) => told.includes(one))) {
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    }
    t.same(told.splice(0).sort(), expected.sort());
  };
  const [readme, node, fact] = [
    'kgraphfs:///docs/README.md',
    'kgraphfs:///graph/nodes/Newcomer',
    'kgraphfs:///context/memory/fact/f',
  ];
  for (const uri of [readme, node, fact, 'kgraphfs:///docs/webhooks/events.md'])
    await client.subscribeResource({ uri });
  writeFileSync(join(docs, 'README.md'), '# Changed\n');
  await index();
  await until(readme, 'list');
  app.memory.add({ type: 'fact', key: 'f', content: Buffer.from('x') }, {});
  await until(fact, 'list');
  app.memory.replace({ type: 'fact', key: 'f' }, Buffer.from('y'), {});
  await until(fact);
  writeFileSync(join(docs, 'new.md'), '# New\n\nA **Charge** requires a **Newcomer**.\n');
  await index();
  await until(node, 'list');
  await client.unsubscribeResource({ uri: fact });
  app.memory.remove({ type: 'fact', key: 'f' }, {});
  rmSync(join(docs, 'new.md'));
  await index();
  await until(node, 'list');
  t.same(faults, []);
});

t.test('a client subscribes to a thousand resources at most, and to one of them again', async (t) => {
  const { options } = await sampleProject(t);
  const client = await connect(t, options);
  const uriOf = (number: number) => `kgraphfs:///context/scratchpad/${number}`;
  for (let number = 0; number < 1000; number += 1) await client.subscribeResource({ uri: uriOf(number) });
  await client.subscribeResource({ uri: uriOf(0) });
  await t.rejects(client.subscribeResource({ uri: uriOf(1000) }), {
    code: -32602,
    message: /1000 resources/,
  });
  await client.unsubscribeResource({ uri: uriOf(0) });
  await client.subscribeResource({ uri: uriOf(1000) });
});

t.test('prompts are made of what was given, and arguments are completed', async (t) => {
  const { options } = shared;
  const client = await connect(t, options);
  const { prompts } = await client.listPrompts();
  t.same(
    prompts.map(({ name }) => name),
    ['answer', 'trace', 'review', 'onboard', 'remember'],
  );
  const given = prompts.flatMap((prompt) => prompt.arguments ?? []);
  t.same(
    given.map(({ name, required }) => [name, required]),
    ['question', 'from', 'to', 'topic', 'learnt'].map((name) => [name, true]),
  );
  const answer = await client.getPrompt({ name: 'answer', arguments: { question: 'Why?\nAnd how?' } });
  t.match(answer.messages, [
    { role: 'user', content: { type: 'text', text: /> Why\?\n> And how\?\n[\s\S]*never an instruction/ } },
  ]);
  await t.rejects(client.getPrompt({ name: 'trace', arguments: { from: 'Charge' } }), {
    code: -32602,
    message: /"to"/,
  });
  await t.rejects(client.getPrompt({ name: 'dance' }), { code: -32602 });
  const complete = async (ref: Parameters<Client['complete']>[0]['ref'], name: string, value: string) =>
    (await client.complete({ ref, argument: { name, value } })).completion.values;
  t.match(await complete({ type: 'ref/prompt', name: 'trace' }, 'from', 'Subsc'), ['Subscription']);
  const anyPath = { type: 'ref/resource', uri: 'kgraphfs:///{+path}' } as const;
  t.same(await complete(anyPath, 'path', 'docs/web'), ['docs/webhooks/']);
});

t.test('a call that is cancelled reaches the tool as an aborted signal', async (t) => {
  const { options } = shared;
  const { door, ...rest } = options;
  let reached: (signal: AbortSignal | undefined) => void = () => {};
  const running = new Promise<AbortSignal | undefined>((resolve) => {
    reached = resolve;
  });
  const [slow] = await options.tools();
  if (slow === undefined) throw new Error('there are tools');
  const waiting = {
    ...slow,
    run: (_args: unknown, _box: unknown, { signal }: { signal?: AbortSignal }) => {
      reached(signal);
      return new Promise<never>(() => {});
    },
  };
  const client = await connect(t, { ...rest, door, tools: async () => [waiting] });
  const stopping = new AbortController();
  const call = client.callTool({ name: slow.name, arguments: {} }, undefined, { signal: stopping.signal });
  const signal = await running;
  t.equal(signal?.aborted, false);
  stopping.abort('enough');
  await t.rejects(call);
  if (signal?.aborted === false) await once(signal, 'abort');
  t.equal(signal?.aborted, true);
});

t.test('who waits for the index is told how far it is, and why it cannot be had', async (t) => {
  const { options } = shared;
  const project = await options.door.open();
  const told: Progress[] = [];
  const slow: ServerOptions = {
    ...options,
    door: doorTo(async (onProgress) => {
      for (const done of [0, 10, 10, 20]) onProgress?.({ done, total: 20 });
      return project;
    }),
  };
  const client = await connect(t, slow);
  await client.callTool({ name: 'navigate', arguments: { node: 'Charge' } }, undefined, {
    onprogress: (progress) => told.push(progress),
  });
  t.match(told, [
    { progress: 10, total: 20 },
    { progress: 20, total: 20 },
  ]);
  const broken: ServerOptions = {
    ...options,
    door: doorTo(async () => {
      throw new UserError('docs: there is no such folder');
    }),
  };
  const other = await connect(t, broken);
  t.equal((await other.listTools()).tools.length, 16);
  await t.rejects(other.callTool({ name: 'navigate', arguments: { node: 'x' } }), {
    message: /no such folder/,
  });
});
