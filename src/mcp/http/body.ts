import type { IncomingMessage } from 'node:http';

/** The body of a request, or why it is refused. */
export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'too large' }
  | { readonly kind: 'no json' };

/** Reads a body up to a maximal size. Of a larger one nothing is kept, and no more is read. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return { kind: 'too large' };
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Buffer)) continue;
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) return { kind: 'too large' };
    chunks.push(chunk);
  }
  try {
    return { kind: 'json', value: JSON.parse(Buffer.concat(chunks).toString()) };
  } catch {
    // The client is told so by its status, and the text may be anything.
    return { kind: 'no json' };
  }
}
