import { parentPort, workerData } from 'node:worker_threads';
import { loadTokenCounter } from '../../context/tokens.ts';
import { answerQuestions } from '../threads/question-thread.ts';
import { type ContextTask, openContextWork } from './context-work.ts';

if (parentPort !== null) {
  const task: ContextTask = workerData;
  const { work, close } = openContextWork(task, await loadTokenCounter(task.settings.tokenizer));
  answerQuestions(parentPort, work, close);
}
