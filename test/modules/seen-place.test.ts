import t from 'tap';
import type { ModulePlace } from '../../src/modules/module.ts';
import { seenPlace } from '../../src/modules/seen-place.ts';

/** A module is JavaScript of other people: what it gives is not always of the type that it should be. */
const given = (place: unknown) => seenPlace(place as ModulePlace, () => {});

t.test('what a module gives is taken for what it means, where that is clear', async (t) => {
  t.match(await given({ file: 'x', version: 7 }), { version: '7' });
  t.match(await given({ file: 'x', writable: 1 }), { isWritable: true });
  t.match(await given({ file: 'x', sizeBytes: '1' }), { sizeBytes: 1, bytes: Buffer.from('x') });
  for (const modified of [8.64e15 + 1, -1, Number.NaN, 'soon', new Date('never')])
    t.match(await given({ file: 'x', modified }), { modifiedMs: undefined }, String(modified));
});

t.test('and refused where it is not', async (t) => {
  await t.rejects(given({ file: 'x', version: { of: 'x' } }), { message: 'the version of a file is a text' });
  await t.rejects(given({ folder: [{ name: 'x', kind: 'other' }] }), {
    message: 'x is a file, a directory or a link',
  });
  await t.rejects(given({ folder: [{ name: 'x' }] }), { message: 'x is a file, a directory or a link' });
  await t.rejects(given({ link: 7 }), { message: /^the target of a link is not text/ });
});
