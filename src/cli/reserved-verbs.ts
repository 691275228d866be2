/** A verb that a later version brings. Its name is taken now, so that no two verbs ever mean one thing. */
export interface ReservedVerb {
  readonly verb: string;
  /** One line, without a full stop. */
  readonly summary: string;
}

/** In the order in which documentation shows them. */
export const RESERVED_VERBS: readonly ReservedVerb[] = [];
