import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { loadTokenCounter } from '../../context/tokens.ts';
import { answerQuestions } from '../threads/question-thread.ts';
import { type ContextTask, openContextWork } from './context-work.ts';

async function run(port: MessagePort, task: ContextTask): Promise<void> {
  const { work, close } = openContextWork(task, await loadTokenCounter(task.settings.tokenizer));
  answerQuestions(port, work, close);
}

if (parentPort !== null) void run(parentPort, workerData);
