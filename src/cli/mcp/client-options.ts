import { CLIENT_NAMES, type ClientName } from '../../config/client-names.ts';
import type { CommonArguments, OptionSpecs } from '../command.ts';

/** Options of both installing and uninstalling. */
export const CLIENT_OPTIONS = {
  client: { type: 'text', value: 'CLIENT', choices: CLIENT_NAMES, summary: 'whose config file' },
  user: {
    type: 'boolean',
    summary: "your own config file of the client, for all projects, instead of the project's",
  },
  project: { type: 'text', value: 'DIR', summary: 'the project (default: the current folder)' },
  dryRun: { type: 'boolean', summary: 'show the diff and change nothing' },
} as const satisfies OptionSpecs;

export interface ClientArguments extends CommonArguments {
  readonly client: ClientName | undefined;
  readonly user: boolean | undefined;
  readonly project: string | undefined;
  readonly dryRun: boolean | undefined;
}
