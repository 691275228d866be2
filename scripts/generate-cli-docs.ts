/**
 * Writes docs/cli.md from the definitions of the commands:
 *
 *   npm run build:test && node build/scripts/generate-cli-docs.js
 */
import { writeFileSync } from 'node:fs';
import { cliReference } from '../src/cli/reference.ts';
import { COMMANDS } from '../src/cli/registry.ts';

writeFileSync('docs/cli.md', cliReference(COMMANDS));
