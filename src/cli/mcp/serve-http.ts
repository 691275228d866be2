import { once } from 'node:events';
import { resolve } from 'node:path';
import { chooseMcpToken } from '../../config/mcp-token.ts';
import { reasonOf } from '../../core/errors.ts';
import { VERSION } from '../../core/version.ts';
import { openHttp } from '../../mcp/http/http-server.ts';
import { openServer } from '../../mcp/server.ts';
import { TOOLS } from '../../toolkit/toolkit.ts';
import { callerContext } from '../caller.ts';
import { type Io, writeJson } from '../io.ts';
import { usageError } from '../usage-error.ts';
import type { ClosableDoor } from './lazy-door.ts';

const DEFAULT_PORT = 7317;

export interface HttpArguments {
  readonly port: number | undefined;
  readonly tokenFile: string | undefined;
  readonly allowOrigin: readonly string[];
  readonly json: boolean | undefined;
}

/** Serves by HTTP until the signal is aborted. @throws UserError if port, token or project cannot be used */
export async function serveHttpCommand(
  { port = DEFAULT_PORT, tokenFile, allowOrigin, json = false }: HttpArguments,
  door: ClosableDoor,
  signal: AbortSignal,
  io: Io,
): Promise<void> {
  const file = tokenFile === undefined ? undefined : resolve(io.workingFolder(), tokenFile);
  const { token, isNew } = chooseMcpToken(io.environment.variables, file);
  const { caller } = callerContext(io);
  const origins = allowOrigin.map(originOf);
  // The project is opened now, since whoever starts the server is looking: errors show here and not to the first client.
  const project = await door.open();
  const http = await openHttp({
    port,
    token,
    origins,
    open: () =>
      openServer({
        version: VERSION,
        tools: async () => TOOLS,
        door,
        actor: caller?.name ?? 'mcp',
        session: caller?.session,
      }),
    onFault: (error) => {
      project.fault(error);
      io.err.write(`${reasonOf(error)}\n`);
    },
  });
  const shown = isNew ? { token } : {};
  if (json) writeJson(io.out, { url: http.url, ...shown });
  else io.out.write(`serving at ${http.url}\n${isNew ? `token: ${token}\n` : ''}`);
  if (!signal.aborted) await once(signal, 'abort');
  await http.close();
}

/** An origin as browsers send it. @throws UserError if browsers never send that, so that it would allow nothing */
function originOf(given: string): string {
  const origin = given.toLowerCase().replace(/\/$/, '');
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(origin)) return origin;
  throw usageError(`--allow-origin takes an origin such as http://localhost:6274, not "${given}"`, 'mcp');
}
