import type { OpenFile } from '../core/resolver.ts';

const CHUNK_BYTES = 1 << 20;

/** The content of an open file in parts. Each part is a buffer of its own. */
export async function* chunksOf(file: OpenFile): AsyncIterable<Uint8Array> {
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(file.sizeBytes - position, 1)));
    const count = await file.read(chunk, position);
    if (count === 0) return;
    position += count;
    yield chunk.subarray(0, count);
  }
}

/** The content of an open file. */
export async function wholeOf(file: OpenFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(file)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
