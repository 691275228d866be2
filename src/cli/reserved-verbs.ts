/** A verb that a later version brings. Its name is taken now, so that no two verbs ever mean one thing. */
export interface ReservedVerb {
  readonly verb: string;
  /** One line, without a full stop. */
  readonly summary: string;
}

function group(name: string, verbs: Readonly<Record<string, string>>): ReservedVerb[] {
  return Object.entries(verbs).map(([verb, summary]) => ({ verb: `${name} ${verb}`, summary }));
}

/** In the order in which documentation shows them. */
export const RESERVED_VERBS: readonly ReservedVerb[] = [
  ...group('mcp', {
    install: 'enter kgraphfs in the config of an MCP client',
    uninstall: 'take kgraphfs out of that config',
  }),
];
