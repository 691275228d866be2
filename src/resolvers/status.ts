import { entriesOf, generatedTree, notFolder, type Page } from '../core/generated-tree.ts';
import { partsOf } from '../core/paths.ts';
import type { Awaitable, ChangeListener, Resolver, Unsubscribe } from '../core/resolver.ts';

/** A text of `.kgraphfs/` as it is now. */
export interface StatusText {
  /** A promise if another thread makes it. */
  readonly text: string | (() => Awaitable<string | Uint8Array>);
  /** Stands for the text. */
  readonly version: string;
  /** When it last changed. */
  readonly modifiedNs: bigint;
  /** Whether only the owner may read it. */
  readonly isPrivate?: boolean;
}

/** The subtree `.kgraphfs/`: the state of the daemon, what has gone wrong, and the current config. */
export function statusResolver(
  files: Readonly<Record<string, () => StatusText>>,
  subscribe: (listener: ChangeListener) => Unsubscribe,
): Resolver {
  const newest = () => Object.values(files).reduce((latest, file) => maxOf(latest, file().modifiedNs), 0n);
  return {
    ...generatedTree('.kgraphfs', (path) => {
      const [name, ...rest] = partsOf(path);
      if (name === undefined) {
        return { kind: 'directory', modifiedNs: newest(), list: () => entriesOf('file', Object.keys(files)) };
      }
      const file = Object.hasOwn(files, name) ? files[name] : undefined;
      if (file === undefined) return undefined;
      return rest.length > 0 ? notFolder(path) : pageOf(name, file());
    }),
    onChange: subscribe,
  };
}

function pageOf(name: string, { text, version, modifiedNs, isPrivate = false }: StatusText): Page {
  return {
    kind: 'file',
    modifiedNs,
    isPrivate,
    pageKey: `${name} ${version}`,
    render: () => (typeof text === 'string' ? text : text()),
  };
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
