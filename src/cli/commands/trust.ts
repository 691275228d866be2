import { UserError } from '../../core/errors.ts';
import { printable } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { type Io, writeJson } from '../io.ts';
import { writeTable } from '../text/table.ts';
import { usageError } from '../usage-error.ts';

const USUAL_API = 'OpenRouter or OpenAI';

export const trust = defineCommand({
  verb: 'trust',
  summary: "let this project's config file decide what is sent out, and to whom",
  details:
    "A config file may have come with somebody else's repository. What it says of embeddings (search.embeddings), of a language model\n" +
    '(llm), and of modules that run code, start a program or send something out is followed only once you trust the file as it is. An\n' +
    'edited file is no longer trusted. Your trust is recorded in your own config folder.\n' +
    'A running daemon follows it when it is started again.',
  positionals: {},
  options: {
    list: { type: 'boolean', summary: 'show the files that are trusted' },
    revoke: { type: 'boolean', summary: 'no longer trust the file' },
  },
  example: 'kgraphfs trust --list',
  async run(args, io) {
    const { list = false, revoke = false } = args;
    if (list && revoke) throw usageError('--list and --revoke cannot be used together', 'trust');
    if (list) return listTrusted(args.json ?? false, io);
    const [{ configFileAt, readConfigFile }, { Trust }] = await Promise.all([
      import('../../config/config-file.ts'),
      import('../../config/trust.ts'),
    ]);
    const trusted = new Trust(io.environment.variables);
    if (revoke) {
      const file = configFileAt(io.workingFolder(), args.config);
      if (!trusted.remove(file)) throw new UserError(`${file}: it is not trusted`);
      if (args.json) writeJson(io.out, { file, trusted: false });
      else io.out.write(`${printable(file)}: no longer trusted\n`);
      return 0;
    }
    const { file, text } = readConfigFile(io.workingFolder(), args.config);
    if (text === undefined) throw new UserError(`${file}: there is no config file to trust`);
    const { allows, code } = await whatItAsks(file, text, io);
    trusted.add(file, text, Date.now(), code);
    if (args.json) writeJson(io.out, { file, trusted: true, allows });
    else
      io.out.write(
        `${printable(file)}: trusted as it is now\n${allows.map((line) => `  ${line}\n`).join('')}`,
      );
    return 0;
  },
});

/** What a config file is allowed to do once it is trusted. @throws UserError if the file is wrong */
async function whatItAsks(
  file: string,
  text: string,
  io: Io,
): Promise<{ readonly allows: readonly string[]; readonly code: Readonly<Record<string, string>> }> {
  const { loadConfig } = await import('../../config/load.ts');
  const { search, llm, modules = {} } = loadConfig(io.workingFolder(), file).config;
  const asked: string[] = [];
  const embeddings = search?.embeddings;
  if (embeddings) {
    const { model = 'a model that you name', baseUrl = USUAL_API, memory = true } = embeddings;
    const texts = memory ? 'texts of docs and memory' : 'texts of docs';
    asked.push(printable(`embeddings: ${texts} are sent to ${baseUrl}, for ${model}`));
  }
  if (llm) {
    const { model = 'the usual model', baseUrl = USUAL_API } = llm;
    asked.push(printable(`llm: questions, texts of docs and of memory are sent to ${baseUrl}, for ${model}`));
  }
  const { whatModulesAsk } = await import('../../config/modules.ts');
  const { allows, code } = whatModulesAsk(modules, { file, text }, io.environment.variables);
  asked.push(...allows.map(printable));
  return { allows: asked.length > 0 ? asked : ['it asks for nothing that needs trust'], code };
}

async function listTrusted(asJson: boolean, io: Io): Promise<number> {
  const { Trust, trustState } = await import('../../config/trust.ts');
  const rows = new Trust(io.environment.variables).list().map((trusted) => ({
    file: trusted.file,
    state: trustState(trusted),
    trusted_at: trusted.trustedAt,
  }));
  if (asJson) writeJson(io.out, rows);
  else if (rows.length === 0) io.out.write('no config file is trusted\n');
  else
    writeTable(io.out, rows, [
      { title: 'file', value: ({ file }) => file, isName: true },
      { title: 'state', value: ({ state }) => state },
      { title: 'trusted at', value: ({ trusted_at }) => trusted_at },
    ]);
  return 0;
}
