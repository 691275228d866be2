/** MCP clients whose config file is known. */
export const CLIENT_NAMES = ['claude-code', 'claude-desktop', 'cursor', 'gemini', 'vscode'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];
