/** Everyday expressions for language models and what is built on them: see ../expressions.ts. */
export const ASSISTANTS = `
which brain | which ai behind | different ai | choose other ai | swap ai > model, provider, model selection
ai on my machine | ai without internet | ai at home > local, ollama, self-hosted, offline, llama.cpp
own files for ai | let it read my files | ask about my documents | answer from our papers | give it our manuals > knowledge, rag, retrieval, documents, embeddings, knowledge base
ignores my documents | does not find in documents | wrong passages > retrieval, rag, top k, chunk, reranking, embedding
forgets what i said | forgets beginning | loses the thread | forget earlier part > context length, context window, num_ctx, memory, truncation
knows me next time | keep facts about me | remembers between chats > memory, personalization, long-term memory
by voice with ai | talk instead of typing > voice, speech-to-text, stt, voice mode, audio
reads answer out | hear the answer | answer aloud > text-to-speech, tts, voice, speech
give it hands | look things up itself | use other programs > tools, function calling, actions, plugins, mcp, agent
look on the internet | search web for answer | today's news > web search, browsing, search engine, grounding
run code for me | try the code it wrote | calculate by code > code interpreter, code execution, sandbox, pyodide
draw me a picture | paint picture > image generation, images, comfyui, dall-e
look at my photo | understands pictures | show it a photo > vision, multimodal, image input
always behave a certain way | give it a character | play a role | give it a personality > system prompt, persona, instructions, character
save my questions | ready questions | keep good questions > prompts, prompt library, template, presets
reply in fixed format | answer machine can read | answer in fields > structured output, json mode, schema, response format
answer comes slowly | wait for whole answer | see words as they come > streaming, latency, stream
cut off in the middle | answer stops half | answer breaks off > max tokens, length, finish reason, truncation
too creative | too wild | more predictable | same answer each time > temperature, top p, sampling, seed, parameters
makes stuff up | tells lies | wrong facts > hallucination, grounding, citations, evaluation
where it got that | where answer comes from | proof for answer | show sources > citations, sources, references, grounding
misuse by users | users trick it | talk it into bad things > prompt injection, guardrails, jailbreak, moderation, filter
what it may not say | block rude answers | stop bad questions > moderation, filter, guardrails, safety, content filter
leak private info to ai | strip names before ai | customer names to ai > pii, redaction, masking, privacy, filter
change text before ai sees | change answer before shown | step between user and ai > filter, pipeline, middleware, function, hook
how much it eats | counts words | how many words fit > tokens, token usage, context window, usage
what ai costs us | bill from ai company | who spends most on ai > cost, usage, billing, budget, spend tracking
cap per person | each user only so much | limit spending per user > rate limit, quota, budget, usage limits
several models one address | switch when one fails > gateway, proxy, router, fallback, load balancing
try same question on two | compare answers of two | side by side answers > compare, arena, evaluation, multi-model
users rate answers | good or bad answer | thumb on answer > feedback, rating, evaluation, leaderboard
test if still good | tell if better after change | grade the answers | exam for ai > evaluation, evals, benchmark, dataset, scoring
judge by other ai | ai grades ai > llm-as-a-judge, evaluator, scoring
see what it did inside | each step it took | follow what ai did > tracing, trace, observability, logs, spans
stop it doing dangerous | ask me before acting | ok from person before > human-in-the-loop, approval, confirmation, interrupt, permissions
helpers that work together | split work among bots > multi-agent, subagents, handoff, orchestration, supervisor
bot that works alone | keeps working by itself > agent, autonomous, loop, scheduled, background
pick up where bot stopped | continue bot after crash > checkpoint, persistence, resume, durable execution
repeat same big text | pay for same text again | same beginning every time > prompt caching, cache
turn text into numbers | numbers for meaning > embeddings, vectors, embedding model
store of meanings | find what means same | find alike texts > vector store, vector database, similarity search, semantic search
chop documents | how big pieces | cut documents | slice documents > chunking, chunk size, overlap, splitter, text splitter
put best ones first | sort the found pieces > reranking, reranker, score
words and meaning both | exact words and meaning > hybrid search, bm25, keyword
scanned papers for ai | read tables from pdf | text out of pdf > ocr, document parsing, extraction, loader
teach it our style | teach new things > fine-tuning, training, lora, dataset
squeeze into small card | fit on my card | smaller download of model > quantization, gguf, size, vram
fast card | use graphics card | use my video card > gpu, cuda, nvidia, acceleration, rocm
show only some models | hide models from users | who may use which model > access control, permissions, groups, visibility, whitelist
chat with several people | same chat with colleagues | talk in group with ai > channels, shared chat, collaboration
show chat to others | send chat to friend | pass conversation on > share, shared link, export
sort my chats | tidy up chats | group chats > folders, tags, archive, projects, pin
chat nobody keeps | chat without trace | not keep this chat > temporary chat, incognito, privacy, retention
write in the same document | long text beside chat | text next to chat > canvas, artifacts, notes, editor
reach ai from program | existing client program > api, endpoint, openai-compatible, api key, sdk
try before code | play with it in browser | try the ai by hand > playground, console, workbench, sandbox
ask thousands at once | big pile of requests | cheaper if can wait | overnight requests > batch, batch api, bulk, asynchronous
think longer | think harder | solve harder questions > reasoning, thinking, extended thinking, effort
old model goes away | model switched off | which model version > deprecation, model versions, retirement, pinned
how far does its knowledge go | knows nothing new > knowledge cutoff, training data, web search
own manuals > knowledge, rag, documents, knowledge base
forgets the start | forgets how it began > context window, context length, num_ctx
past two models | two models at once | several models same question > multi-model, compare, concurrent
find anything in papers | not find in files | does not see my file > rag, retrieval, troubleshooting, embedding
things about me | what it knows of me > memory, personalization
talk i had with it | send the talk | show my talk > share, chat, export, link
uses model how much | who uses it most > usage, analytics, tokens
teach new trick | give new abilities | add an ability > tool, skill, plugin, function
keep what it may spend | stop when too expensive > budget, limit, spend
who asked what | see what staff asked > audit, logs, monitoring, analytics
read web page for answer | give it a web page > web search, url, loader, fetch
long document too long | does not fit in question > context window, chunking, summarization, truncation
`;
