import { entriesOf, generatedTree, notFolder, type Page } from '../core/generated-tree.ts';
import { partsOf } from '../core/paths.ts';
import type { ChangeListener, Resolver, Unsubscribe } from '../core/resolver.ts';

/** A text of `.kgraphfs/` as it is now. */
export interface StatusText {
  readonly text: string;
  /** Stands for the text. */
  readonly version: string;
  /** When it last changed. */
  readonly modifiedNs: bigint;
  /** Whether it is the owner's alone. */
  readonly isPrivate?: boolean;
}

/** The subtree `.kgraphfs/`: how the daemon is, what went wrong, and the configuration in force. */
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
  return { kind: 'file', modifiedNs, isPrivate, pageKey: `${name} ${version}`, render: () => text };
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
