import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { VERSION } from '../../src/core/version.ts';
import { geminiExtension } from '../../src/mcp/gemini-extension.ts';

t.test('the extension that ships is the one that the prompts make', async (t) => {
  const files = geminiExtension(VERSION);
  for (const [file, text] of files) t.equal(readFileSync(file, 'utf8'), text, file);
  const commands = readdirSync('commands/kgraphfs').map((name) => `commands/kgraphfs/${name}`);
  t.same(commands.sort(), [...files.keys()].filter((file) => file.endsWith('.toml')).sort());
});

t.test('a command is a description and a prompt that takes what was typed', async (t) => {
  const files = geminiExtension('1.0.0');
  t.match(
    files.get('commands/kgraphfs/trace.toml'),
    /^description = "[^"\\]+"\nprompt = """\n[^\\]*\{\{args\}\}[^\\]*\n"""\n$/,
  );
  for (const [file, text] of files) t.notMatch(text, /\\|"""[\s\S]*"""[\s\S]*"""/, file);
  t.match(JSON.parse(files.get('gemini-extension.json') ?? ''), {
    name: 'kgraphfs',
    version: '1.0.0',
    description: String,
    mcpServers: { kgraphfs: { command: 'kgraphfs', args: ['mcp'] } },
  });
});
