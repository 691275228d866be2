/** Makes the output of `git blame --porcelain` readable. The format: git-blame(1), "The porcelain format". */
import { isoDay, isTime } from '../../core/iso-time.ts';

interface BlamedLine {
  readonly commit: string;
  readonly line: number;
  readonly text: string;
}

interface BlamedCommit {
  readonly author: string;
  readonly mail: string;
  /** The day of the commit, such as `2026-02-03`. */
  readonly date: string;
  readonly summary: string;
}

const SHORT_NAME = 10;
const AUTHOR_COLUMNS = 20;

/** One line for each line of the file: commit, date, author, number and text. */
export function blameText(porcelain: string): string {
  const { lines, commits } = parsed(porcelain);
  const digits = String(lines.length).length;
  return lines
    .map(({ commit, line, text }) => {
      const { author = '', date = '' } = commits.get(commit) ?? {};
      const who = author.slice(0, AUTHOR_COLUMNS).padEnd(AUTHOR_COLUMNS);
      return `${commit.slice(0, SHORT_NAME)}  ${date}  ${who}  ${String(line).padStart(digits)}  ${text}\n`;
    })
    .join('');
}

/** Everything that is known of one line. @param place such as `charges/create.md:31` */
export function lineText(place: string, porcelain: string): string {
  const { lines, commits } = parsed(porcelain);
  const [line] = lines;
  const about = line && commits.get(line.commit);
  if (line === undefined || about === undefined) return '';
  const { author, mail, date, summary } = about;
  return `${place}: ${line.text}\ncommit ${line.commit}\nauthor ${author} ${mail}\ndate ${date}\n\n    ${summary}\n`;
}

function parsed(porcelain: string): {
  readonly lines: readonly BlamedLine[];
  readonly commits: ReadonlyMap<string, BlamedCommit>;
} {
  const lines: BlamedLine[] = [];
  const commits = new Map<string, BlamedCommit>();
  let commit = '';
  let line = 0;
  for (const text of porcelain.split('\n')) {
    const [, name, number] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(text) ?? [];
    if (text.startsWith('\t')) lines.push({ commit, line, text: text.slice(1) });
    else if (name !== undefined) [commit, line] = [name, Number(number)];
    else note(commits, commit, text);
  }
  return { lines, commits };
}

function note(commits: Map<string, BlamedCommit>, commit: string, text: string): void {
  const known = commits.get(commit) ?? { author: '', mail: '', date: '', summary: '' };
  const [key = '', ...rest] = text.split(' ');
  const value = rest.join(' ');
  if (key === 'author') commits.set(commit, { ...known, author: value });
  if (key === 'author-mail') commits.set(commit, { ...known, mail: value });
  if (key === 'author-time') commits.set(commit, { ...known, date: dayOf(Number(value)) });
  if (key === 'summary') commits.set(commit, { ...known, summary: value });
}

function dayOf(seconds: number): string {
  const ms = seconds * 1000;
  return isTime(ms) ? isoDay(ms) : '';
}
