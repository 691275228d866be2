import { ENTERED } from './callers.ts';
import type { Handler, Handlers } from './handler.ts';
import { OPCODE, type Operation, operationOf } from './protocol/opcodes.ts';

/** Whose answers nobody waits for: the kernel has more to say at once, or nothing. */
const UNAWAITED: ReadonlySet<Operation> = new Set(['release', 'releasedir', 'forget', 'batchForget']);

/** What serves the requests of one number. */
export interface Service {
  readonly operation: Operation;
  readonly handler: Handler;
  /** Whether the caller has to be known before it is handled. */
  readonly isEntered: boolean;
  /** Whether a program waits for the answer. */
  readonly isAwaited: boolean;
}

/** By the number in the header of a request, so that each finds its own without being looked up by name. */
export function servicesOf(handlers: Handlers): readonly (Service | undefined)[] {
  const services: (Service | undefined)[] = [];
  for (const opcode of Object.values(OPCODE)) {
    const operation = operationOf(opcode);
    const handler = operation && handlers[operation];
    if (operation === undefined || handler === undefined) continue;
    services[opcode] = {
      operation,
      handler,
      isEntered: ENTERED.has(operation),
      isAwaited: !UNAWAITED.has(operation),
    };
  }
  return services;
}
