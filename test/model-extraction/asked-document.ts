import type { ScriptedReply, SeenChat } from '../support/chat-server.ts';

/** What a model is shown of a document. */
export interface ShownDocument {
  readonly path: string;
  /** By the number that each has in the file. */
  readonly lines: ReadonlyMap<number, string>;
}

/** The document of a request for extraction. */
export function shownDocument({ messages }: Pick<SeenChat, 'messages'>): ShownDocument {
  const text = String(messages.at(-1)?.content);
  const [, path = '', body = ''] =
    /^<document \w+ path="([^"]*)">\n(.*)\n<\/document \w+>$/s.exec(text) ?? [];
  const lines = body.split('\n').map((line): [number, string] => {
    const [, number = '', rest = ''] = /^(\d+)\| ?(.*)$/.exec(line) ?? [];
    return [Number(number), rest];
  });
  return { path, lines: new Map(lines) };
}

interface AnsweredFacts {
  readonly nodes?: readonly Readonly<Record<string, unknown>>[];
  readonly edges?: readonly Readonly<Record<string, unknown>>[];
}

/** A model's whole answer. */
export function answered({ nodes = [], edges = [] }: AnsweredFacts): ScriptedReply {
  return { text: JSON.stringify({ nodes, edges }) };
}

const OBJECTS =
  /\*\*([A-Z]\w+)\*\*|\b((?:Charge|Customer|Invoice|Subscription|PaymentMethod|Refund|Event)s?)\b/g;
const RELATIONS = ['requires', 'returns', 'triggers', 'generates', 'belongs_to'];

/**
 * All that a bad model gets wrong, for one document: each relation between all that a line names, in both directions; things that are not there, and quotes that
 * are not; sentences as names; other names for what is known; fields as events, objects as events, endpoints of other methods and paths.
 */
export function worstAnswer({ lines }: ShownDocument): ScriptedReply {
  const nodes: Record<string, unknown>[] = [];
  const edges: Record<string, unknown>[] = [];
  for (const [line, quote] of lines) {
    nodes.push({ name: quote.slice(0, 60), type: 'Concept', line, quote });
    for (const [, span] of quote.matchAll(/`(\w+\.\w+)`/g))
      nodes.push({ name: span, type: 'APIObject', line, quote });
    for (const [, path] of quote.matchAll(/(?:GET|POST|DELETE) (\/[\w/{}:.-]+)/g))
      nodes.push({ name: `PUT ${path}`, type: 'Endpoint', line, quote });
    const names = [...quote.matchAll(OBJECTS)].map(([, bold, plain]) => bold ?? plain ?? '');
    for (const name of names) {
      nodes.push(
        { name: `${name} object`, type: 'Concept', line, quote },
        { name, type: 'Event', line, quote },
      );
      nodes.push({ name: `Global ${name} Ledger`, type: 'APIObject', line, quote });
      edges.push({
        source: name,
        type: 'belongs_to',
        target: 'Tenant',
        line,
        quote: 'Each belongs to a Tenant.',
      });
      for (const other of names) {
        for (const type of RELATIONS)
          edges.push({ source: `The ${name} API`, type, target: other, line, quote });
      }
    }
  }
  return answered({ nodes, edges });
}
