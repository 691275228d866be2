import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { chooseMcpToken } from '../../src/config/mcp-token.ts';
import { temporaryFolder } from '../support/temporary.ts';

const TOKEN = 'sixteen-or-more-characters';

t.test('a token comes from a file, else from the environment, else it is made', async (t) => {
  const file = join(temporaryFolder(t), 'token');
  writeFileSync(file, `${TOKEN}-of-file\n`, { mode: 0o600 });
  const variables = { KGRAPHFS_MCP_TOKEN: TOKEN };
  t.same(chooseMcpToken(variables, file), { token: `${TOKEN}-of-file`, isNew: false });
  t.same(chooseMcpToken(variables, undefined), { token: TOKEN, isNew: false });
  const [one, other] = [chooseMcpToken({}, undefined), chooseMcpToken({ KGRAPHFS_MCP_TOKEN: '' }, undefined)];
  t.match(one, { token: /^[\w-]{43}$/, isNew: true });
  t.not(one.token, other.token);
});

t.test(
  'a file that others can read, is empty, or is not there, is not used, nor is a weak token',
  async (t) => {
    const file = join(temporaryFolder(t), 'token');
    t.throws(() => chooseMcpToken({}, file), { message: /no such file/ });
    writeFileSync(file, TOKEN, { mode: 0o600 });
    chmodSync(file, 0o640);
    t.throws(() => chooseMcpToken({}, file), { message: /chmod 600/ });
    chmodSync(file, 0o600);
    writeFileSync(file, '\n');
    t.throws(() => chooseMcpToken({}, file), { message: /empty/ });
    for (const weak of [
      'short',
      'with space in the middle',
      'with\nline-feed-in-it',
      'letters-beyond-ascii-é',
    ])
      t.throws(
        () => chooseMcpToken({ KGRAPHFS_MCP_TOKEN: weak }, undefined),
        { message: /16 characters/ },
        weak,
      );
  },
);
