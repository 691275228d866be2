import t from 'tap';
import { speakerOf, turnsIn } from '../../src/words/turns.ts';
import { cpuMs } from '../support/cpu-time.ts';

t.test('a text that begins with a name is a turn, whatever marks it', async (t) => {
  for (const text of [
    'Ana: Hey Bob!',
    '**Ana:** hi',
    '**Ana**: hi',
    '- Ana: hi',
    '[1:56 pm on 8 May, 2023] Ana: hi',
    '(2023-05-08) Ana: hi',
    '2023-05-08 12:30 Ana: hi',
    '2023-05-08T12:30:00Z Ana: hi',
    '1:56 pm Ana: hi',
    'Ana (2023-05-08): hi',
    'D1:3 Ana: hi',
    '[D1:3] 8 May 2023, Ana: hi',
  ]) {
    t.equal(speakerOf(text), 'Ana', text);
  }
  for (const text of [
    'http://example.com: hi',
    'We decided this: yes',
    '2026: a good year',
    'Ana is here',
    '',
  ]) {
    t.equal(speakerOf(text), undefined, text);
  }
});

t.test('a conversation is its turns, each with the lines that follow it', async (t) => {
  const text = '# Session 1\n\nAna: one\nBob: two\nmore\n\nAna: three\n';
  t.same(turnsIn(text), [
    { text: '# Session 1\n\nAna: one', line: 1, endLine: 3, speaker: 'Ana' },
    { text: 'Bob: two\nmore', line: 4, endLine: 5, speaker: 'Bob' },
    { text: 'Ana: three', line: 7, endLine: 7, speaker: 'Ana' },
  ]);
});

t.test('a list of keys and values is no conversation', async (t) => {
  t.equal(turnsIn('host: a\nport: b\nuser: c\npath: d\n'), undefined);
});

t.test('a long line of numbers and marks is looked at once', async (t) => {
  const startMs = cpuMs();
  for (const part of ['1 ', '[a] ', '- ', 'a1', 'D1', 'Abc ', '1:']) speakerOf(part.repeat(20_000));
  t.ok(cpuMs() - startMs < 1000);
});

t.test(
  'a conversation has three turns, half of its lines begin one, and somebody speaks again',
  async (t) => {
    const turns = (...lines: string[]) => turnsIn(lines.join('\n'))?.length;
    t.equal(turns('Ana: yes', 'Ben: no', 'Ana: why'), 3);
    t.equal(turns('Ana: yes', 'Ana: no'), undefined, 'two are few');
    t.equal(turns('Ana: yes', 'more', ' ', 'Ben: no', 'more', '', 'Ana: why', 'more'), 3);
    t.equal(turns('Ana: yes', 'more', 'Ben: no', 'more', 'Ana: why', 'more', 'more'), undefined);
    t.equal(
      turns('Ana: yes', 'Ben: no', 'Eve: why', 'Ana: so'),
      undefined,
      'three of four are keys of a list',
    );
  },
);
