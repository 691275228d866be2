import t from 'tap';
import { isTemporaryKey } from '../../src/memory/temporary-name.ts';

const PLAIN = { mode: 0o644, sizeBytes: 1 };
const MADE_PRIVATE = { mode: 0o600, sizeBytes: 1 };

const TEMPORARY = [
  ['.refunds.swp', 'vim'],
  ['.refunds.swo', 'vim, a second one'],
  ['.#refunds', 'emacs, a lock'],
  ['#refunds#', 'emacs, autosaved'],
  ['refunds~', 'a backup'],
  ['refunds~tmp', 'a script'],
  ['refunds~1', 'vim, the copy of a backup'],
  ['refunds.~1~', 'emacs, numbered'],
  ['refunds.swp', 'vim elsewhere'],
  ['refunds.swx', 'vim'],
  ['refunds.tmp', 'many'],
  ['refunds.TMP', 'in capitals'],
  ['refunds.bak', 'a backup'],
  ['refunds.part', 'a download'],
  ['refunds.orig', 'patch'],
  ['refunds.tmp.4711.1733', 'an agent'],
  ['refunds.md.tmp-x1', 'an agent'],
  ['refunds___jb_tmp___', 'JetBrains'],
  ['refunds___jb_old___', 'JetBrains'],
  ['.refunds.Xy12Zw', 'rsync'],
  ['.goutputstream-ABC123', 'gedit'],
  ['.git/config', 'a hidden folder'],
  ['billing/refunds~', 'in a folder'],
  ['billing.bak/refunds', 'a folder that is a backup'],
] as const;

for (const [key, who] of TEMPORARY) {
  t.test(`${key} is a temporary file (${who})`, async (t) => {
    t.equal(isTemporaryKey(key, PLAIN), true);
  });
}

const MEMORIES = [
  'refunds',
  'refunds.md',
  'cost~estimate',
  'sedimentation',
  'sedAb12Cd',
  'seduced',
  'tmp',
  'tmpfile',
  'template',
  'tmp-cleanup',
  '2026-01-05',
  '2026',
  'C#',
  '#1 rule',
  'a.b.c',
  'bak',
  'original',
  'part',
  'billing/refunds',
  'été',
] as const;

for (const key of MEMORIES) {
  t.test(`${key} is a memory`, async (t) => {
    t.equal(isTemporaryKey(key, PLAIN), false);
  });
}

t.test('a name of mkstemp is temporary where the file has the mode of mkstemp', async (t) => {
  for (const key of ['sedAb12Cd', 'sedabcde1', 'tmpx1k_93ab', 'tmp.Ab12Cd34Ef', 'XXaBJ4dj']) {
    t.equal(isTemporaryKey(key, MADE_PRIVATE), true, key);
    t.equal(isTemporaryKey(key, PLAIN), false, `${key}, made in another way`);
  }
  for (const key of ['seduced', 'sediment', 'tmp', 'tmpabcdefgh', 'refunds']) {
    t.equal(isTemporaryKey(key, MADE_PRIVATE), false, key);
  }
});

t.test(
  'a number is temporary only while the file is empty, as the one vim probes a folder with',
  async (t) => {
    t.equal(isTemporaryKey('4913', { mode: 0o644, sizeBytes: 0 }), true);
    t.equal(isTemporaryKey('4913', { mode: 0o644, sizeBytes: 5 }), false);
  },
);
