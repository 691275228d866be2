import { isPromiseLike } from '../../../src/core/awaitable.ts';
import { folderInfo } from '../../../src/core/node-info.ts';
import type { Awaitable, NodeInfo } from '../../../src/core/resolver.ts';
import { DEFAULT_MOUNT_OPTIONS, type MountOptions } from '../../../src/fuse/driver.ts';
import type { Answer, Handlers } from '../../../src/fuse/linux/handler.ts';
import { Handles } from '../../../src/fuse/linux/handles.ts';
import { type Node, NodeTable } from '../../../src/fuse/linux/node-table.ts';
import { PAYLOAD } from '../../../src/fuse/linux/protocol/answer.ts';
import { OPCODE, type Operation } from '../../../src/fuse/linux/protocol/opcodes.ts';
import { decodeRequest } from '../../../src/fuse/linux/protocol/request.ts';
import { SentBack } from '../../../src/fuse/linux/sent-back.ts';
import { serveAttributes } from '../../../src/fuse/linux/serve-attributes.ts';
import { serveChanges } from '../../../src/fuse/linux/serve-changes.ts';
import { serveExtendedAttributes } from '../../../src/fuse/linux/serve-extended-attributes.ts';
import { serveFiles } from '../../../src/fuse/linux/serve-files.ts';
import { serveFolders } from '../../../src/fuse/linux/serve-folders.ts';
import { serveNames } from '../../../src/fuse/linux/serve-names.ts';
import { serveOpens } from '../../../src/fuse/linux/serve-opens.ts';
import type { Served } from '../../../src/fuse/linux/served.ts';
import type { Vfs } from '../../../src/vfs/vfs.ts';
import { requestOf } from './message-pair.ts';

/** The one who asks. */
const THREAD = 77;

/** The operations of a mount, without a kernel: what it is told besides answers is written down. */
export class FakeServed {
  readonly nodes = new NodeTable(folderInfo(0n));
  readonly handles = new Handles();
  readonly notices: string[] = [];
  readonly bugs: unknown[] = [];
  /** Names of which the kernel was told the inode number alone. */
  readonly told: [name: string | undefined, inode: number][] = [];
  /** What was opened to be read, as what reads ahead is told. */
  readonly opened: (string | undefined)[] = [];
  /** How often it was told that somebody went through the root. */
  rootUses = 0;
  generation = 0;
  /** How often it was offered bytes that nobody asked for, and whether it takes them. */
  bytesOffered = 0;
  takesBytes = false;
  /** Outputs that were kept, and are no longer used. */
  givenBack = 0;
  #output = Buffer.alloc(1 << 16);
  readonly #handlers: Handlers;

  constructor(vfs: Vfs, options: MountOptions = DEFAULT_MOUNT_OPTIONS) {
    const note = (what: string) => (node: Node) => {
      this.notices.push(`${what} ${this.nodes.pathOf(node) ?? 'of no path'}`);
    };
    const served: Served = {
      vfs,
      nodes: this.nodes,
      handles: this.handles,
      options,
      kernel: {
        giveBytes: (_node, sizeBytes, fill) => {
          this.bytesOffered += 1;
          if (this.takesBytes === true) void fill(Buffer.alloc(sizeBytes));
          return this.takesBytes;
        },
        invalidateAttributes: note('invalidate attributes'),
        invalidateUnopened: note('invalidate all at once'),
        invalidateSoon: note('invalidate soon'),
        invalidateBytes: note('invalidate bytes'),
        rootIsUsed: () => {
          this.rootUses += 1;
        },
        invalidatePlace: (folder, name) =>
          this.notices.push(`invalidate ${name} in ${this.nodes.pathOf(folder) ?? 'no path'}`),
        invalidateListing: note('invalidate listing'),
      },
      sentBack: new SentBack(),
      prefetcher: {
        listed: (_folder, entries) => ({
          told: (index, inode) => {
            this.told.push([entries[index]?.name, inode]);
          },
        }),
        opened: (node) => {
          this.opened.push(this.nodes.pathOf(node));
        },
      },
      backings: {
        lend: (node, { descriptor }) => {
          node.backing = node.openings === 0 ? descriptor : node.backing;
        },
        settle: (node) => {
          if (node.openings === 0) node.backing = undefined;
        },
      },
      output: () => this.#output,
      keepOutput: () => {
        this.#output = Buffer.alloc(this.#output.length);
        return () => {
          this.givenBack += 1;
        };
      },
      generation: () => this.generation,
    };
    this.#handlers = {
      ...serveNames(served),
      ...serveAttributes(served),
      ...serveExtendedAttributes(served),
      ...serveFolders(served, (error) => this.bugs.push(error)),
      ...serveFiles(served),
      ...serveChanges(served),
      ...serveOpens(served),
    };
  }

  /** As the kernel asks. @param body behind the header of the request */
  ask(operation: Operation, node: Node | number, body: Uint8Array): Awaitable<Answer | undefined> {
    const message = requestOf(OPCODE[operation], 2, body);
    message.writeBigUInt64LE(BigInt(typeof node === 'number' ? node : node.id), 16);
    message.writeUInt32LE(THREAD, 32);
    return this.#handlers[operation]?.(decodeRequest(message), {});
  }

  /** The payload of what is answered. */
  async answer(operation: Operation, node: Node | number, body: Uint8Array): Promise<Buffer> {
    const answer = await this.ask(operation, node, body);
    const out = this.#output;
    return Buffer.from(out.subarray(PAYLOAD, PAYLOAD + (answer?.encode(out) ?? 0)));
  }

  /** Has the kernel know a name. */
  known(folder: Node, name: string, info: Awaitable<NodeInfo>): Node {
    if (isPromiseLike(info)) throw new Error('the tree answers later');
    const node = this.nodes.enter(folder, name, info);
    node.lookUps += 1;
    return node;
  }
}

/** A name with its NUL, as it stands in requests. */
export function nameBytes(...names: readonly string[]): Buffer {
  return Buffer.from(names.map((name) => `${name}\0`).join(''));
}

/** Numbers of 64 bits, one after the other. */
export function words(...values: readonly (number | bigint)[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), 8 * index);
  return bytes;
}
