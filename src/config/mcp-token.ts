import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { UserError } from '../core/errors.ts';
import { OTHERS_BITS } from '../core/file-modes.ts';
import { readOwnFile } from './own-file.ts';

const VARIABLE = 'KGRAPHFS_MCP_TOKEN';
const MIN_LENGTH = 16;
const NEW_BYTES = 32;

/** The token with which clients of the MCP server prove that they may use it. */
export interface McpToken {
  readonly token: string;
  /** Whether it was made just now, so that nobody knows it yet. */
  readonly isNew: boolean;
}

/**
 * The token in a file, else that of KGRAPHFS_MCP_TOKEN, else a new one. There is no flag for it: other users of the machine can see command lines.
 * @throws UserError if the file cannot be used, or a token is too short or cannot be sent in a header
 */
export function chooseMcpToken(variables: NodeJS.ProcessEnv, file: string | undefined): McpToken {
  const given = file === undefined ? variables[VARIABLE] : tokenIn(file);
  if (given === undefined || given === '')
    return { token: randomBytes(NEW_BYTES).toString('base64url'), isNew: true };
  const token = given.trim();
  if (token.length < MIN_LENGTH || !/^[\x21-\x7e]+$/.test(token)) {
    throw new UserError(
      `${file ?? VARIABLE}: a token needs at least ${MIN_LENGTH} characters, all of them ASCII and none a space; make one with: openssl rand -hex 32`,
    );
  }
  return { token, isNew: false };
}

function tokenIn(file: string): string {
  const { text, problem } = readOwnFile(file);
  if (problem !== undefined) throw new UserError(problem);
  if (text === undefined) throw new UserError(`${file}: there is no such file`);
  if ((statSync(file).mode & OTHERS_BITS) !== 0)
    throw new UserError(`${file}: other users may read it; fix it with: chmod 600 ${file}`);
  if (text.trim() === '') throw new UserError(`${file}: it is empty`);
  return text;
}
