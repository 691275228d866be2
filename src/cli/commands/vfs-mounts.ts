import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { writeTable } from '../text/table.ts';

export const vfsMounts = defineCommand({
  verb: 'vfs mounts',
  summary: 'which resolver serves which part of the tree, and its actions',
  positionals: {},
  options: {},
  example: 'kgraphfs vfs mounts --docs docs/sample',
  run: (args, io) =>
    withProject(args, io, async ({ fs }) => {
      const views = fs.mounts().map(({ point, resolver }) => ({
        mount: point,
        resolver: resolver.name,
        searchable: resolver.search !== undefined,
        actions: Array.from(resolver.actions ?? [], ([action, needs]) => ({ action, arguments: needs })),
      }));
      if (args.json) writeJson(io.out, views);
      else {
        writeTable(io.out, views, [
          { title: 'mount', value: ({ mount }) => mount },
          { title: 'resolver', value: ({ resolver }) => resolver },
          { title: 'search', value: ({ searchable }) => (searchable ? 'yes' : 'no') },
          {
            title: 'actions',
            value: ({ actions }) => actions.map((one) => `${one.action} ${one.arguments}`).join(', '),
          },
        ]);
      }
      return 0;
    }),
});
