import { isAbsolute, join } from 'node:path';
import type { ClientName } from '../config/client-names.ts';

/** Where a client keeps its MCP servers, and how. */
export interface ClientFile {
  readonly file: string;
  /** The member of the whole that holds them. */
  readonly list: string;
  /** Whether the client takes comments in it. */
  readonly isLenient: boolean;
  /** Whether an entry says its kind. */
  readonly saysType: boolean;
  /** It is the user's own, and not a project's. */
  readonly isOfUser: boolean;
}

export interface ClientPlaces {
  /** Absolute. */
  readonly project: string;
  readonly home: string;
  /** Those of this process. */
  readonly variables: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

interface Client extends Omit<ClientFile, 'file' | 'isOfUser'> {
  /** Undefined where the client knows no projects. */
  readonly inProject: readonly string[] | undefined;
  ofUser(places: ClientPlaces): string;
}

/** As each client's documentation says: paths, the name of the list, whether it is JSON with comments. */
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

/** The file of a client: of the project where the client has one for it, unless that of the user is asked for. */
export function clientFile(name: ClientName, ofUser: boolean, places: ClientPlaces): ClientFile {
  const { inProject, ofUser: fileOfUser, ...how } = CLIENTS[name];
  if (ofUser || inProject === undefined) return { ...how, file: fileOfUser(places), isOfUser: true };
  return { ...how, file: join(places.project, ...inProject), isOfUser: false };
}

/** Where programs with windows keep their settings. */
function applicationFolder({ home, variables, platform }: ClientPlaces): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  const base = variables['XDG_CONFIG_HOME'];
  return base !== undefined && isAbsolute(base) ? base : join(home, '.config');
}
