import { parsePath } from '../../core/paths.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';

export const vfsRead = defineCommand({
  verb: 'vfs read',
  summary: 'the bytes of a file of the tree, as cat shows them in the mount',
  details:
    '--json prints an object with the path, the size and the content: as text, or in base64 if it is not text.',
  positionals: { path: { summary: 'path in the mount, such as /graph/nodes/Charge' } },
  options: {},
  example: 'kgraphfs vfs read /graph/nodes/Charge --docs docs/sample',
  run: (args, io) =>
    withProject(args, io, async ({ fs }) => {
      const [{ followLinks }, { chunksOf, wholeOf }] = await Promise.all([
        import('../../vfs/follow-links.ts'),
        import('../../vfs/read-file.ts'),
      ]);
      const path = await followLinks(fs, parsePath(args.path), {});
      const file = await fs.open(path, {});
      try {
        if (args.json) writeJson(io.out, { path, ...contentView(await wholeOf(file)) });
        else for await (const chunk of chunksOf(file)) await io.out.writeBytes(chunk);
      } finally {
        file.close();
      }
      return 0;
    }),
});

function contentView(bytes: Buffer) {
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text).equals(bytes);
  return {
    size_bytes: bytes.length,
    encoding: isText ? 'utf-8' : 'base64',
    content: isText ? text : bytes.toString('base64'),
  };
}
