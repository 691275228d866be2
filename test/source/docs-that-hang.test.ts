import { constants, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import t from 'tap';
import { findDocsFolder } from '../../src/source/docs-root.ts';
import { ANSWER_WITHIN_MS } from '../../src/system/found-place.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { hangingMount } from '../support/hanging-mount.ts';
import { within } from '../support/within.ts';

/** A machine that is busy may take its time. */
const AT_ONCE_MS = 2000;

t.test(
  'docs that do not answer are not found, though the kernel knows their rights',
  needsFuse(),
  async (t) => {
    const { docs, hang, goOn } = await hangingMount(t);
    statSync(docs);
    hang();
    await within(AT_ONCE_MS, access(docs, constants.R_OK | constants.X_OK));
    const found = within(ANSWER_WITHIN_MS + AT_ONCE_MS, findDocsFolder(docs));
    await t.rejects(found, { name: 'UserError', message: /its disk has not answered/ });
    await within(AT_ONCE_MS, t.rejects(findDocsFolder(docs), { message: /its disk does not answer/ }));
    goOn();
  },
);
