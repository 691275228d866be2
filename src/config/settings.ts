import type { DocsSelection } from '../core/docs-selection.ts';
import type { ContextSettings } from '../settings/context.ts';
import type { LearningSettings } from '../settings/learning.ts';
import type { Limits } from '../settings/limits.ts';
import type { LintChoices } from '../settings/lint.ts';
import type { SearchSettings } from '../settings/search.ts';
import type { NamedRoot } from './docs-roots.ts';
import type { EmbeddingsKey } from './embeddings-schema.ts';
import type { LlmKey } from './llm-schema.ts';
import { loadConfig } from './load.ts';
import type { ModulesKey } from './modules-schema.ts';
import type { DriverName } from './schema.ts';
import { settle } from './settle.ts';

/** What the command line says. It takes precedence over the config file. */
export interface Flags {
  readonly docs?: NamedRoot | readonly NamedRoot[] | undefined;
  readonly state?: string | undefined;
  readonly config?: string | undefined;
  /** Whether docs roots may be missing, for callers that only look for daemons. Default: no. */
  readonly mayMissDocs?: boolean;
  /** Docs roots that are not to be accessed, since their disks do not answer, by the absolute paths that name them. Default: none. */
  readonly unanswered?: readonly string[];
}

/** What a project's config file asks to have sent out. `chooseEmbeddings` and `chooseModel` decide whether that is followed. */
export interface ProjectAsk<Key> {
  readonly asked: Key;
  /** The absolute path of the file. */
  readonly file: string;
  /** The text of the whole file, by which it is trusted or not. */
  readonly text: string;
}

/** All settings of one run: where things are and how they are done. Paths are absolute. */
export interface Settings {
  readonly configFile: string | undefined;
  /** The first docs root, beside which the state folder is. */
  readonly docs: string;
  /** All docs roots, and which of their files are chosen. */
  readonly selection: DocsSelection;
  readonly state: string;
  readonly maxDocumentBytes: number;
  readonly driver: DriverName | undefined;
  readonly readOnly: boolean;
  readonly limits: Limits;
  /** How contexts are built. */
  readonly context: ContextSettings;
  readonly search: SearchSettings;
  readonly learning: LearningSettings;
  readonly lint: LintChoices;
  /** Undefined if the project says nothing about it. */
  readonly embeddings?: ProjectAsk<EmbeddingsKey> | undefined;
  /** As for embeddings. */
  readonly llm?: ProjectAsk<LlmKey> | undefined;
  /** As for embeddings, to be decided by `chooseModules`. */
  readonly modules?: ProjectAsk<ModulesKey> | undefined;
  /** The file of the schema map, or the name of the built-in one; undefined if there is none. */
  readonly schemaMap: string | undefined;
  /** Files that are used as schema map if they exist, in this order; empty if a config file names the map. */
  readonly usualMaps: readonly string[];
  /** The folder of the project's own templates. */
  readonly templates: string | undefined;
}

/**
 * Settles docs roots, state folder and everything else from flags, config file and defaults, in this order.
 * @throws UserError if the config file is wrong or asks for too much, or a docs root is not a readable folder
 */
export function loadSettings(flags: Flags, workingFolder: string): Settings {
  return settle(flags, workingFolder, loadConfig(workingFolder, flags.config));
}
