import { FsError } from '../../core/errors.ts';
import { parsePath } from '../../core/paths.ts';
import type { ChangeOperation } from '../../vfs/vfs.ts';
import type { Operation, Replies, Requests } from './binding.ts';
import type { Service } from './guard.ts';
import type { Serve, Served } from './operations.ts';

/** Which of a request's paths the change is about, and all of them, as each has to be a name that could be. */
interface ChangedPaths {
  readonly changed: string;
  readonly other?: string;
}

/** Every attempt to change the tree is put to the tree, which refuses. */
export function serveChanges(serve: Serve, { vfs }: Served): void {
  function refuse<K extends Operation>(
    operation: K,
    change: ChangeOperation,
    pathsOf: (...request: Requests[K]) => ChangedPaths,
    blank: (...request: Requests[K]) => Replies[K],
  ): void {
    const service: Service<K, never> = {
      run(context, ...request) {
        const { changed, other } = pathsOf(...request);
        if (other !== undefined) parsePath(other);
        return vfs.refuseChange(change, parsePath(changed), context);
      },
      encode(_, ...request) {
        throw new FsError('EROFS', pathsOf(...request).changed, 'this tree is read-only');
      },
      blank,
    };
    serve(operation, service);
  }
  const first = (changed: string): ChangedPaths => ({ changed });
  const second = (other: string, changed: string): ChangedPaths => ({ changed, other });
  const nothing = (): [] => [];
  refuse('create', 'create', first, () => [0]);
  refuse('truncate', 'truncate', first, nothing);
  refuse('mkdir', 'mkdir', first, nothing);
  refuse('rmdir', 'rmdir', first, nothing);
  refuse('unlink', 'unlink', first, nothing);
  refuse('rename', 'rename', (changed, other) => ({ changed, other }), nothing);
  refuse('link', 'link', second, nothing);
  // The target of a link is free text.
  refuse('symlink', 'symlink', (_target, changed) => ({ changed }), nothing);
  refuse('mknod', 'mknod', first, nothing);
  refuse('chmod', 'chmod', first, nothing);
  refuse('chown', 'chown', first, nothing);
  refuse('utimens', 'utimens', first, nothing);
  refuse('removexattr', 'removexattr', first, nothing);
  refuse('setxattr', 'setxattr', first, (_path, _name, value) => [value.buffer]);
  refuse('write', 'write', first, (_path, _handle, bytes) => [0, bytes.buffer]);
}
