import { closeSync } from 'node:fs';
import t from 'tap';
import { folderInfo } from '../../../src/core/node-info.ts';
import type { VfsPath } from '../../../src/core/paths.ts';
import type { OpenFile } from '../../../src/core/resolver.ts';
import { DEFAULT_MOUNT_OPTIONS } from '../../../src/fuse/driver.ts';
import { askForName, askForNames, askToOpen } from '../../../src/fuse/linux/protocol/asking.ts';
import { openServing } from '../../../src/fuse/linux/serving.ts';
import { FakeTree } from './fake-tree.ts';
import { type Answered, MessagePair } from './message-pair.ts';

/** FUSE_NOTIFY_STORE, as a notice stands for an errno. */
const STORE = -4;

/** All of whose files are of one version. */
class OneVersion extends FakeTree {
  readonly openedAhead: VfsPath[] = [];

  override open(): OpenFile {
    return { sizeBytes: 10, version: 'a', read: (target) => target.fill(0x61).length, close() {} };
  }

  override openAhead(path: VfsPath): OpenFile {
    this.openedAhead.push(path);
    return this.open();
  }
}

t.test('who opens the first file of a folder has the second one given while it reads', async (t) => {
  const tree = new OneVersion();
  tree.putFolder('/docs', 1);
  for (const name of ['a.md', 'b.md', 'c.md']) tree.putFile(`/docs/${name}`, 1, { version: 'a' });
  const kernel = new MessagePair(t);
  const bugs: unknown[] = [];
  const { session, nodes, handles, notices } = openServing({
    vfs: tree,
    descriptor: kernel.served,
    options: DEFAULT_MOUNT_OPTIONS,
    report: (error) => bugs.push(error),
    asked() {},
    cores: 2,
  });
  const ended = session.run();
  t.teardown(async () => {
    kernel.unmount();
    await ended;
    await notices.close();
    handles.releaseAll();
    closeSync(kernel.served);
  });
  const answered = async (request: Buffer) => {
    kernel.ask(request);
    return (await kernel.waitFor(1))[0]?.payload.readUInt32LE(0) ?? 0;
  };
  const folder = await answered(askForName(nodes.root.id, 'docs'));
  await answered(askForNames(folder, 0, 4096));
  const first = nodes.get(folder)?.children?.get('a.md');
  const second = nodes.get(folder)?.children?.get('b.md');
  const seen = (messages: readonly Answered[]) =>
    messages.map(({ errno, payload }) => (errno === STORE ? payload.readUInt32LE(0) : 'the answer'));
  kernel.ask(askToOpen(first?.id ?? 0, process.pid));
  const messages = await kernel.waitFor(2);
  // To find out who it was may take longer than anything is waited for without sleeping.
  kernel.ask(askForName(nodes.root.id, 'docs'));
  messages.push(...(await kernel.waitFor(4 - messages.length)));
  const [before, ...others] = seen(messages);
  t.equal(before, first?.id);
  t.strictSame(others.sort(), [second?.id, 'the answer', 'the answer']);
  t.strictSame(tree.openedAhead, ['/docs/b.md']);
  t.equal(second?.given, 'a');
  t.strictSame(bugs, []);
});

t.test('a number of a node names nothing in another mount', async (t) => {
  const numbers = [1, 2].map(() => {
    const options = {
      vfs: new FakeTree(),
      options: DEFAULT_MOUNT_OPTIONS,
      report() {},
      asked() {},
      cores: 2,
    };
    const { served } = new MessagePair(t);
    t.teardown(() => closeSync(served));
    const { nodes } = openServing({ ...options, descriptor: served });
    const { id } = nodes.enter(nodes.root, 'docs', folderInfo(1n));
    t.equal(nodes.get(id + 1), undefined);
    return id;
  });
  t.not(numbers[0], numbers[1]);
});
