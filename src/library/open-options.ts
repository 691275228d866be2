import { z } from 'zod';
import { didYouMean } from '../cli/near-names.ts';
import { UserError } from '../core/errors.ts';
import { plainIssues } from '../core/plain-issues.ts';

export interface OpenContextOptions {
  /** Where relative paths begin, and the config file is looked for. Default: the current folder. */
  readonly folder?: string;
  /** The docs root, or several. Default: as for a command: the config file, `docs`, or the folder itself. */
  readonly docs?: string | readonly string[];
  /** The state folder. Default: `.kgraphfs` beside the docs. */
  readonly state?: string;
  /** The config file. Default: `kgraphfs.config.json` of the folder, if there is one. */
  readonly config?: string;
  /** In whose name the host program acts. Default: KGRAPHFS_ACTOR, or `kgraphfs`. */
  readonly actor?: string;
  /** The session that what is done belongs to. Default: KGRAPHFS_SESSION, that of a live mount, or `cli`. */
  readonly session?: string;
  /** Keeps the index equal to the docs while the context is open. Default false: as they are when it is opened, and when `refresh` is called. */
  readonly watch?: boolean;
  /** Whether what a model writes to memory by `callTool` counts at once. Default: as the user's own config says, else it waits in review. */
  readonly allowModelWrites?: boolean;
  /** Told what a command would say on standard error. Default: nobody is. */
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

/** Host programs need not be written in TypeScript, and of an option that is misspelt nobody would learn. @throws UserError naming it */
export function refuseWrongOptions(options: unknown): void {
  const [issue] = plainIssues(optionsSchema.safeParse(options).error?.issues ?? []);
  if (issue === undefined) return;
  const [name = ''] = issue.path.map(String);
  const near = issue.isUnknownKey ? didYouMean(name, Object.keys(optionsSchema.shape)) : '';
  const message = issue.isUnknownKey ? 'there is no such option' : issue.message;
  throw new UserError(`openContext: ${name === '' ? 'the options' : name}: ${message}${near}`);
}
