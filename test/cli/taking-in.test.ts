import t from 'tap';
import { showTakingIn } from '../../src/cli/search/taking-in.ts';
import { memoryOutput } from './memory-output.ts';

t.test('a terminal shows how much of memory a search has taken in, until it ends', async (t) => {
  const terminal = memoryOutput(100);
  let left = 401;
  let end = () => {};
  await new Promise<void>((resolve) => {
    const write = (text: string) => {
      terminal.write(text);
      resolve();
    };
    end = showTakingIn({ ...terminal, write }, () => {
      left -= 1;
      return left;
    });
  });
  t.match(terminal.text(), /indexing memory █*░+ \d+ of 400$/);
  end();
  t.ok(terminal.text().endsWith('\r\u001b[K'), 'the line is gone before the answer');
});
