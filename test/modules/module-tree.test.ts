import t from 'tap';
import type { SubPath } from '../../src/core/paths.ts';
import { moduleTree } from '../../src/modules/module-tree.ts';

const NAME = 'list' as SubPath;

/** Opens a file of a module, which holds `old`, writes `new` to it, and gives what the module was handed. */
async function handedOver(options: { readonly append: boolean; readonly truncate: boolean }) {
  const bytes = Buffer.from('old');
  const handed: string[] = [];
  const tree = moduleTree(
    'lists',
    {
      async ask(question) {
        if (question.type === 'write') handed.push(Buffer.from(question.content).toString());
        return { kind: 'file', sizeBytes: bytes.length, version: '1', isWritable: true, bytes };
      },
    },
    () => {},
  );
  const file = await tree.openToWrite?.(NAME, options, {});
  await file?.write(Buffer.from('new'), 1, {});
  await file?.flush?.({});
  return handed;
}

t.test('what is written to a file of a module goes where it was opened for', async (t) => {
  t.same(await handedOver({ append: false, truncate: false }), ['onew']);
  t.same(await handedOver({ append: true, truncate: false }), ['oldnew']);
  t.same(await handedOver({ append: false, truncate: true }), ['\0new']);
  t.same(await handedOver({ append: true, truncate: true }), ['new']);
});
