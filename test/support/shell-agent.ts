import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** One command with all that it printed. */
export interface Turn {
  /** What the agent made of what it had read. */
  readonly thought: string;
  readonly command: string;
  readonly output: string;
}

/** What leads to a thing, and where that is said. */
interface Step {
  readonly to: string;
  readonly path: string;
  readonly line: string;
}

const PROGRAMS = ['cat', 'grep', 'ls'];
/** Words of a question that name nothing. */
const SMALL_WORDS = new Set([
  'a',
  'an',
  'and',
  'are',
  'does',
  'do',
  'how',
  'is',
  'of',
  'the',
  'to',
  'what',
  'when',
  'why',
]);

/**
 * An agent that has cat, ls, grep and the shell's own echo, in the folder of a mount. It knows how to read what a command prints, and nothing of
 * the docs: each command is made of the question, of a recipe of AGENTS.md, or of what it read before.
 */
export class ShellAgent {
  readonly turns: Turn[] = [];
  readonly #mount: string;
  readonly #bin: string;

  /** @param bin an empty folder that will hold its programs */
  constructor(mount: string, bin: string) {
    this.#mount = mount;
    this.#bin = bin;
    mkdirSync(bin, { recursive: true });
    for (const program of PROGRAMS) {
      if (!readdirSync(bin).includes(program)) symlinkSync(join('/usr/bin', program), join(bin, program));
    }
  }

  /** @returns the answer, as it keeps it in memory. @throws Error where what it reads does not lead on */
  answer(question: string): string {
    const guide = this.#run('What is this folder, and how is it used?', 'cat AGENTS.md');
    const words = wordsOf(question);
    const known = this.#run(
      'Is something remembered already?',
      recipe(guide, 'grep -ri', /refund/, words[0] ?? ''),
    );
    if (!known.includes('nothing yet')) return known;

    const listing = recipe(guide, 'ls graph/nodes', /-i invoice/, `-ixE '(${words.join('|')})s?'`);
    const things = inOrder(
      this.#run('Which words of the question are nodes of the graph?', listing).split('\n'),
      words,
    );
    const steps = things.slice(1).flatMap((to, index) => this.#way(guide, things[index] ?? '', to));
    const sentences = steps.map((step) => this.#proof(guide, step));

    const last = sentences.at(-1);
    const answer = sentences.map(({ text, place }) => `- ${text} (${place})`).join('\n');
    const places = sentences.map(({ place }) => place).join(', ');
    const file = `context/memory/fact/${things.map((thing) => thing.toLowerCase()).join('-to-')}`;
    if (last === undefined) throw new Error('nothing leads from one thing of the question to the next');
    this.#run(
      'A line of the docs states each step: that is the answer. It is kept, because somebody will ask again.',
      `echo ${shellWord(`---\nsource_paths: ${places}\n---\n${question}\n${answer}`)} > ${file}`,
    );
    const kept = this.#run('Is it kept?', `cat ${file}`);
    this.#run('Is it found from the first node, too?', `ls graph/near/${things[0]}/about_of`);
    return kept;
  }

  #way(guide: string, from: string, to: string): Step[] {
    const command = recipe(guide, 'cat graph/path', /Subscription\/Charge/, `${from}/${to}`);
    const steps = this.#run(`How does ${from} lead to ${to}?`, command).split('\n').filter(isStep);
    const nodes = steps.map((step) => /"node": "([^"]+)"/.exec(step)?.[1] ?? '');
    return steps.slice(0, -1).map((step, index) => {
      const [, path = '', line = ''] = /"evidence": \["([^":]+):(\d+)"/.exec(step) ?? [];
      if (path === '') throw new Error(`no evidence in ${step}`);
      return { to: nodes[index + 1] ?? '', path, line };
    });
  }

  /** The line of the docs that says a step. */
  #proof(guide: string, { to, path, line }: Step): { text: string; place: string } {
    const reading = recipe(guide, 'grep -n', /Invoice docs\/\S+/, `-i '${to}' docs/${path}`);
    const found = this.#run(`Line ${line} of ${path}.`, reading)
      .split('\n')
      .find((one) => one.startsWith(`${line}:`));
    if (found === undefined) throw new Error(`${path}:${line} does not speak of ${to}`);
    return { text: wholeSentences(plain(found.slice(line.length + 1))), place: `${path}:${line}` };
  }

  #run(thought: string, command: string): string {
    const { stdout, stderr } = spawnSync('/bin/bash', ['--norc', '-c', command], {
      cwd: this.#mount,
      env: { PATH: this.#bin, LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
      timeout: 120_000,
    });
    const output = stdout + stderr;
    this.turns.push({ thought, command, output });
    return output.trimEnd();
  }
}

/** A command of the guide that begins so, with something of its own in the place of the example. @throws Error where the guide has none */
function recipe(guide: string, beginning: string, example: RegExp, own: string): string {
  const line = guide.split('\n').find((one) => one.startsWith(beginning) && example.test(one));
  if (line === undefined) throw new Error(`AGENTS.md has no recipe "${beginning}"`);
  return line.replace(/ +#.*/, '').replace(example, () => own);
}

function isStep(line: string): boolean {
  return line.trim().startsWith('{"node"');
}

function wordsOf(question: string): string[] {
  return question
    .toLowerCase()
    .replace(/[^\p{L}\s]/gu, '')
    .split(/\s+/)
    .filter((word) => !SMALL_WORDS.has(word));
}

/** In the order of the question, each once. */
function inOrder(labels: readonly string[], words: readonly string[]): string[] {
  const found = words.flatMap((word) => labels.find((label) => label.toLowerCase() === word) ?? []);
  return [...new Set(found)];
}

/** A line without its marks of markdown. */
function plain(line: string): string {
  return line
    .replace(/^\s*(?:[-*] |\|\s*)/, '')
    .replace(/\s*\|\s*$/, '')
    .replace(/\s*\|\s*/g, ': ')
    .replace(/\*\*|`/g, '')
    .trim();
}

/** Without one that goes on in the next line. */
function wholeSentences(text: string): string {
  const end = text.lastIndexOf('. ');
  return end === -1 ? text : text.slice(0, end + 1);
}

function shellWord(text: string): string {
  return `"${text.replace(/[\\"$`]/g, '\\$&')}"`;
}
