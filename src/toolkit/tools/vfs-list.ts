import { z } from 'zod';
import { parsePath } from '../../core/paths.ts';
import { followLinks } from '../../vfs/follow-links.ts';
import { defineTool, OFFSET } from '../tool.ts';

export const vfsList = defineTool({
  name: 'vfs_list',
  description:
    'What a folder of the tree holds; names of folders end with a slash. / is the whole tree. To look around where no name is known; to find something by what it says, search_files is quicker.',
  effect: 'reads',
  parameters: z.strictObject({ path: z.string().max(4095).default('/'), offset: OFFSET }),
  async run({ path: asked, offset }, { fs }, context) {
    const path = await followLinks(fs, parsePath(asked), context);
    const entries = await fs.list(path, context);
    const names = entries.map(({ name, kind }) => (kind === 'directory' ? `${name}/` : name));
    return {
      fields: { path, total: names.length },
      list: { name: 'entries', items: names.slice(offset), offset },
    };
  },
});
