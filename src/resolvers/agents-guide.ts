/** `AGENTS.md` at the root of the mount: fixed text, under 60 lines, written for a model. */
export const AGENTS_GUIDE = `# How to use this folder

A team's docs and the knowledge graph extracted from them, as ordinary files. Use cat, ls, cd, find, grep, jq.
docs/ and graph/ are read-only; context/ is yours to write; search/ answers questions.

## What is where

- docs/                          the documents, byte for byte
- graph/nodes/<name>             one thing the docs speak of (object, endpoint, event, concept, document), as JSON;
                                 one relationship a line, each with its evidence as file:line below docs/
- graph/markdown/<name>          the same as markdown (not listed; just open it)
- graph/types/<Type>/            the nodes of one type: APIObject, Endpoint, Event, Concept, Document
- graph/near/<name>/<edge>/      what a node leads to by an edge; <edge>_of is what leads to it. cd goes on from there
- graph/edges/<edge>.jsonl       every relation of one kind, one JSON object a line
- graph/sections/<document>/     the sections of a document, each with its lines and the links from and to it
- graph/path/<from>/<to>         how two nodes are connected (not listed; just open it)
- graph/stats.json               how much there is
- search/<question>              what answers a question best, ranked, from docs, graph and memory (not listed; just open it)
- search/pinned/<question>/      mkdir makes it: links to the best answers, which follow the content; rmdir takes it away
- context/for/<question>         a context for a question that fits a window: facts and passages, with their lines (not listed)
- context/summary/docs/<path>    a document in a few sentences; docs/<folder>.md a folder (not listed)
- context/memory/fact/<key>      what you and others remember: ordinary files; also episodic/ (what happened), procedural/ (how to)
- context/scratchpad/            an ordinary folder to work in, new for each session
- context/history/               who read, wrote and searched what (JSON lines); context/review/ waits for a person
- graph/near/<name>/about_of/    what is remembered about a thing; graph/memory/ is all of it as a graph
- .kgraphfs/status.json          whether indexing is done; .kgraphfs/errors.jsonl says what could not be read

Names: "/" in a label is written %2F, so "POST /v1/charges" is graph/nodes/POST %2Fv1%2Fcharges. Case, plural and
punctuation are forgiven when you open a name: graph/nodes/charge opens Charge.

## Recipes

Ask in your own words:           cat "search/how are refunds reported"
Narrow it:                       type:event in:docs after:2026-01 tag:billing related:Charge~2 "exact words" -draft, anywhere in it
Find a thing by name:            ls graph/nodes | grep -i invoice
What is it, what does it touch:  cat graph/markdown/Invoice
How are two things connected:    cat graph/path/Subscription/Charge
What triggers an event:          ls graph/near/charge.succeeded/triggers_of
Who says so:                     open the file:line given as evidence, below docs/

Remember something:              echo "Refunds take 5 days" > context/memory/fact/refunds
Say how sure, from where:        setfattr -n user.kgraphfs.confidence -v 0.8 <file>; also .tags, .source_paths (file:line)
What do we know already:         grep -ri refund context/memory
Not sure? let a person look:     setfattr -n user.kgraphfs.tags -v needs_review <file>
Forget:                          rm <file>

## Habits that save tokens

- Start from search/ or graph/, not from grep over docs/: both name the few lines that matter.
- Read the evidence lines (sed -n '25,40p' docs/...), not whole documents.
- graph/markdown/<name> is shorter than the JSON.
`;
