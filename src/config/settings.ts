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

/** What the command line said; it wins over the config file. */
export interface Flags {
  readonly docs?: NamedRoot | readonly NamedRoot[] | undefined;
  readonly state?: string | undefined;
  readonly config?: string | undefined;
  /** Whether docs roots may be gone, for who only looks for daemons. Default: no. */
  readonly mayMissDocs?: boolean;
  /** Docs roots that are not to be looked at, by the absolute paths that name them: their disks do not answer. Default: none. */
  readonly unanswered?: readonly string[];
}

/** What a project's config file wants sent out. It is for `chooseEmbeddings` and `chooseModel` to say whether that is followed. */
export interface ProjectAsk<Key> {
  readonly asked: Key;
  /** Absolute. */
  readonly file: string;
  /** Of the whole file, by which it is trusted or not. */
  readonly text: string;
}

/** Where things are and how they are done, for one run. Paths are absolute. */
export interface Settings {
  readonly configFile: string | undefined;
  /** The first docs root, beside which the state is. */
  readonly docs: string;
  /** All docs roots, and what of them is chosen. */
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
  /** Undefined where the project says nothing of it. */
  readonly embeddings?: ProjectAsk<EmbeddingsKey> | undefined;
  /** As embeddings. */
  readonly llm?: ProjectAsk<LlmKey> | undefined;
  /** As embeddings, for `chooseModules`. */
  readonly modules?: ProjectAsk<ModulesKey> | undefined;
  /** File of the schema map, or the name of the ready one; undefined where there is none. */
  readonly schemaMap: string | undefined;
  /** Files that are the map where they are there, the first first; none where a config file names the map. */
  readonly usualMaps: readonly string[];
  /** Folder of the project's own templates. */
  readonly templates: string | undefined;
}

/**
 * Settles docs roots, state folder and the rest from flags, config file and defaults, in this order.
 * @throws UserError where the config file is wrong or asks for too much, or the docs root is no folder that can be read
 */
export function loadSettings(flags: Flags, workingFolder: string): Settings {
  return settle(flags, workingFolder, loadConfig(workingFolder, flags.config));
}
