import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  ErrorCode,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** What the SDK gives a handler besides the request: the signal of a cancellation, and the progress token. */
export type Asking = RequestHandlerExtra<ServerRequest, ServerNotification>;

/**
 * Answers requests of one method. Parameters are parsed here: wrong ones are answered with -32602 (invalid params), while the SDK itself would answer
 * with an internal error.
 */
export function onRequest<Params extends z.ZodType>(
  server: Server,
  method: string,
  params: Params,
  answer: (params: z.output<Params>, asking: Asking) => Promise<ServerResult>,
): void {
  const request = z.looseObject({ method: z.literal(method), params: z.unknown().optional() });
  server.setRequestHandler(request, async ({ params: given }, asking) => {
    const parsed = params.safeParse(given ?? {});
    if (!parsed.success) throw invalidParams(faultsOf(parsed.error));
    return answer(parsed.data, asking);
  });
}

/** An error with a number. The SDK's own class also puts the number into the text. */
class ProtocolError extends Error {
  override readonly name = 'ProtocolError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

export function invalidParams(message: string): Error {
  return new ProtocolError(ErrorCode.InvalidParams, message);
}

/** From the specification of resources. The SDK has no name for it. */
const RESOURCE_NOT_FOUND = -32_002;

export function resourceNotFound(uri: string, why: string): Error {
  return new ProtocolError(RESOURCE_NOT_FOUND, why, { uri });
}

function faultsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'params'}: ${message}`).join('; ');
}
