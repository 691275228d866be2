/**
 * API calls in shell code: `curl -X POST https://host/path` names its endpoint, as does HTTPie's `http POST https://host/path`. A call
 * without a method only implies one: POST if it sends data, otherwise GET.
 */
import { type Endpoint, pairEndpoints } from './endpoint-text.ts';

export interface ShellCall extends Endpoint {
  /** The 0-based line of the code in which the command begins. */
  readonly line: number;
  /** Whether the command names the method. */
  readonly explicit: boolean;
  /** Whether the command saves the response in a file. */
  readonly downloads: boolean;
}

/** What the words of a command mean. */
interface CallWords {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly sendsData: boolean;
  readonly downloads: boolean;
}

const MAX_COMMAND = 8_000;
const WORD =
  /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\\r?\n|(?:\{\{[^{}\n]{1,60}\}\}|<[\w.-]{1,60}>|[^\s"'\\|;&<>()])+|\\.|[\s|;&<>()]/g;

/** A line for the site generator within a command, which readers do not see. It is replaced by spaces, so that lines and offsets stay. */
const GENERATOR_LINE =
  /^[ \t]*(?:#|\/\/)\s*(?:highlight-(?:next-line|start|end)|\[!code [^\]\n]{1,40}\])[ \t]*$/gm;

/** All calls of curl or HTTPie in the code, in order. */
export function findShellCalls(source: string): ShellCall[] {
  const code = source.replace(GENERATOR_LINE, (line) => `${' '.repeat(line.length - 1)}\\`);
  const calls: ShellCall[] = [];
  const command = /(?<![\w./-])curl\s|https?(?<=^[ \t$]*https?)\s/gm;
  let line = 0;
  let counted = 0;
  for (let match = command.exec(code); match !== null; match = command.exec(code)) {
    const { words, length } = readWords(code.slice(match.index, match.index + MAX_COMMAND));
    for (; counted < match.index; counted += 1) if (code.charCodeAt(counted) === 0x0a) line += 1;
    const call = words[0] === 'curl' ? readCall(words) : readHttpieCall(words);
    if (call !== undefined) calls.push({ ...call, line });
    command.lastIndex = Math.max(command.lastIndex, match.index + length);
  }
  return calls;
}

function readCall(words: readonly string[]): Omit<ShellCall, 'line'> | undefined {
  let method: string | undefined;
  let url: string | undefined;
  let sendsData = false;
  let downloads = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '-X' || word === '--request') {
      method = words[index + 1];
      index += 1;
    } else if (/^-X[A-Z]+$/.test(word)) method = word.slice(2);
    else if (word.startsWith('--request=')) method = word.slice('--request='.length);
    else if (method === undefined && url === undefined && isMethod(word)) method = word;
    else if (word === '--url') continue;
    else if (/^(?:-d|--data(?:-\w+)?|-F|--form|--json)$/.test(word)) {
      sendsData = true;
      index += 1;
    } else if (/^(?:-\w*o|--output)$/.test(word)) {
      index += 1;
      downloads = words[index] !== '/dev/null';
    } else if (/^(?:-\w*O\w*|--remote-name)$/.test(word)) downloads = true;
    else if (/^(?:-H|--header|-u|--user|-A|-b|-c)$/.test(word)) index += 1;
    else if (url === undefined && /^(?:https?:\/\/|\$|\{|<|localhost[:/]|[\w.-]+\.\w+(?::\d+)?\/)/.test(word))
      url = word;
  }
  return callOf({ method, url, sendsData, downloads });
}

/** Reads `http --form POST https://host/path name=Kiln Authorization:token page==2`. Only fields are data, and `:3000/path` is a path of this host. */
function readHttpieCall(words: readonly string[]): Omit<ShellCall, 'line'> | undefined {
  const given = words.slice(1).filter((word) => !word.startsWith('-'));
  const at = given.findIndex((word) =>
    /^(?:https?:\/\/|:\d*\/|\$\w|localhost[:/]|[\w.-]+\.\w+(?::\d+)?\/)/.test(word),
  );
  const url = given[at]?.replace(/^:/, 'localhost:');
  const method = given.slice(0, Math.max(at, 0)).find(isMethod);
  const sendsData = given.slice(at + 1).some((word) => /^[\w.[\]-]+(?::?=(?!=)|@)/.test(word));
  const downloads = words.some((word) => /^(?:-d|-o|--download|--output)$/.test(word));
  return callOf({ method, url, sendsData, downloads });
}

function callOf({ method, url, sendsData, downloads }: CallWords): Omit<ShellCall, 'line'> | undefined {
  if (url === undefined) return undefined;
  const absolute = /^(?:https?:|[${<])/.test(url) ? url : `http://${url}`;
  const named = method !== undefined && /^[A-Z]+$/.test(method) ? method : undefined;
  const [endpoint] = pairEndpoints(named ?? (sendsData ? 'POST' : 'GET'), absolute);
  return endpoint === undefined ? undefined : { ...endpoint, explicit: named !== undefined, downloads };
}

/** Whether a word is a method without `-X`: `curl -L POST https://…`. */
function isMethod(word: string): boolean {
  return /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(word);
}

/** The words of one command without quotes, and its length. The command ends with the first line that is not continued. */
function readWords(command: string): { words: string[]; length: number } {
  const words: string[] = [];
  let word = '';
  let length = 0;
  for (const match of command.matchAll(WORD)) {
    const [source, doubleQuoted, singleQuoted] = match;
    length = match.index + source.length;
    if (doubleQuoted !== undefined) word += doubleQuoted;
    else if (singleQuoted !== undefined) word += singleQuoted;
    else if (/^\\\r?\n$/.test(source)) continue;
    else if (/^[\s|;&()]$/.test(source)) {
      if (word !== '') words.push(word);
      word = '';
      if (/[\n|;&]/.test(source)) break;
    } else word += source;
  }
  if (word !== '') words.push(word);
  return { words, length };
}
