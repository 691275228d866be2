import type { Mention, NodeKey, NodeType } from '../../core/graph-model.ts';
import { endpointKey, eventKey, HTTP_METHODS } from '../../core/identity.ts';
import { foldSpace } from '../../text/fold-space.ts';
import { withoutBracketsAtEnd } from '../extract/brackets.ts';
import { findEndpoints } from '../extract/endpoint-text.ts';
import { bareEventName, eventShape } from '../extract/event-names.ts';
import { bareName, conceptKeyOf, isName, isQualifier, isTelling, isVerb } from '../extract/names.ts';
import { placeOfName, type QuotedLines } from './quoted-lines.ts';
import type { EndKind } from './relation-check.ts';

/** The node that a name from a model stands for. */
export interface NamedNode {
  readonly key: NodeKey;
  readonly type: NodeType;
  /** The name as it is written, without words that are no part of it. */
  readonly label: string;
  readonly kind: EndKind;
  /** Whether rules have found it in this document. */
  readonly isKnown: boolean;
}

const ENDPOINT = new RegExp(`^(${HTTP_METHODS.join('|')})\\s+(?:https?://[^/\\s]+)?(/\\S*)$`, 'i');
/** Words after a name that are no part of it. */
const KIND_BEHIND =
  /\s+(?:apis?|endpoints?|events?|webhooks?|class(?:es)?|types?|objects?|resources?|entit(?:y|ies)|records?)$/i;
/** No thing is named by a path, a host or code. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N} _&'’+#-]*$/u;
/** Words that no name contains. With one of them, it is a clause. */
const CLAUSE =
  /(?:^|\s)(?:is|are|was|were|be|been|has|have|had|will|must|can|may|might|should|would|could|when|if|then|that|which|who|this|these|not|it|its|you|your|we|they|does|do|via|into|than|because|so|also|each|any|all|every)(?:\s|$)|\S{3,}ly(?:\s|$)/i;
const MAX_WORDS = 4;

/** What names mean in one document. Those that rules have found come first, so that one thing has one name. */
export class NamesOfModel {
  readonly #known = new Map<NodeKey, Mention>();
  readonly #lines: QuotedLines;

  constructor(mentions: readonly Mention[], lines: QuotedLines) {
    this.#lines = lines;
    for (const mention of mentions) {
      const before = this.#known.get(mention.key);
      if (before === undefined || (mention.declares && !before.declares))
        this.#known.set(mention.key, mention);
    }
  }

  /** Undefined if it cannot be a name, or the document does not contain these words. */
  read(name: string): NamedNode | undefined {
    const label = foldSpace(withoutBracketsAtEnd(name.replace(/[`*]/g, '')));
    if (label === '' || label.length > 120) return undefined;
    const bare = label.replace(KIND_BEHIND, '');
    return this.#endpoint(label) ?? this.#event(label) ?? this.#event(bare) ?? this.#thing(label);
  }

  /**
   * Whether a line is enough to make a node of something that rules did not find.
   * @param line the line as plain words
   * @param source the line as it is
   */
  isTold({ kind, label, key }: NamedNode, line: string, source: string): boolean {
    if (kind === 'endpoint') return findEndpoints(source).some((endpoint) => endpoint.key === key);
    if (kind === 'event') {
      const shape = eventShape(label);
      const isShaped =
        shape === 'past' || ((shape === 'identifier' || shape === 'phrase') && /\s|_/.test(label));
      return (
        isShaped && /\bevents?\b|\bwebhooks?\b|\btrigger|\bemit|\bfire[sd]?\b|\bpublish|\bnotif/.test(line)
      );
    }
    if (key === '' || CLAUSE.test(label) || label.split(' ').length > MAX_WORDS) return false;
    const isTold = isTelling(label) || (isName(label) && label.includes(' '));
    if (!isTold || isVerb(label) || isQualifier(label) || placeOfName(line, label) === undefined)
      return false;
    return this.#lines.writesAsName(label);
  }

  #endpoint(label: string): NamedNode | undefined {
    const [, method, path] = ENDPOINT.exec(label) ?? [];
    if (method === undefined || path === undefined) return undefined;
    const key = endpointKey(method, path);
    const known = this.#known.get(key);
    if (known !== undefined) return { ...known, kind: 'endpoint', isKnown: true };
    const written = `${method.toUpperCase()} ${path}`;
    // The text must be there verbatim, since an endpoint with another method or path is another endpoint.
    if (!this.#lines.hasVerbatim(written)) return undefined;
    return { key, type: 'Endpoint', label: written, kind: 'endpoint', isKnown: false };
  }

  #event(label: string): NamedNode | undefined {
    const name = bareEventName(label);
    const key = eventKey(name);
    const known = this.#known.get(key);
    if (known !== undefined) return { ...known, kind: 'event', isKnown: known.declares };
    const shape = eventShape(name);
    if (shape !== 'past' && !(shape === 'dotted' || /^[A-Z\d]+(?:_[A-Z\d]+)+$/.test(name))) return undefined;
    if (!/[._:/-]/.test(name) || !this.#lines.hasVerbatim(name)) return undefined;
    return { key, type: 'Event', label: name, kind: 'event', isKnown: false };
  }

  #thing(label: string): NamedNode | undefined {
    for (const form of [label, bareName(label), bareName(label).replace(KIND_BEHIND, '')]) {
      const known = this.#known.get(conceptKeyOf(form));
      if (known !== undefined) return { ...known, kind: 'thing', isKnown: known.declares };
    }
    const bare = bareName(label).replace(KIND_BEHIND, '');
    if (!isName(bare) || !PLAIN.test(bare) || !this.#lines.has(bare)) return undefined;
    return { key: conceptKeyOf(bare), type: 'Concept', label: bare, kind: 'thing', isKnown: false };
  }
}
