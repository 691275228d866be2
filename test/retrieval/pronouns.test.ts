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

t.test('unless nothing else is asked for, or it is a name', async (t) => {
  const { paths } = await searched(t, PAGES);
  t.equal((await paths('somebody', { scope: '/docs' }))[0], '/docs/tone.md');
  t.equal((await paths('who is somebody?', { scope: '/docs' }))[0], '/docs/tone.md');
  t.equal((await paths('printer @everyone', { scope: '/docs' })).includes('/docs/roles.md'), true);
});
