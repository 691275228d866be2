/**
 * API calls in shell code: `curl -X POST https://host/path` names its endpoint. A call without a method says it only
 * between the lines (GET, or POST where data is sent), which is a reference at most.
 */
import { type Endpoint, pairEndpoints } from './endpoint-text.ts';

export interface ShellCall extends Endpoint {
  /** Offset of the command in the code. */
  readonly offset: number;
  /** Whether the command names the method. */
  readonly explicit: boolean;
}

const MAX_COMMAND = 8_000;
const WORD = /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\\r?\n|[^\s"'\\|;&<>()]+|\\.|[\s|;&<>()]/g;

/** Every call of curl in the code, in order. */
export function findShellCalls(code: string): ShellCall[] {
  const calls: ShellCall[] = [];
  for (const match of code.matchAll(/(?<![\w./-])curl\s/g)) {
    const call = readCall(code.slice(match.index, match.index + MAX_COMMAND));
    if (call !== undefined) calls.push({ ...call, offset: match.index });
  }
  return calls;
}

function readCall(command: string): Omit<ShellCall, 'offset'> | undefined {
  let method: string | undefined;
  let url: string | undefined;
  let sendsData = false;
  const words = readWords(command);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '-X' || word === '--request') {
      method = words[index + 1];
      index += 1;
    } else if (/^-X[A-Z]+$/.test(word)) method = word.slice(2);
    else if (word.startsWith('--request=')) method = word.slice('--request='.length);
    else if (word === '--url') continue;
    else if (/^(?:-d|--data(?:-\w+)?|-F|--form|--json)$/.test(word)) {
      sendsData = true;
      index += 1;
    } else if (/^(?:-H|--header|-u|--user|-o|--output|-A|-b|-c)$/.test(word)) index += 1;
    else if (url === undefined && /^(?:https?:\/\/|\$|\{|<|localhost[:/]|[\w.-]+\.\w+(?::\d+)?\/)/.test(word))
      url = word;
  }
  if (url === undefined) return undefined;
  const absolute = /^(?:https?:|[${<])/.test(url) ? url : `http://${url}`;
  const named = method !== undefined && /^[A-Z]+$/.test(method) ? method : undefined;
  const [endpoint] = pairEndpoints(named ?? (sendsData ? 'POST' : 'GET'), absolute);
  return endpoint === undefined ? undefined : { ...endpoint, explicit: named !== undefined };
}

/** Words of one command, quotes removed; a line without a continuation ends it. */
function readWords(command: string): string[] {
  const words: string[] = [];
  let word = '';
  for (const match of command.matchAll(WORD)) {
    const [source, doubleQuoted, singleQuoted] = match;
    if (doubleQuoted !== undefined) word += doubleQuoted;
    else if (singleQuoted !== undefined) word += singleQuoted;
    else if (/^\\\r?\n$/.test(source)) continue;
    else if (/^[\s|;&<>()]$/.test(source) && !(source === '<' || source === '>')) {
      if (word !== '') words.push(word);
      word = '';
      if (/[\n|;&]/.test(source)) break;
    } else word += source;
  }
  if (word !== '') words.push(word);
  return words;
}
