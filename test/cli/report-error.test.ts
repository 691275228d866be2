import t from 'tap';
import { reportError } from '../../src/cli/report-error.ts';
import { FsError, UserError } from '../../src/core/errors.ts';
import { memoryOutput } from './memory-output.ts';

function report(error: unknown, debug = false): { status: number; text: string } {
  const err = memoryOutput();
  return { status: reportError(error, { err, debug }), text: err.text() };
}

t.test('what a person can act on is said as it is, with its own status', async (t) => {
  t.same(report(new UserError('no such thing', 3)), { status: 3, text: 'kgraphfs: no such thing\n' });
  t.same(report(new FsError('ENOENT', '/docs/x', 'there is no such file')), {
    status: 1,
    text: 'kgraphfs: ENOENT: /docs/x: there is no such file\n',
  });
});

t.test('a bug is one line, and shows its stack only to those who ask', async (t) => {
  const bug = new TypeError('x is undefined');
  t.same(report(bug), {
    status: 1,
    text: 'kgraphfs: this is a bug of kgraphfs, please report it: x is undefined (KGRAPHFS_DEBUG=1 shows where)\n',
  });
  t.match(
    report(bug, true).text,
    /^kgraphfs: this is a bug .*x is undefined\nTypeError: x is undefined\n {4}at /,
  );
  t.equal(report('thrown text').status, 1);
});

t.test('what a disk refused is no bug', async (t) => {
  const refusal = Object.assign(new Error("EIO: i/o error, open '/state/x'"), {
    code: 'EIO',
    syscall: 'open',
  });
  t.same(report(refusal), {
    status: 1,
    text: "kgraphfs: a disk is full, read-only or gone: EIO: i/o error, open '/state/x'\n",
  });
});

t.test('what others have said does not move the cursor', async (t) => {
  t.equal(
    report(new UserError('answered: \u001b[2J no\n  second line')).text,
    'kgraphfs: answered: \\x1b[2J no\n  second line\n',
  );
});

t.test('that a process may have too few files open is said with the way out', async (t) => {
  const refusal = Object.assign(new Error('EMFILE: too many open files, open'), {
    code: 'EMFILE',
    syscall: 'open',
  });
  const { status, text } = report(refusal);
  t.equal(status, 1);
  t.match(text, /^kgraphfs: this process may not have as many files open .*ulimit -n \d+.*\n$/);
});

t.test('and also where that is why a mount was not made', async (t) => {
  const wayOut = /^kgraphfs: cannot mount at ctx: spawn env EMFILE: this process .*ulimit -n \d+[^\n]*\n$/;
  t.match(report(new UserError('cannot mount at ctx: spawn env EMFILE', 3)), { status: 3, text: wayOut });
  const told = report(new UserError('the daemon ended: EMFILE: open')).text.replace(/^kgraphfs: |\n$/g, '');
  t.equal(report(new UserError(told)).text, `kgraphfs: ${told}\n`, 'it is said once');
});

t.test('a package that is missing, or is of another machine, is no bug, and told in one line', async (t) => {
  const missing = (code: string, message: string) => Object.assign(new Error(message), { code });
  const wayOut =
    /^kgraphfs: a package [^\n]* \(Cannot find \w+ 'koffi'\): run "npm install", on this machine, in the folder of kgraphfs\n$/;
  const required = missing('MODULE_NOT_FOUND', "Cannot find module 'koffi'\nRequire stack:\n- /a/b.js");
  const imported = missing('ERR_MODULE_NOT_FOUND', "Cannot find package 'koffi' imported from /a/b.js");
  for (const error of [required, imported]) t.match(report(error), { status: 1, text: wayOut });
  t.match(
    report(missing('ERR_DLOPEN_FAILED', 'koffi.node: invalid ELF header')).text,
    /invalid ELF.*npm install/,
  );
  t.match(report(required, true).text, /npm install.*\n(?:.*\n)+? {4}at /, 'who asks for it gets the stack');
});

t.test('what was given by mistake and is very long does not bury what is said about it', async (t) => {
  const path = `/docs/${'a'.repeat(4000)}`;
  t.equal(report(new UserError(`${path}: no such thing`)).text, `kgraphfs: ${path}: no such thing\n`);
  t.equal(
    report(new UserError(`there is no node "${'a'.repeat(100_000)}"; did you mean b?`)).text,
    `kgraphfs: there is no node "${'a'.repeat(199)}…"; did you mean b?\n`,
  );
});
