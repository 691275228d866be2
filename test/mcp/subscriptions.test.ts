import { clearInterval, setInterval } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import t from 'tap';
import { FsError, UserError } from '../../src/core/errors.ts';
import { fileInfo, folderInfo, linkInfo } from '../../src/core/node-info.ts';
import { fileOfBytes } from '../../src/core/open-file.ts';
import { parsePath } from '../../src/core/paths.ts';
import type { NodeInfo, Resolver } from '../../src/core/resolver.ts';
import type { ListedDocument } from '../../src/mcp/project.ts';
import { type FollowedDoor, type FollowedProject, Subscriptions } from '../../src/mcp/subscriptions.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';
import type { Teardown } from '../support/temporary.ts';

// What follows the project waits without keeping a process alive, and a client in this process neither does.
const alive = setInterval(() => {}, 1000);
t.teardown(() => clearInterval(alive));

/** A client of a tree that the test changes and tells of, with all that it is told of in turn. */
function subscriber(t: Teardown) {
  const listeners = new Set<(what: 'everything' | 'files') => void>();
  const nodes = new Map<string, NodeInfo>();
  const lists = new Map<string, string[]>();
  const documents: ListedDocument[] = [];
  const asked: string[] = [];
  const faults: unknown[] = [];
  const waits = { stat: async () => {}, open: async () => {}, use: async () => {} };
  const resolver: Resolver = {
    name: 'tree',
    stat(path) {
      asked.push(path);
      const node = nodes.get(path);
      if (node !== undefined) return waits.stat().then(() => node);
      if ([...nodes.keys()].some((other) => other.startsWith(`${path}/`))) return folderInfo(0n);
      throw new FsError('ENOENT', parsePath(`/${path}`), 'nothing is there');
    },
    list: (path) => (lists.get(path) ?? []).map((name) => ({ name, kind: 'file' })),
    readLink: () => 'a.md',
    open: () => fileOfBytes(Buffer.from('')),
  };
  const served: FollowedProject = {
    box: {
      fs: new SystemFs([{ point: parsePath('/'), resolver }], () => {}),
      memory: { places: () => [] },
    },
    documents: () => documents,
    fault: (error) => faults.push(error),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const door: FollowedDoor = {
    open: () => waits.open().then(() => served),
    use: (work) => waits.use().then(() => work(served)),
  };
  let following = Promise.resolve();
  const told: string[] = [];
  let heard = () => {};
  const hear = (what: string) => {
    told.push(what);
    heard();
  };
  return {
    ...{ nodes, lists, documents, asked, faults, waits, listeners },
    async connect(...paths: string[]) {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      const server = new Server(
        { name: 'kgraphfs', version: '1' },
        { capabilities: { resources: { subscribe: true, listChanged: true } } },
      );
      const subscriptions = new Subscriptions(server, door);
      server.onclose = () => subscriptions.close();
      await server.connect(ours);
      const client = new Client({ name: 'test-client', version: '1' });
      await client.connect(theirs);
      t.teardown(() => client.close());
      following = subscriptions.follow();
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
        hear(params.uri.replace('kgraphfs:///', '')),
      );
      client.setNotificationHandler(ResourceListChangedNotificationSchema, () => hear('list'));
      for (const path of paths) await client.subscribeResource({ uri: `kgraphfs:///${path}` });
      return client;
    },
    followed: () => following,
    tell(...changes: ('everything' | 'files')[]) {
      for (const what of changes) for (const listener of listeners) listener(what);
    },
    /** All that is told until the last one is. */
    async until(last: string): Promise<string[]> {
      while (!told.includes(last)) {
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
      return told.splice(0);
    },
  };
}

t.test('where only files changed, what is made of them is not looked at', async (t) => {
  const { nodes, documents, connect, tell, until, asked } = subscriber(t);
  const files = ['context/review/x', 'context/scratchpad/x', 'docs/a.md'];
  const made = 'graph/nodes/A';
  const last = 'docs/z.md';
  const touch = (...paths: string[]) => {
    for (const path of paths) nodes.set(path, fileInfo(1, (nodes.get(path)?.modifiedNs ?? 0n) + 1n));
  };
  /** Hears of the last one once more: what was begun before has ended by then. */
  const end = async () => {
    touch(last);
    tell('files');
    return until(last);
  };
  touch(made, ...files, last);
  await connect(made, ...files, last);
  touch(last);
  tell('everything');
  t.same(await until(last), [last], 'the list is as it was when the client came');
  t.same(await end(), [last]);
  touch(made, ...files, last);
  documents.push({ path: parsePath('/docs/new.md'), title: 'New' });
  asked.length = 0;
  tell('files');
  t.same(await until(last), [...files, last]);
  t.notOk(asked.includes(made));
  tell('everything', 'files');
  t.same(await until('list'), [made, 'list']);
  touch(last);
  tell('everything');
  t.same(await until(last), [last], 'the same list is not told of again');
  t.same(await end(), [last]);
  documents[0] = { path: parsePath('/docs/new.md'), title: 'Newer' };
  tell('everything');
  t.same(await until('list'), ['list'], 'titles are shown in it');
  touch(made, last);
  documents.pop();
  tell('files');
  t.same(await until(last), [last], 'nor does everything stay to be looked at');
});

t.test('changes that come together are looked at once', async (t) => {
  const { nodes, connect, tell, until, asked } = subscriber(t);
  const path = 'docs/a.md';
  nodes.set(path, fileInfo(1, 0n));
  await connect(path);
  asked.length = 0;
  for (const sizeBytes of [2, 3]) {
    nodes.set(path, fileInfo(sizeBytes, 0n));
    tell('files', 'files', 'files');
    t.same(await until(path), [path]);
    await nextTurn();
  }
  const looks = asked.filter((one) => one === path).length;
  t.equal(looks, 4, 'each on the way there, and at the place');
});

t.test('a resource changes with what it shows', async (t) => {
  const { nodes, lists, connect, tell, until } = subscriber(t);
  nodes.set('docs/a.md', fileInfo(1, 0n, 'one'));
  nodes.set('docs/link', linkInfo('a.md', 0n));
  nodes.set('graph/a.md', fileInfo(1, 0n, 'one'));
  const last = 'docs/z.md';
  await connect('graph/a.md', 'docs', 'docs/a.md', 'docs/link', last);
  const look = () => {
    nodes.set(last, fileInfo(1, (nodes.get(last)?.modifiedNs ?? 0n) + 1n));
    tell('everything');
    return until(last);
  };
  t.same(await look(), [last], 'which is new');
  nodes.set('docs/a.md', fileInfo(1, 0n, 'two'));
  t.same(await look(), [last], 'the version of a document is that of the index, too');
  nodes.set('graph/a.md', fileInfo(1, 0n, 'two'));
  t.same(await look(), ['graph/a.md', last]);
  nodes.set('docs/a.md', fileInfo(2, 0n, 'two'));
  t.same(await look(), ['docs/a.md', 'docs/link', last], 'and a link with what it leads to');
  lists.set('docs', ['a.md', 'z.md']);
  t.same(await look(), ['docs', last], 'and a folder with its names');
});

t.test('a client that has gone is looked after no longer', async (t) => {
  const { nodes, connect, tell, until, listeners, waits, faults, followed } = subscriber(t);
  const path = 'docs/a.md';
  nodes.set(path, fileInfo(1, 0n));
  const client = await connect(path);
  const looking = new Promise<() => void>((looks) => {
    waits.stat = () => new Promise<void>((resolve) => looks(resolve));
  });
  nodes.set(path, fileInfo(2, 0n));
  tell('files');
  const answer = await looking;
  await client.close();
  t.equal(listeners.size, 0);
  waits.stat = async () => {};
  answer();
  await nextTurn();
  t.same(faults, [], 'it is sent nothing');

  const second = await connect(path);
  tell('files');
  await second.close();
  let uses = 0;
  waits.use = async () => {
    uses += 1;
  };
  const third = await connect(path);
  t.equal(uses, 1);
  nodes.set(path, fileInfo(3, 0n));
  tell('files');
  await until(path);
  t.equal(uses, 2, 'what waited for the one that went is not done');
  await third.close();

  let open = () => {};
  waits.open = () =>
    new Promise<void>((resolve) => {
      open = resolve;
    });
  await (await connect()).close();
  open();
  await followed();
  t.equal(listeners.size, 0, 'a project that opens for nobody is not followed');
});

t.test('a look that fails is a fault, and the next one is made', async (t) => {
  const { nodes, connect, tell, until, waits, faults } = subscriber(t);
  const path = 'docs/a.md';
  nodes.set(path, fileInfo(1, 0n));
  await connect(path);
  nodes.set(path, fileInfo(2, 0n));
  const failed = new Promise<void>((resolve) => {
    waits.use = async () => {
      resolve();
      throw new UserError('docs: there is no such folder');
    };
  });
  tell('files');
  await failed;
  waits.use = async () => {};
  tell('files');
  t.same(await until(path), [path]);
  t.match(faults, [{ message: 'docs: there is no such folder' }]);
});

t.test(
  'what changes while a client subscribes is told of, and who gives up meanwhile is told of nothing',
  async (t) => {
    const { nodes, connect, tell, until, waits } = subscriber(t);
    const [path, last] = ['docs/a.md', 'docs/z.md'];
    const touch = () => {
      for (const each of [path, last]) nodes.set(each, fileInfo(1, (nodes.get(each)?.modifiedNs ?? 0n) + 1n));
    };
    /** Holds up one look at a file, which is found first. @returns once it is made, what has it answered: as the file was then */
    const heldUp = () =>
      new Promise<() => void>((looks) => {
        waits.stat = async () => {
          waits.stat = () =>
            new Promise((resolve) => {
              waits.stat = async () => {};
              looks(resolve);
            });
        };
      });
    touch();
    const client = await connect(last);
    const uri = `kgraphfs:///${path}`;
    let looked = heldUp();
    const subscribing = client.subscribeResource({ uri });
    let answer = await looked;
    touch();
    tell('files');
    t.same(await until(last), [last]);
    answer();
    await subscribing;
    t.same(await until(path), [path]);

    await client.unsubscribeResource({ uri });
    looked = heldUp();
    const again = client.subscribeResource({ uri });
    answer = await looked;
    await client.unsubscribeResource({ uri });
    answer();
    await again;
    touch();
    tell('files');
    t.same(await until(last), [last]);

    await client.subscribeResource({ uri });
    await client.unsubscribeResource({ uri: `kgraphfs:///${last}` });
    await client.subscribeResource({ uri: `kgraphfs:///${last}` });
    looked = heldUp();
    touch();
    tell('files');
    answer = await looked;
    await client.unsubscribeResource({ uri });
    answer();
    t.same(await until(last), [last], 'also while it is looked at');
  },
);
