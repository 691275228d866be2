import fc from 'fast-check';
import type { AttributeUse, RenameUse } from '../../src/core/changes.ts';
import { isFsError } from '../../src/core/errors.ts';
import type { Attributes, NodeInfo } from '../../src/core/resolver.ts';
import type { Scratchpad } from '../../src/scratchpad/scratchpad.ts';
import type { ScratchpadFile } from '../../src/scratchpad/scratchpad-file.ts';
import { at } from './fixture.ts';

/** One thing that a program may do to a tree. Open files are kept in numbered slots. */
export type Command =
  | {
      readonly do: 'create';
      readonly path: string;
      readonly slot: number;
      readonly mode: number;
      readonly exclusive: boolean;
      readonly append: boolean;
      readonly truncate: boolean;
    }
  | {
      readonly do: 'open to write';
      readonly path: string;
      readonly slot: number;
      readonly append: boolean;
      readonly truncate: boolean;
    }
  | { readonly do: 'open'; readonly path: string; readonly slot: number }
  | { readonly do: 'write'; readonly slot: number; readonly text: string; readonly position: number }
  | { readonly do: 'read'; readonly slot: number; readonly position: number }
  | { readonly do: 'seek'; readonly slot: number; readonly position: number; readonly to: 'data' | 'hole' }
  | {
      readonly do: 'allocate';
      readonly slot: number;
      /** Of fallocate(2). */
      readonly mode: number;
      readonly position: number;
      readonly sizeBytes: number;
    }
  | {
      readonly do: 'copy';
      readonly slot: number;
      readonly from: number;
      readonly sourcePosition: number;
      readonly position: number;
      readonly sizeBytes: number;
    }
  | { readonly do: 'truncate open'; readonly slot: number; readonly sizeBytes: number }
  | { readonly do: 'status of open' | 'close'; readonly slot: number }
  | { readonly do: 'truncate'; readonly path: string; readonly sizeBytes: number }
  | { readonly do: 'status' | 'list' | 'read link' | 'remove' | 'remove folder'; readonly path: string }
  | { readonly do: 'make folder' | 'change mode'; readonly path: string; readonly mode: number }
  | { readonly do: 'link'; readonly path: string; readonly to: string }
  | { readonly do: 'rename'; readonly path: string; readonly to: string; readonly use: RenameUse }
  | { readonly do: 'symlink'; readonly path: string; readonly target: string }
  | { readonly do: 'attributes'; readonly path: string }
  | {
      readonly do: 'set attribute';
      readonly path: string;
      readonly name: string;
      readonly value: string;
      readonly use: AttributeUse;
    }
  | { readonly do: 'remove attribute'; readonly path: string; readonly name: string }
  | {
      readonly do: 'change times';
      readonly path: string;
      readonly accessedMs: number;
      readonly modifiedMs: number;
    };

const name = fc.constantFrom('a', 'b');
/** Few enough that commands meet each other's files. */
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const slot = fc.integer({ min: 0, max: 2 });
/** The owner keeps his rights, so that the same is refused to root and to others. */
const mode = fc.integer({ min: 0, max: 0o77 }).map((bits) => 0o700 | bits);
const sizeBytes = fc.integer({ min: 0, max: 20_000 });
const timeMs = fc.integer({ min: -(10 ** 11), max: 4 * 10 ** 12 });
const flag = fc.boolean();
const attribute = fc.constantFrom('user.a', 'user.b');
const attributeUse = fc.constantFrom(
  'either' as const,
  'either' as const,
  'create' as const,
  'replace' as const,
);

function command<Name extends Command['do'], Parts extends object>(
  name: Name,
  parts: { [Part in keyof Parts]: fc.Arbitrary<Parts[Part]> },
): fc.Arbitrary<{ readonly do: Name } & Parts> {
  return fc.record(parts).map((values) => ({ do: name, ...values }) as { readonly do: Name } & Parts);
}

const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  command('create', { path, slot, mode, exclusive: flag, append: flag, truncate: flag }),
  command('open to write', { path, slot, append: flag, truncate: flag }),
  command('open', { path, slot }),
  command('write', { slot, text: fc.string({ maxLength: 40 }), position: sizeBytes }),
  command('write', { slot, text: fc.constant('x'.repeat(9000)), position: sizeBytes }),
  command('read', { slot, position: sizeBytes }),
  command('seek', { slot, position: sizeBytes, to: fc.constantFrom('data', 'hole') }),
  command('allocate', { slot, mode: fc.constantFrom(0, 1, 3, 16, 17, 2), position: sizeBytes, sizeBytes }),
  command('copy', { slot, from: slot, sourcePosition: sizeBytes, position: sizeBytes, sizeBytes }),
  command('truncate open', { slot, sizeBytes }),
  command('status of open', { slot }),
  command('close', { slot }),
  command('truncate', { path, sizeBytes }),
  command('status', { path }),
  command('list', { path }),
  command('read link', { path }),
  command('remove', { path }),
  command('remove folder', { path }),
  command('make folder', { path, mode }),
  command('make folder', { path, mode }),
  command('change mode', { path, mode }),
  command('rename', { path, to: path, use: fc.constantFrom('replace', 'replace', 'keep', 'exchange') }),
  command('link', { path, to: path }),
  command('symlink', { path, target: fc.constantFrom('a', '../b', '/etc/passwd', 'nowhere') }),
  command('attributes', { path }),
  command('set attribute', { path, name: attribute, value: fc.string({ maxLength: 60 }), use: attributeUse }),
  command('remove attribute', { path, name: attribute }),
  command('change times', { path, accessedMs: timeMs, modifiedMs: timeMs }),
);

/** Begins with some that make others succeed. */
export const anyCommands: fc.Arbitrary<Command[]> = fc
  .array(anyCommand, { minLength: 10, maxLength: 100, size: 'max' })
  .map((commands) => [
    { do: 'make folder', path: 'a', mode: 0o755 },
    { do: 'create', path: 'a/a', slot: 0, mode: 0o644, exclusive: true, append: false, truncate: false },
    { do: 'create', path: 'b', slot: 1, mode: 0o644, exclusive: false, append: true, truncate: false },
    ...commands,
  ]);

/** Does to a scratchpad what a command says. */
export class PadUser {
  readonly #pad: Scratchpad;
  readonly #open = new Map<number, ScratchpadFile>();

  constructor(pad: Scratchpad) {
    this.#pad = pad;
  }

  /** @returns the answer, or the errno it failed with */
  async run(command: Command): Promise<unknown> {
    try {
      return await this.#run(command);
    } catch (error) {
      if (!isFsError(error)) throw error;
      return error.code;
    }
  }

  close(): void {
    for (const file of this.#open.values()) file.close();
    this.#open.clear();
  }

  #run(command: Command): unknown {
    const pad = this.#pad;
    switch (command.do) {
      case 'create':
        return this.#keep(command.slot, pad.create(at(command.path), command));
      case 'open to write':
        return this.#keep(command.slot, pad.openToWrite(at(command.path), command));
      case 'open':
        return this.#keep(command.slot, pad.open(at(command.path)));
      case 'write':
        return this.#use(command.slot, (file) => file.write(Buffer.from(command.text), command.position));
      case 'read':
        return this.#use(command.slot, async (file) => {
          const bytes = Buffer.alloc(64);
          return bytes.toString('latin1', 0, await file.read(bytes, command.position));
        });
      case 'seek':
        return this.#use(command.slot, (file) => file.seek(command.position, command.to));
      case 'allocate':
        return this.#use(command.slot, (file) =>
          file.allocate(command.mode, command.position, command.sizeBytes),
        );
      case 'copy':
        return this.#use(command.slot, (file) =>
          this.#use(command.from, (from) =>
            file.copyFrom(from, command.sourcePosition, command.position, command.sizeBytes),
          ),
        );
      case 'truncate open':
        return this.#use(command.slot, (file) => file.truncate(command.sizeBytes));
      case 'status of open':
        return this.#use(command.slot, (file) => summaryOf(file.stat()));
      case 'close':
        return this.#use(command.slot, (file) => {
          file.close();
          this.#open.delete(command.slot);
        });
      case 'truncate':
        return pad.truncate(at(command.path), command.sizeBytes);
      case 'status':
        return summaryOf(pad.stat(at(command.path)));
      case 'list':
        return pad.list(at(command.path)).map((entry) => entry.name);
      case 'read link':
        return pad.readLink(at(command.path));
      case 'make folder':
        return pad.makeFolder(at(command.path), command.mode);
      case 'remove folder':
        return pad.removeFolder(at(command.path));
      case 'remove':
        return pad.remove(at(command.path));
      case 'rename':
        return pad.rename(at(command.path), at(command.to), {}, command.use);
      case 'link':
        return pad.link(at(command.path), at(command.to));
      case 'symlink':
        return pad.symlink(command.target, at(command.path));
      case 'change mode':
        return pad.changeMode(at(command.path), command.mode);
      case 'attributes':
        return shownAttributes(pad.attributes(at(command.path)));
      case 'set attribute':
        return pad.setAttribute(at(command.path), command.name, Buffer.from(command.value), command.use);
      case 'remove attribute':
        return pad.removeAttribute(at(command.path), command.name);
      case 'change times':
        return pad.changeTimes(at(command.path), {
          accessedNs: BigInt(command.accessedMs) * 1_000_000n,
          modifiedNs: BigInt(command.modifiedMs) * 1_000_000n,
        });
    }
  }

  #keep(slot: number, file: ScratchpadFile): void {
    this.#open.get(slot)?.close();
    this.#open.set(slot, file);
  }

  #use<T>(slot: number, action: (file: ScratchpadFile) => T): T | 'not open' {
    const file = this.#open.get(slot);
    return file === undefined ? 'not open' : action(file);
  }
}

/** By name: a disk has them in an order of its own. */
export function shownAttributes(attributes: Attributes): unknown {
  return [...attributes].map(([name, value]) => `${name}=${Buffer.from(value).toString('latin1')}`).sort();
}

function summaryOf({ kind, mode, sizeBytes, disk }: NodeInfo): unknown {
  return { mode, links: disk?.links, sizeBytes: kind === 'directory' ? 'folder' : sizeBytes };
}
