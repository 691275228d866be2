import { accessSync, constants } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { ModuleCode } from '../config/module-choice.ts';
import { whyUntrusted } from '../config/module-code.ts';
import type { BuiltInName } from '../config/modules-schema.ts';
import { reasonOf } from '../core/errors.ts';
import { plainIssues } from '../core/plain-issues.ts';
import type { ConfigSchema, ModuleHost, ModuleResolver } from './module.ts';
import type { ConfigFault, ModuleTask } from './wire.ts';

/** The error of a module that cannot be used as it is. */
export class Unusable extends Error {
  override readonly name = 'Unusable';

  constructor(
    reason: string,
    readonly faults: readonly ConfigFault[] = [],
  ) {
    super(reason);
  }
}

export interface LoadedModule {
  readonly resolver: ModuleResolver;
  /** Whether it goes on running while nobody asks for anything. */
  readonly staysUp: boolean;
}

/** Loads the code of a module, and makes its resolver with its config. @throws Unusable */
export async function loadModule(
  { code: source, config }: ModuleTask,
  host: ModuleHost,
): Promise<LoadedModule> {
  const code = source.kind === 'built-in' ? await builtIn(source.module) : await ownCode(source);
  const factory: unknown = Reflect.get(code, 'resolver');
  if (typeof factory !== 'function') throw new Unusable('its file exports no function "resolver"');
  const resolver: unknown = await factory(parsed(Reflect.get(code, 'config'), config), host);
  if (!isResolver(resolver)) throw new Unusable('its "resolver" returned nothing with a method "at"');
  const staysUp = source.kind === 'file' || Reflect.get(code, 'staysUp') === true;
  return { resolver, staysUp };
}

async function builtIn(name: BuiltInName): Promise<object> {
  switch (name) {
    case 'git':
      return import('./builtin/git.ts');
    case 'github':
      return import('./builtin/github.ts');
    case 'mcp':
      return import('./builtin/mcp.ts');
    case 'openapi':
      return import('./builtin/openapi.ts');
  }
}

async function ownCode({ file, trusted }: Extract<ModuleCode, { readonly kind: 'file' }>): Promise<object> {
  requireReadable(file);
  // The file may have been edited since this process checked that it is trusted.
  const why = trusted && whyUntrusted(file, trusted);
  if (why !== undefined) throw new Unusable(why);
  try {
    const code: object = await import(pathToFileURL(file).href);
    return code;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Node does not tell the program where a syntax error is. It only prints that, when the file is run by itself.
    throw new Error(`${error.message}; where, is shown by: node ${file}`, { cause: error });
  }
}

function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw new Unusable(`${file}: it cannot be read: ${reasonOf(error)}`);
  }
}

/** @param declared a schema, or a function that makes one with the zod that it is given */
function parsed(declared: unknown, config: unknown): unknown {
  const schema: unknown = typeof declared === 'function' ? declared(z) : (declared ?? z.strictObject({}));
  if (!isSchema(schema))
    throw new Unusable('its "config" is neither a zod schema nor a function that returns one');
  const result = schema.safeParse(config);
  if (result.success) return result.data;
  const faults = plainIssues(result.error.issues).map(({ path, message }) => ({
    path: path.map((part) => (typeof part === 'number' ? part : String(part))),
    message,
  }));
  throw new Unusable('its config is wrong', faults);
}

function isSchema(value: unknown): value is ConfigSchema {
  return (
    typeof value === 'object' &&
    value !== null &&
    'safeParse' in value &&
    typeof value.safeParse === 'function'
  );
}

function isResolver(value: unknown): value is ModuleResolver {
  return typeof value === 'object' && value !== null && 'at' in value && typeof value.at === 'function';
}
