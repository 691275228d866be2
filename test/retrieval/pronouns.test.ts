import t from 'tap';
import { searched } from './searched.ts';

const PAGES = {
  'tone.md': '# Tone\n\nSomebody who writes is polite. Whom somebody answers is greeted.\n',
  'typing.md': '# Typing\n\nThat a user writes is told to the room, which may show it.\n',
  'ink.md': '# Ink\n\nEach printer has four.\n',
  'roles.md': '# Roles\n\nThe role @everyone has members without another role.\n',
};

t.test('whoever it may be is not looked for', async (t) => {
  const { paths } = await searched(t, PAGES);
  t.equal((await paths('show that somebody writes', { scope: '/docs' }))[0], '/docs/typing.md');
});

t.test('that an amount is asked for is not looked for either, nor is the one that is meant', async (t) => {
  const { paths } = await searched(t, {
    'faq.md': '# How many questions are there?\n\nMany, and each one has its answer.\n',
    'limits.md': '# Limits\n\nA client sends ten uploads in half an hour.\n',
    'links.md': '# Links\n\nA page shows what leads to it.\n',
    'one.md': '# One\n\nWith One, the one page, a note is imported.\n',
  });
  t.equal((await paths('how many uploads', { scope: '/docs' })).includes('/docs/faq.md'), false);
  t.equal((await paths('what leads to the one I read', { scope: '/docs' })).includes('/docs/one.md'), false);
});

t.test('unless nothing else is asked for, or it is a name', async (t) => {
  const { paths } = await searched(t, PAGES);
  t.equal((await paths('somebody', { scope: '/docs' }))[0], '/docs/tone.md');
  t.equal((await paths('who is somebody?', { scope: '/docs' }))[0], '/docs/tone.md');
  t.equal((await paths('printer @everyone', { scope: '/docs' })).includes('/docs/roles.md'), true);
});
