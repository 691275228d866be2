import { relative } from 'node:path';
import { UserError } from '../core/errors.ts';
import { shellWord } from '../text/shell-word.ts';

export interface GuidedMount {
  /** The absolute path. */
  readonly mountpoint: string;
  /** The absolute path of the project that is told of the mount. */
  readonly project: string;
  /** The absolute path. */
  readonly home: string;
  /** The arguments of `kgraphfs mount` besides the mount point, each with its name. */
  readonly options: readonly (readonly [name: string, path: string])[];
}

/**
 * What agents of a project are told about its mount, in markdown. It is short, since it is in each of their requests.
 * @throws UserError if the name of the mount point cannot be written in a shell line
 */
export function mountGuide({ mountpoint, project, home, options }: GuidedMount): string {
  const mount = shellPath(mountpoint, project, home);
  const flags = options.map(([name, path]) => ` --${name} ${shellPath(path, project, home)}`).join('');
  const lines = [
    [`cat ${mount}/AGENTS.md`, 'how to use it: read this first'],
    [
      `cat ${mount}/search/"your question"`,
      'the places that answer best; a question is a file name, with %2F for /',
    ],
    [`cat ${mount}/graph/markdown/NAME`, 'a thing and what it touches, each relation with file:line'],
    [`cat ${mount}/graph/path/NAME/OTHER`, 'how two things are connected'],
    [`sed -n 10,20p ${mount}/docs/FILE`, 'the lines that were named, not whole documents'],
    [`grep -ri WORD ${mount}/context/memory`, 'what is remembered already'],
    [`echo "TEXT" > ${mount}/context/memory/fact/KEY`, 'remember something'],
    [`kgraphfs mount ${mount}${flags}`, 'where it is not there'],
  ] as const;
  return `## What this team knows

The docs of this project and the knowledge graph in them are files, at a mount. Look there first when a question is about how things
work or belong together, and keep there what is worth knowing next time.

\`\`\`sh
${aligned(lines)}
\`\`\`
`;
}

function aligned(lines: readonly (readonly [command: string, about: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  return lines.map(([command, about]) => `${command.padEnd(width)}  # ${about}`).join('\n');
}

/** The path as it is typed in the project. A path below home begins with `~`, so that it means the same to everybody. */
function shellPath(path: string, project: string, home: string): string {
  if (/[\p{Cc}\u2028\u2029]/u.test(path))
    throw new UserError('a path with control characters cannot be told of in a text file');
  const inProject = relative(project, path);
  if (inProject === '') return '.';
  if (!inProject.startsWith('../')) return shellWord(inProject);
  const inHome = relative(home, path);
  if (inHome === '') return '~';
  return inHome.startsWith('../') ? shellWord(path) : `~/${shellWord(inHome)}`;
}
