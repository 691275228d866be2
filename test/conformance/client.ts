/** Bytes where the name is no UTF-8. */
export type ClientPath = string | Uint8Array;

/**
 * What a subject may offer; the suite asks for the matching behaviour, or for the refusal.
 * - `changes`: the tree can be changed
 * - `looks-first`: a refused change of what is not there says so; the kernel of a read-only mount refuses without looking
 * - `any-bytes`: names need not be UTF-8
 */
export type Ability = 'changes' | 'looks-first' | 'any-bytes';

export interface Status {
  readonly kind: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export type Change =
  | {
      readonly operation: 'open to write' | 'create' | 'write' | 'append' | 'truncate' | 'unlink';
      readonly path: string;
    }
  | { readonly operation: 'mkdir' | 'rmdir' | 'chmod' | 'chown' | 'utimens'; readonly path: string }
  | { readonly operation: 'setxattr' | 'removexattr' | 'mknod'; readonly path: string }
  | { readonly operation: 'rename' | 'link'; readonly from: string; readonly path: string }
  | { readonly operation: 'symlink'; readonly target: string; readonly path: string };

/** A tree as a program uses it. Paths are absolute within the tree. Errors carry the errno's name as `code`. */
export interface FsClient {
  readonly abilities: ReadonlySet<Ability>;
  lstat(path: ClientPath): Promise<Status>;
  /** Follows links. */
  stat(path: ClientPath): Promise<Status>;
  list(path: ClientPath): Promise<string[]>;
  readFile(path: ClientPath): Promise<Uint8Array>;
  readAt(path: ClientPath, position: number, sizeBytes: number): Promise<Uint8Array>;
  readLink(path: ClientPath): Promise<string>;
  change(change: Change): Promise<void>;
}
