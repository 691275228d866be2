/** A step of the build: writes the man page of the package. `node dist/cli/write-man-page.js FILE` */
import { writeFileSync } from 'node:fs';
import { VERSION } from '../core/version.ts';
import { manPage } from './man-page.ts';
import { COMMANDS } from './registry.ts';

const [file = 'kgraphfs.1'] = process.argv.slice(2);
writeFileSync(file, manPage(COMMANDS, VERSION));
