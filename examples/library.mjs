// The project in this process: node examples/library.mjs docs
import { openContext } from 'kgraphfs';

const [docs = 'docs'] = process.argv.slice(2);
const context = await openContext({ docs, actor: 'nightly-report' });

const [best] = await context.search('how does a renewal create a charge', { limit: 1 });
console.log(`${best.path}:${best.line}`);
const way = context.connect('Subscription', 'charge.succeeded');
console.log(way.path.map(({ node }) => node).join(' → '));

await context.write('/context/memory/fact/renewals', 'A renewal creates an invoice first, then a charge.');
context.update('renewals', { confidence: 0.9, tags: ['billing'], sourcePaths: ['events/renewal.md'] });
console.log(context.memories().map(({ type, key, confidence }) => `${type}/${key} ${confidence}`).join('\n'));

const { text, manifest } = await context.buildContext('How do subscriptions work?', { budgetTokens: 500 });
console.log(`${manifest.tokens} tokens about ${manifest.named.join(', ')}`);
console.log(text.split('\n').slice(0, 5).join('\n'));
await context.close();
