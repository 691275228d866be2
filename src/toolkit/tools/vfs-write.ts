import { z } from 'zod';
import { FsError, isFsError, UserError } from '../../core/errors.ts';
import { below, parsePath, type VfsPath } from '../../core/paths.ts';
import type { OpContext } from '../../core/resolver.ts';
import { SCRATCHPAD_POINT } from '../../core/tree-points.ts';
import { replaceFile, writtenAt } from '../../vfs/replace-file.ts';
import { memoryPlaceAt, remember } from '../memory-writes.ts';
import { defineTool, type Found, type Toolbox } from '../tool.ts';
import { METADATA } from './memory-update.ts';

export const vfsWrite = defineTool({
  name: 'vfs_write',
  description:
    'Writes a file: a memory below /context/memory/{fact,episodic,procedural}/, with how sure it is, tags and the documents it stands on; or anything below /context/scratchpad/. The rest of the tree is read-only.',
  effect: 'adds',
  parameters: z.strictObject({
    path: z.string().min(1).max(4095),
    content: z.string().max(1_000_000),
    ...METADATA,
  }),
  run({ path: asked, content, ...metadata }, box, context) {
    const path = parsePath(asked);
    const bytes = Buffer.from(content.endsWith('\n') || content === '' ? content : `${content}\n`);
    const place = memoryPlaceAt(path);
    if (place !== undefined) return remember(place, bytes, metadata, box, context);
    return writeElsewhere(path, bytes, metadata, box, context);
  },
});

async function writeElsewhere(
  path: VfsPath,
  bytes: Uint8Array,
  metadata: object,
  { fs }: Toolbox,
  context: OpContext,
): Promise<Found> {
  // A link in the scratchpad may lead out of it, to memory.
  const at = below(path, SCRATCHPAD_POINT) === undefined ? path : await writtenAt(fs, path, context);
  if (below(at, SCRATCHPAD_POINT) === undefined) {
    throw new FsError(
      'EROFS',
      path,
      'tools write below /context/memory/{fact,episodic,procedural}/ and /context/scratchpad/ only',
    );
  }
  const [name] = Object.keys(metadata);
  if (name !== undefined) throw new UserError(`memories have ${name}, and ${path} is none: leave it out`);
  try {
    return { fields: { path, size_bytes: await replaceFile(fs, path, [bytes], context) } };
  } catch (error) {
    if (!isFsError(error, 'EBUSY')) throw error;
    // Where it is mounted matters to a person who types a command, but tools cannot reach it.
    const why =
      'the scratchpad of this session is mounted elsewhere, and that mount does not take it; use /context/memory';
    throw new FsError('EBUSY', path, why);
  }
}
