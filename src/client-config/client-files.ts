import { isAbsolute, join } from 'node:path';
import type { ClientName } from '../config/client-names.ts';

/** Where and how a client stores its list of MCP servers. */
export interface ClientFile {
  readonly file: string;
  /** The key of the list. */
  readonly list: string;
  /** Whether the client accepts comments in the file. */
  readonly isLenient: boolean;
  /** Whether an entry contains its type. */
  readonly saysType: boolean;
  /** Whether the file is the user's own, rather than a project's. */
  readonly isOfUser: boolean;
}

export interface ClientPlaces {
  /** The absolute path of the project. */
  readonly project: string;
  readonly home: string;
  /** The environment of this process. */
  readonly variables: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

interface Client extends Omit<ClientFile, 'file' | 'isOfUser'> {
  /** Undefined if the client has no config for projects. */
  readonly inProject: readonly string[] | undefined;
  ofUser(places: ClientPlaces): string;
}

/** From the documentation of each client: paths, the key of the list, and whether comments are allowed. */
const CLIENTS: Readonly<Record<ClientName, Client>> = {
  'claude-code': {
    list: 'mcpServers',
    isLenient: false,
    saysType: true,
    inProject: ['.mcp.json'],
    ofUser: ({ home }) => join(home, '.claude.json'),
  },
  'claude-desktop': {
    list: 'mcpServers',
    isLenient: false,
    saysType: false,
    inProject: undefined,
    ofUser: (places) => join(applicationFolder(places), 'Claude', 'claude_desktop_config.json'),
  },
  cursor: {
    list: 'mcpServers',
    isLenient: true,
    saysType: false,
    inProject: ['.cursor', 'mcp.json'],
    ofUser: ({ home }) => join(home, '.cursor', 'mcp.json'),
  },
  gemini: {
    list: 'mcpServers',
    isLenient: true,
    saysType: false,
    inProject: ['.gemini', 'settings.json'],
    ofUser: ({ home }) => join(home, '.gemini', 'settings.json'),
  },
  vscode: {
    list: 'servers',
    isLenient: true,
    saysType: true,
    inProject: ['.vscode', 'mcp.json'],
    ofUser: (places) => join(applicationFolder(places), 'Code', 'User', 'mcp.json'),
  },
};

/** The config file of a client: that of the project if the client has one, unless that of the user is asked for. */
export function clientFile(name: ClientName, ofUser: boolean, places: ClientPlaces): ClientFile {
  const { inProject, ofUser: fileOfUser, ...how } = CLIENTS[name];
  if (ofUser || inProject === undefined) return { ...how, file: fileOfUser(places), isOfUser: true };
  return { ...how, file: join(places.project, ...inProject), isOfUser: false };
}

/** The folder in which programs with windows store their settings. */
function applicationFolder({ home, variables, platform }: ClientPlaces): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  const base = variables['XDG_CONFIG_HOME'];
  return base !== undefined && isAbsolute(base) ? base : join(home, '.config');
}
