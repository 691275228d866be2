/** Finds how people, agents and models have walked through the graph, from the history. */
import { decodeName } from '../core/names.ts';

/** The part of an entry of the history that says where somebody went. */
export interface HistoryStep {
  readonly timeMs: number;
  readonly session: string;
  readonly actor: string;
  readonly type: string;
  readonly path?: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Nodes in the order in which somebody looked at them, or the two ends of a path that was asked for. Names are those that were used. */
export interface Walk {
  /** A conversation or a session. A path that is walked twice in one counts once. */
  readonly occasion: string;
  readonly kind: 'visited' | 'asked';
  readonly nodes: readonly string[];
}

/** A caller who reads more files than this at once goes through everything, and is not following a thought. */
const MAX_BURST = 12;
/** For commands without a session: after this long without one, another occasion begins. */
const SILENCE_MS = 30 * 60 * 1000;
const COMMAND_LINE = 'cli';
/** Tools of a model that look at one node. */
const VISITING: ReadonlySet<string> = new Set(['navigate', 'inspect']);

/** @param steps in the order in which they happened */
export function walksIn(steps: readonly HistoryStep[]): Walk[] {
  const walks: Walk[] = [];
  const visits = new Map<string, { readonly occasion: string; readonly nodes: string[] }>();
  const occasionOf = occasions();
  for (const step of steps) {
    const occasion = occasionOf(step);
    for (const { kind, nodes } of seenIn(step)) {
      if (kind === 'asked') {
        walks.push({ occasion, kind, nodes });
        continue;
      }
      const who = `${occasion}\n${step.actor}`;
      const known = visits.get(who);
      if (known === undefined) visits.set(who, { occasion, nodes: [...nodes] });
      else known.nodes.push(...nodes);
    }
  }
  for (const { occasion, nodes } of visits.values()) walks.push({ occasion, kind: 'visited', nodes });
  return walks;
}

function occasions(): (step: HistoryStep) => string {
  const last = new Map<string, { readonly timeMs: number; readonly count: number }>();
  return ({ session, timeMs, data }) => {
    const conversation = textOf(data['conversation']);
    if (conversation !== undefined) return conversation;
    if (session !== COMMAND_LINE) return session;
    const before = last.get(session) ?? { timeMs, count: 0 };
    const count = timeMs - before.timeMs > SILENCE_MS ? before.count + 1 : before.count;
    last.set(session, { timeMs, count });
    return `${session} ${count}`;
  };
}

type Seen = Pick<Walk, 'kind' | 'nodes'>;

function seenIn({ type, path, data }: HistoryStep): Seen[] {
  if (type === 'tool') return seenByTool(data);
  if (type !== 'read') return [];
  const paths = Array.isArray(data['paths']) ? data['paths'] : [path];
  const count = typeof data['count'] === 'number' ? data['count'] : 1;
  if (count > MAX_BURST) return [];
  return paths.flatMap((one) => (typeof one === 'string' ? seenAt(one) : []));
}

function seenByTool({ tool, args, error }: HistoryStep['data']): Seen[] {
  if (error !== undefined || typeof tool !== 'string' || typeof args !== 'object' || args === null) return [];
  const given = new Map<string, unknown>(Object.entries(args));
  if (tool === 'connect') {
    const [from, to] = [textOf(given.get('from')), textOf(given.get('to'))];
    return from === undefined || to === undefined ? [] : [{ kind: 'asked', nodes: [from, to] }];
  }
  const node = textOf(given.get('node'));
  return node !== undefined && VISITING.has(tool) ? [{ kind: 'visited', nodes: [node] }] : [];
}

/** @param path in the mount */
function seenAt(path: string): Seen[] {
  const [top, folder, ...names] = path.split('/').filter((part) => part !== '');
  if (top !== 'graph') return [];
  const [first, second, third] = names.map(decodeName);
  switch (folder) {
    case 'nodes':
    case 'markdown':
      return first === undefined ? [] : [{ kind: 'visited', nodes: [first] }];
    case 'types':
      return second === undefined ? [] : [{ kind: 'visited', nodes: [second] }];
    case 'near':
      if (first === undefined) return [];
      return [{ kind: 'visited', nodes: third === undefined ? [first] : [first, third] }];
    case 'path':
      return first === undefined || second === undefined ? [] : [{ kind: 'asked', nodes: [first, second] }];
    default:
      return [];
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
