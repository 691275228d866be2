import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { barText, progressBar } from '../../src/cli/progress.ts';
import { memoryOutput } from './memory-output.ts';

const LONG_AGO_MS = -60_000;

t.test('a bar fills as the work goes on', async (t) => {
  t.equal(barText('indexing', { done: 0, total: 10 }), `indexing ${'░'.repeat(30)} 0 of 10`);
  t.equal(barText('indexing', { done: 5, total: 10 }), `indexing ${'█'.repeat(15)}${'░'.repeat(15)} 5 of 10`);
  t.equal(barText('indexing', { done: 0, total: 0 }), `indexing ${'█'.repeat(30)} 0 of 0`);
});

t.test('it is drawn in place on a terminal, and gone in the end', async (t) => {
  const output = memoryOutput(80);
  const bar = progressBar(output, 'indexing', LONG_AGO_MS);
  bar.update({ done: 1, total: 2 });
  bar.end();
  const clear = '\r\u001b[K';
  t.equal(output.text(), `${clear}${barText('indexing', { done: 1, total: 2 })}${clear}`);
});

t.test('a short work draws nothing, nor does any in a pipe', async (t) => {
  const terminal = memoryOutput(80);
  const short = progressBar(terminal, 'indexing', performance.now() + 60_000);
  short.update({ done: 1, total: 2 });
  short.end();
  const pipe = memoryOutput();
  const long = progressBar(pipe, 'indexing', LONG_AGO_MS);
  long.update({ done: 1, total: 2 });
  long.end();
  t.equal(terminal.text() + pipe.text(), '');
});

t.test('what was told too early to be drawn is drawn later, without another word', async (t) => {
  const output = memoryOutput(80);
  const bar = progressBar(output, 'indexing', performance.now() - 400);
  bar.update({ done: 0, total: 2 });
  t.equal(output.text(), '');
  const endMs = performance.now() + 10_000;
  while (output.text() === '' && performance.now() < endMs) await pause(5);
  t.equal(output.text(), `\r\u001b[K${barText('indexing', { done: 0, total: 2 })}`);
  bar.end();
});
