/**
 * The verbs that state a relation, as a table: what they mean, what their ends are and how certain that is. A phrase may have an
 * adverb between its words (`generated automatically by`). Forms of "be" and "can" before it need not be listed. Long because it is one table.
 */
import type { EdgeType } from '../../core/graph-model.ts';

export interface VerbRule {
  /** The code by which edges are traced to the rule. It is short, since each statement keeps it, and never changed. */
  readonly code: string;
  /** Phrases, separated by commas. */
  readonly phrases: string;
  readonly edge: EdgeType;
  /**
   * How the words before the verb relate to those behind.
   * - `active`: `X requires Y`
   * - `passive`: `Y is required by X`
   * - `relative`: active, but only behind "that" or "which" (`the Subscription that generated it`)
   * - `placing`: both ends stand behind the verb, joined by a preposition (`creates X under Y`)
   * - `receiving`: what stands before the verb did nothing (`you will receive Y`); the section's own subject did
   * - `passing`: something passes between the words before the verb and the name behind a preposition (`X sends results to Y`)
   */
  readonly voice: 'active' | 'passive' | 'relative' | 'placing' | 'passing' | 'receiving';
  /** What the names behind the verb can be: `event` means only events, `thing` everything else. */
  readonly means: 'any' | 'event' | 'thing';
  readonly confidence: number;
  /** For `placing`: what stands between the two ends. For `passing`: the preposition before the other end. */
  readonly joined?: RegExp;
}

/** @param prepositions separated by `|` */
function joinedBy(prepositions: string): RegExp {
  return new RegExp(
    `^(?:\\s+(?:objects?|resources?|entit(?:y|ies)|data\\s+models?))?\\s+(?:${prepositions})\\s+(?:its\\s+|their\\s+)?`,
    'i',
  );
}

/** Matches what is passed, and the preposition: `the rest of the samples both from `. */
function passedBy(preposition: string): RegExp {
  return new RegExp(`^((?:\\s+[^\\s,;:()]+){1,7}?)\\s+${preposition}\\s+`, 'iu');
}

/** If several rules have the same phrase, the first one that finds its ends applies. */
export const VERB_RULES: readonly VerbRule[] = [
  {
    code: 'requires',
    phrases:
      'requires, require, requiring, needs, need, depends on, depend on, depends upon, relies on, rely on, must have, must include, must provide, needs to have, need to have, needs to include, need to include, cannot exist without',
    edge: 'requires',
    voice: 'active',
    means: 'any',
    confidence: 0.9,
  },
  {
    code: 'required',
    phrases:
      'required by, needed by, required for, needed for, required to create, required to use, required to call, needed to create',
    edge: 'requires',
    voice: 'passive',
    means: 'any',
    confidence: 0.85,
  },
  {
    code: 'returns',
    phrases:
      'returns, return, returning, renders, responds with, respond with, replies with, yields, yield, gives back, response is, response contains, response includes, response will be, response will contain, response body is, response body contains, returned value is',
    edge: 'returns',
    voice: 'active',
    means: 'thing',
    confidence: 0.9,
  },
  {
    code: 'returned',
    phrases: 'returned by, returned from',
    edge: 'returns',
    voice: 'passive',
    means: 'thing',
    confidence: 0.8,
  },
  {
    code: 'brings-about',
    phrases:
      'triggers creation of, triggers the creation of, trigger creation of, trigger the creation of, triggers generation of, initiates creation of, initiates the creation of, leads to the creation of, causes the creation of',
    edge: 'generates',
    voice: 'active',
    means: 'thing',
    confidence: 0.75,
  },
  {
    code: 'triggers',
    phrases: 'triggers, trigger, triggering',
    edge: 'triggers',
    voice: 'active',
    means: 'any',
    confidence: 0.9,
  },
  {
    code: 'emits',
    phrases:
      'fires, fire, firing, emits, emit, emitting, dispatches, dispatch, dispatching, publishes, publish, publishing, raises, raise, raising, broadcasts, broadcast, broadcasting, produces, produce, producing, sends, send, sending, sends out, causes, cause, results in, creates, create, generates, generate',
    edge: 'triggers',
    voice: 'active',
    means: 'event',
    confidence: 0.9,
  },
  {
    code: 'received',
    phrases: 'will receive, will get',
    edge: 'triggers',
    voice: 'receiving',
    means: 'event',
    confidence: 0.7,
  },
  {
    code: 'triggered',
    phrases: 'triggered by, fired by',
    edge: 'triggers',
    voice: 'passive',
    means: 'any',
    confidence: 0.85,
  },
  {
    code: 'sent',
    phrases: 'emitted by, dispatched by, published by, raised by, sent by, broadcast by',
    edge: 'triggers',
    voice: 'passive',
    means: 'any',
    confidence: 0.85,
  },
  {
    code: 'produced',
    phrases: 'produced by',
    edge: 'triggers',
    voice: 'passive',
    means: 'any',
    confidence: 0.85,
  },
  {
    code: 'placed',
    phrases: 'creates, create, creating, nests, stores, keeps, generates, opens',
    edge: 'belongs_to',
    voice: 'placing',
    means: 'thing',
    confidence: 0.75,
    joined: joinedBy('under|underneath|within|inside|beneath|in'),
  },
  {
    code: 'attached',
    phrases: 'attaches, attach, attaching, assigns, adds, adding',
    edge: 'belongs_to',
    voice: 'placing',
    means: 'thing',
    confidence: 0.7,
    joined: joinedBy('to|under'),
  },
  {
    code: 'detached',
    phrases: 'detaches, detach, detaching, removes, removing, unassigns',
    edge: 'belongs_to',
    voice: 'placing',
    means: 'thing',
    confidence: 0.65,
    joined: joinedBy('from'),
  },
  {
    code: 'connected',
    phrases:
      'connects, connect, connecting, links, link, linking, associates, associate, associating, relates, relate, relating',
    edge: 'references',
    voice: 'placing',
    means: 'thing',
    confidence: 0.7,
    joined: joinedBy('to|with'),
  },
  {
    code: 'belongs',
    phrases:
      'belongs to, belong to, belonging to, belongs_to, belong_to, is part of, are part of, is a part of, is a child of, are children of, is the child of, children of, is a member of, are members of, is owned by, are owned by, owned by, is contained in, are contained in, contained in, is nested under, are nested under, nested under, nested in, lives under, live under, lives in, live in, is scoped to, are scoped to, scoped to, attached to, tied to, bound to, assigned to, is a subresource of, are subresources of, is a sub-resource of, is a component of, are components of, is an element of, are elements of, is a line item in, is a line item on, is a line item of, are line items of, is a step in, are steps in',
    edge: 'belongs_to',
    voice: 'active',
    means: 'thing',
    confidence: 0.9,
  },
  {
    code: 'added',
    phrases: 'can be added to, may be added to, must be added to',
    edge: 'belongs_to',
    voice: 'active',
    means: 'thing',
    confidence: 0.75,
  },
  {
    code: 'owns',
    phrases:
      'owns, own, is the parent of, are the parents of, is parent of, has many, have many, has multiple, has several, has one or more, have one or more, has zero or more, has any number of, contains many, contains multiple, contains one or more, contain many, contain multiple, contain one or more, consists of, consist of, is made up of, are made up of, is composed of, are composed of, comprises, comprise, is comprised of, are comprised of, is divided into, are divided into, is split into, are split into, groups, holds',
    edge: 'belongs_to',
    voice: 'passive',
    means: 'thing',
    confidence: 0.75,
  },
  {
    code: 'collects',
    phrases:
      'is a collection of, are collections of, is a group of, are groups of, is a set of, are sets of, is a list of, are lists of, represents a collection of, represents a group of, represents a set of',
    edge: 'belongs_to',
    voice: 'passive',
    means: 'thing',
    confidence: 0.75,
  },
  {
    code: 'generates',
    phrases:
      'generates, generate, generating, creates, create, creating, initiates, initiate, initiating, produces, produce, producing, spawns, spawn, issues, issue, issuing, mints, auto-generates',
    edge: 'generates',
    voice: 'active',
    means: 'thing',
    confidence: 0.85,
  },
  {
    code: 'generated',
    phrases: 'generated, created, produced, initiated, issued',
    edge: 'generates',
    voice: 'relative',
    means: 'thing',
    confidence: 0.8,
  },
  {
    code: 'generated-by',
    phrases:
      'generated by, created by, produced by, initiated by, spawned by, issued by, generated from, created from, derived from, built from',
    edge: 'generates',
    voice: 'passive',
    means: 'thing',
    confidence: 0.85,
  },
  {
    code: 'references',
    phrases:
      'references, reference, referencing, refers to, refer to, points to, point to, points at, links to, link to, applies to, apply to, uses, use, using, consumes, consume, consuming, subscribes to, subscribe to, listens to, listens for, listen to, listen for, calls, call, extends, extend, wraps, wrap, is associated with, are associated with, associated with, is linked to, are linked to, linked to, is related to, are related to, has, have, includes, include, contains, contain, represents, represent, describes, supports, support, replaces, replace, inherits from, inherit from',
    edge: 'references',
    voice: 'active',
    means: 'any',
    confidence: 0.7,
  },
  {
    code: 'works-with',
    phrases:
      'connects to, connect to, communicates with, communicate with, talks to, talk to, integrates with, integrate with, reads from, read from, writes to, write to, implements, implement, exposes, expose, interacts with, interact with, queries, polls, watches, invokes, invoke, delegates to, delegate to, registers with, register with, subscribes to, routes to, manages, managing, monitors, proxies, talks with, talk with, supervises, orchestrates, coordinates, coordinating, starts, restarts, notifies, runs inside, run inside, sits behind, sit behind',
    edge: 'references',
    voice: 'active',
    means: 'thing',
    confidence: 0.7,
  },
  {
    code: 'passes-to',
    phrases:
      'sends, send, forwards, forward, pushes, push, publishes, publish, submits, submit, delivers, deliver, writes, write, uploads, upload, exports, reports, passes, pass, hands, ships, routes, flushes, flush, transfers, transfer, returns, relays, streams, moves, delegates, copies, registers, register, appends, append, replicates, replicate, assigns, dispatches, dispatch, propagates, propagate, sending, forwarding, pushing, publishing, submitting, delivering, writing, uploading, passing, routing, shipping, replicating, assigning, moving, streaming',
    edge: 'references',
    voice: 'passing',
    means: 'thing',
    confidence: 0.65,
    joined: passedBy('to'),
  },
  {
    code: 'keeps-in',
    phrases:
      'stores, store, persists, persist, saves, save, writes, write, keeps, keep, caches, cache, records, puts, publishes, publish, registers, register, enqueues, loads, storing, persisting, saving, writing, keeping, caching',
    edge: 'references',
    voice: 'passing',
    means: 'thing',
    confidence: 0.65,
    joined: passedBy('(?:in|into|on|onto)'),
  },
  {
    code: 'passes-from',
    phrases:
      'fetches, fetch, pulls, pull, reads, read, receives, receive, consumes, consume, downloads, download, imports, collects, retrieves, retrieve, scrapes, scrape, loads, takes, picks up, gets, obtains, obtain, pulls in, pull in, polls, poll, fetching, pulling, reading, receiving, collecting, retrieving, scraping, downloading, loading, removes',
    edge: 'references',
    voice: 'passing',
    means: 'thing',
    confidence: 0.65,
    joined: passedBy('from'),
  },
  {
    code: 'rests-on',
    phrases:
      'is based on, are based on, is built on, are built on, is built on top of, are built on top of, is backed by, are backed by, is powered by, are powered by, runs on top of, run on top of, runs on, run on, builds on, build on, builds on top of, build on top of, sits in front of, sit in front of, sits on top of, runs alongside, run alongside, is deployed alongside',
    edge: 'references',
    voice: 'active',
    means: 'thing',
    confidence: 0.65,
  },
  {
    code: 'kept-in',
    phrases:
      'is stored in, are stored in, is kept in, are kept in, is written to, are written to, is forwarded to, are forwarded to, is passed to, are passed to, is routed to, are routed to, is appended to, are appended to, is saved in, are saved in, is cached in, are cached in, is recorded in, are recorded in, is embedded in, are embedded in, is embedded into, are embedded into, is registered with, are registered with, is hosted in, are hosted in, is hosted on, are hosted on',
    edge: 'references',
    voice: 'active',
    means: 'thing',
    confidence: 0.65,
  },
  {
    code: 'referenced',
    phrases:
      'referenced by, used by, consumed by, called by, referred to by, handled by, implemented by, provided by, updated by, managed by, maintained by, processed by, validated by, queried by, invoked by, monitored by, stored by, loaded by, scheduled by, executed by, hosted by, started by, supervised by, coordinated by, served by, fetched by, read by, written by, replayed by, picked up by, emitted by, dispatched by, published by, raised by, sent by, broadcast by',
    edge: 'references',
    voice: 'passive',
    means: 'any',
    confidence: 0.65,
  },
];
