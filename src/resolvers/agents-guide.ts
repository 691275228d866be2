/**
 * `AGENTS.md` at the root of the mount: a fixed text, written for a model and short (less than 60 lines), since it is read in every session. A test
 * runs its commands on the sample docs, and docs/shell-agent.md shows what an agent does that follows it.
 */
export const AGENTS_GUIDE = `# How to use this folder

A team's docs and the knowledge graph extracted from them, as ordinary files. Use cat, ls, cd, find, grep, jq.
docs/ and graph/ are read-only; context/ is yours to write; search/ answers questions.

## What is where
- docs/                          the documents, byte for byte
- graph/nodes/<name>             one thing the docs speak of (object, endpoint, event, concept, document), as JSON;
                                 one relationship a line, each with its evidence as file:line below docs/
- graph/markdown/<name>          the same as markdown (not listed; just open it)
- graph/types/<Type>/            the nodes of one type: APIObject, Endpoint, Event, Concept, Document
- graph/near/<name>/<edge>/      what a node leads to by an edge; <edge>_of is what leads to it. One step on: cd ../../<other>
- graph/edges/<edge>.jsonl       every relation of one kind, one JSON object a line
- graph/sections/<document>/     the sections of a document, each with its lines and links (not listed: docs/ lists documents)
- graph/path/<from>/<to>         how two nodes are connected, with evidence (not listed; just open it)
- graph/stats.json               how much there is
- search/<question>              what answers a question best, ranked, from docs, graph and memory (not listed; just open it)
- search/pinned/<question>/      mkdir makes it: links to the best answers, which follow the content; rmdir takes it away
- context/for/<question>         a context for a question that fits a window: facts and passages, with their lines (not listed)
- context/summary/docs/<path>    a document in a few sentences; docs/<folder>.md a folder (not listed)
- context/memory/fact/<key>      what you and others remember: ordinary files; also episodic/ (what happened), procedural/ (how to)
- context/scratchpad/            an ordinary folder to work in, new for each session
- context/history/               who read, wrote and searched what (JSON lines); context/review/ waits for a person
- graph/near/<name>/about_of/    what is remembered about a thing; graph/memory/ is all of it as a graph
- modules/                       what modules of the configuration bring from outside, a folder each; often none
- .kgraphfs/status.json          whether indexing is done; .kgraphfs/errors.jsonl says what could not be read

Names: write %2F for "/", in a question too: "POST /v1/charges" is graph/nodes/POST %2Fv1%2Fcharges; at most 255 bytes.
Case, plural and punctuation are forgiven when you open a name: graph/nodes/charge opens Charge.

## Five recipes

\`\`\`sh
# Answer a question: ask, then read the lines that are named.
cat "search/how are refunds reported"
cat "search/refunds type:event in:docs"        # also in:memory after:2026-01 tag:billing related:Charge~2 "exact words" -draft
sed -n '30,40p' docs/charges/capture-and-refund.md
# Find a thing, and what it touches: by name, then as a page, then one step on.
ls graph/nodes | grep -i invoice
cat graph/markdown/Invoice
ls graph/near/charge.succeeded/triggers_of
# Trace how one thing leads to another: the way, each step with the line that says so; then read that line.
cat graph/path/Subscription/Charge
grep -n Invoice docs/subscriptions/create.md
# Get what a task needs in one piece: a context within a budget, or a document in a few sentences.
cat "context/for/how do I refund a part of a charge budget:1500"        # tokens; without it 8000
cat context/summary/docs/webhooks/overview.md
# Remember what you learnt: look first, one fact a file, with where it is from; where you are not sure, let a person look.
grep -ri refund context/memory || echo "nothing yet"
printf -- '---\\nsource_paths: charges/capture-and-refund.md:44\\ntags: needs_review\\n---\\nRefunds take 5 days\\n' > context/memory/fact/refunds
cat context/review/refunds
rm context/memory/fact/refunds    # forget
\`\`\`

## Habits that save tokens
- Start from search/ or graph/, not from grep over docs/: both name the few lines that matter. Memory is searched, too.
- Words count, in any form, and names most: ask in the terms of the docs, and where nothing fits, in other words. grep is for exact text.
- Read the evidence lines with sed or grep -n, not whole documents; pipe what is long through head.
- graph/markdown/<name> is shorter than the JSON, context/summary/ shorter than a document.
`;
