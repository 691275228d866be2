import type { Contexts } from '../../app/contexts/contexts.ts';
import { UserError } from '../../core/errors.ts';
import { parsePath, partsOf } from '../../core/paths.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { shownOn } from '../text/printable.ts';

export const contextSummary = defineCommand({
  verb: 'context summary',
  summary: 'a document or folder of the docs in a few sentences of its own',
  details:
    'Prints the same as context/summary/docs/<path> of a mount; there, the name of a folder ends in .md.',
  positionals: {
    path: {
      summary: 'of the docs, such as docs/charges/create.md or charges/; docs is all of them',
      isPath: true,
    },
  },
  options: {},
  example: 'kgraphfs context summary docs/webhooks --docs docs/sample',
  run: (args, io) => {
    const provenance = provenanceOf('context summary', args);
    return withProject(args, io, async ({ contexts, graph }) => {
      const { path, text } = await firstSummary(contexts, args.path);
      const shown = path === '' ? '/docs' : `/docs/${path}`;
      if (args.json) writeJson(io.out, { path: shown, text, ...provenance(graph.revision()) });
      else io.out.write(shownOn(io.out, text));
      return 0;
    });
  },
});

/** The summary of the first path that has one. @throws UserError if there is none */
async function firstSummary(
  contexts: Pick<Contexts, 'summary'>,
  asked: string,
): Promise<{ readonly path: string; readonly text: string }> {
  for (const path of pathsOf(asked)) {
    const text = await contexts.summary(path);
    if (text !== undefined) return { path, text };
  }
  throw new UserError(`${asked}: there is no document or folder with documents at this path of the docs`);
}

/** The paths that an argument may mean, relative to the docs root: the path as in the mount, and the path itself. @throws FsError EINVAL if it is no path */
function pathsOf(text: string): string[] {
  const names = partsOf(parsePath(text));
  const [top, ...rest] = names;
  return [...new Set([...(top === 'docs' ? [rest.join('/')] : []), names.join('/')])];
}
