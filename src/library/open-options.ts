import { z } from 'zod';
import { didYouMean } from '../cli/near-names.ts';
import { UserError } from '../core/errors.ts';
import { plainIssues } from '../core/plain-issues.ts';

export interface OpenContextOptions {
  /** The folder that relative paths start from, and where the config file is looked for. Default: the current folder. */
  readonly folder?: string;
  /** The docs root, or several. Default, as for a command: those of the config file, else `docs`, else the folder itself. */
  readonly docs?: string | readonly string[];
  /** The state folder. Default: `.kgraphfs` beside the docs. */
  readonly state?: string;
  /** The config file. Default: `kgraphfs.config.json` in the folder, if there is one. */
  readonly config?: string;
  /** The name under which the host program acts. Default: KGRAPHFS_ACTOR, or `kgraphfs`. */
  readonly actor?: string;
  /** The session in which the host program acts. Default: KGRAPHFS_SESSION, else that of a live mount, else `cli`. */
  readonly session?: string;
  /** Whether to keep the index equal to the docs while the context is open. Default false: it is brought up to date on opening, and by `refresh`. */
  readonly watch?: boolean;
  /** Whether what a model writes to memory by `callTool` counts at once. Default: what the user's own config says, else no: it waits in review. */
  readonly allowModelWrites?: boolean;
  /** Called with what a command would print on standard error. Default: that is dropped. */
  readonly onWarning?: (text: string) => void;
}

const optionsSchema = z.strictObject({
  folder: z.string().optional(),
  docs: z.union([z.string(), z.array(z.string())]).optional(),
  state: z.string().optional(),
  config: z.string().optional(),
  actor: z.string().optional(),
  session: z.string().optional(),
  watch: z.boolean().optional(),
  allowModelWrites: z.boolean().optional(),
  onWarning: z
    .custom((value) => typeof value === 'function', { message: 'it has to be a function' })
    .optional(),
});

/** Checks options at run time: host programs need not be written in TypeScript, and a misspelt option would go unnoticed. @throws UserError that names it */
export function refuseWrongOptions(options: unknown): void {
  const [issue] = plainIssues(optionsSchema.safeParse(options).error?.issues ?? []);
  if (issue === undefined) return;
  const [name = ''] = issue.path.map(String);
  const near = issue.isUnknownKey ? didYouMean(name, Object.keys(optionsSchema.shape)) : '';
  const message = issue.isUnknownKey ? 'there is no such option' : issue.message;
  throw new UserError(`openContext: ${name === '' ? 'the options' : name}: ${message}${near}`);
}
