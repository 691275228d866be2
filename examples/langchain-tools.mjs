// The tools for LangChain.js: node examples/langchain-tools.mjs docs Subscription charge.succeeded
import { openContext } from 'kgraphfs';
import { langChainTools } from 'kgraphfs/langchain';

const [docs = 'docs', from, to] = process.argv.slice(2);
const context = await openContext({ docs });
const tools = langChainTools(context, { actor: 'my-agent' });

// For a model: new ChatOpenAI({ model: 'gpt-4.1' }).bindTools(tools). By hand, a tool is invoked like this:
const connect = tools.find(({ name }) => name === 'connect');
const { path } = JSON.parse(await connect.invoke({ from, to }));
console.log(path.map(({ node, edge_to_next: edge }) => (edge ? `${node} ${edge}` : node)).join(' '));
await context.close();
