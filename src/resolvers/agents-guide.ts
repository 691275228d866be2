/**
 * `AGENTS.md` at the root of the mount: a fixed text, written for a model and short (less than 60 lines), since it is read in every session. A test
 * runs its commands on the sample docs, and docs/shell-agent.md shows what an agent does that follows it.
 */
export const AGENTS_GUIDE = `# How to use this folder

A team's docs, and the knowledge graph extracted from them, as ordinary files. Use cat, ls, cd, find, grep and jq.
To find something, open search/<question>. Write only below context/. ls does not list what is marked *: just open it.

## What is where
- docs/                          the documents, byte for byte
- graph/nodes/<name>             one thing that the docs describe (object, endpoint, event, concept, document), as JSON;
                                 each relationship is on one line, with its evidence as file:line below docs/
- graph/markdown/<name>          the same as markdown *
- graph/types/<Type>/            all nodes of one type: APIObject, Endpoint, Event, Concept, Document
- graph/near/<name>/<edge>/      the nodes that an edge leads to; <edge>_of: the nodes it comes from. One step on: cd ../../<other>
- graph/edges/<edge>.jsonl       every relationship of one kind, one JSON object per line
- graph/sections/<document>/     the sections of a document, each with its lines and links *
- graph/path/<from>/<to>         how two nodes are connected, with evidence *
- graph/stats.json               how many nodes and edges there are
- search/<question>              the best answers from docs, graph and memory, ranked *
- search/pinned/<question>/      mkdir makes a folder of links to the best answers, kept up to date; rmdir removes it
- context/for/<question>         facts and passages about a question, with their lines, within a budget of tokens *
- context/summary/docs/<path>    a document in a few sentences; docs/<folder>.md for a folder *
- context/memory/fact/<key>      what you and others remember, as files; also episodic/ (what happened), procedural/ (how to)
- context/scratchpad/            an ordinary folder to work in, new for each session
- context/history/               who read, wrote and searched what (JSON lines); context/review/ waits for a person
- graph/near/<name>/about_of/    what is remembered about a node; graph/memory/ shows all memories as a graph
- modules/                       what configured modules add from other sources, one folder each; often empty
- .kgraphfs/status.json          whether indexing is complete; .kgraphfs/errors.jsonl lists what could not be read

Names: write %2F for "/", in a question too: "POST /v1/charges" is graph/nodes/POST %2Fv1%2Fcharges. Names have at most 255 bytes.
When you open a node, case, plural and punctuation do not matter: graph/nodes/charge opens Charge.

## Five recipes

\`\`\`sh
# Answer a question: ask, then read the lines that the answer names.
cat "search/how are refunds reported"
cat "search/refunds type:event in:docs"        # also in:memory after:2026-01 tag:billing related:Charge~2 "exact words" -draft
sed -n '30,40p' docs/charges/capture-and-refund.md
# Find a node and its neighbours: look for its name, read its page, then take one step on.
ls graph/nodes | grep -i invoice
cat graph/markdown/Invoice
ls graph/near/charge.succeeded/triggers_of
# Trace how one thing leads to another: each step has the line that states it; then read that line.
cat graph/path/Subscription/Charge
grep -n Invoice docs/subscriptions/create.md
# Get what a task needs at once: a context within a budget, or a document in a few sentences.
cat "context/for/how do I refund a part of a charge budget:1500"        # in tokens; the default is 8000
cat context/summary/docs/webhooks/overview.md
# Remember what you learnt: look first; write one fact per file, with its source. If not sure, tag it for review.
grep -ri refund context/memory || echo "nothing yet"
printf -- '---\\nsource_paths: charges/capture-and-refund.md:44\\ntags: needs_review\\n---\\nRefunds take 5 days\\n' > context/memory/fact/refunds
cat context/review/refunds
rm context/memory/fact/refunds    # forget
\`\`\`

## Habits that save tokens
- Start from search/ or graph/, not with grep over docs/: both name the few lines that matter. Search covers memory, too.
- Search matches words in any form, and names count most: use the terms of the docs; if nothing fits, try other words. Use grep for exact text.
- Read the evidence lines with sed or grep -n, not whole documents; pipe long output through head.
- graph/markdown/<name> is shorter than the JSON, and context/summary/ is shorter than the document.
`;
