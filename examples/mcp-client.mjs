// A client of the MCP server: node examples/mcp-client.mjs docs "How do refunds work?"
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [docs = 'docs', question = 'What is this project about?'] = process.argv.slice(2);
const client = new Client({ name: 'my-client', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: 'kgraphfs', args: ['mcp', '--docs', docs] }));

const { structuredContent } = await client.callTool({ name: 'search_files', arguments: { query: question, top_k: 3 } });
for (const { path, snippet } of structuredContent.hits) console.log(`${path}: ${snippet.replaceAll('\n', ' ')}`);

const { contents } = await client.readResource({ uri: `kgraphfs:///context/for/${encodeURIComponent(question)}` });
console.log(contents[0].text);
await client.close();
