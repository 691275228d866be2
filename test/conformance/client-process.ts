/** The process behind MountClient: does on a folder what it is told. */

import { reasonOf } from '../../src/core/errors.ts';
import type { ClientAnswer, ClientCall } from './mounted.ts';
import { folderClient } from './native.ts';

const client = folderClient(process.argv[2] ?? '', []);

process.on('message', ({ id, method, args }: ClientCall) => {
  const attempt: Promise<unknown> = Reflect.apply(client[method], client, args);
  attempt.then(
    (value) => answer({ id, value }),
    (error: unknown) => answer({ id, failure: { message: reasonOf(error), code: codeOf(error) } }),
  );
});

function answer(message: ClientAnswer): void {
  process.send?.(message);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no code';
}
