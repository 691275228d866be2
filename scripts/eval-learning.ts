/** Prints only the part of docs/evaluation.md about learning: node build/scripts/eval-learning.js ../shared/gold [../shared/corpora] */
import { join } from 'node:path';
import { ownQuestions } from './eval/labelled.ts';
import { learningFigures, learningPart } from './eval/learning.ts';

const [gold = '', corpora = join(gold, '..', 'corpora')] = process.argv.slice(2);
const questions = ownQuestions('scripts/eval/questions.jsonl');
const figures = await learningFigures(join(gold, 'edges.jsonl'), corpora, questions);
process.stdout.write(`${learningPart(figures)}\n`);
