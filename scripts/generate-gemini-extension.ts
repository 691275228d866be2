/**
 * Writes the extension for Gemini CLI from the prompts of the MCP server:
 *
 *   npm run build:test && node build/scripts/generate-gemini-extension.js
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { VERSION } from '../src/core/version.ts';
import { geminiExtension } from '../src/mcp/gemini-extension.ts';

for (const [file, text] of geminiExtension(VERSION)) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
