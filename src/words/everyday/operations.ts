/** Everyday expressions for speed, monitoring, incidents, tests, git and review: see ../expressions.ts. */
export const OPERATIONS = `
why so slow | where is time spent | what takes so long | what eats time > profiling, tracing, performance, bottleneck
speed it up | squeeze more out | make it faster | make quicker > performance tuning, optimization, caching
eat memory | memory keeps growing | swallow memory | memory goes up > memory leak, memory usage, heap, garbage collection
fans spin | hot laptop | machine gets hot | processor at full > cpu usage, high cpu, load
first time slow | slow first call | slow after sleep | slow to wake > cold start, warm-up, cache
slow to start | takes long to start > startup time, cold start, lazy loading
how much can take | how many users can | when does it break > load test, capacity, benchmark, stress test, throughput
how fast is it | compare speeds | measure speed > benchmark, latency, throughput, performance
old version still shown | still see old page | does not show change | shows old data > cache, stale, cache invalidation, cache-control
remember for next time | remember the answer > cache, memoization, caching
forget what it remembered | clear memory of pages | throw out saved answers > cache invalidation, purge, clear cache, eviction
how long remembered | remember for how long > ttl, cache-control, max-age, expiration
everybody asks at once | stampede | all rush in > thundering herd, cache stampede, jitter
only load when needed | load when scrolled | load later > lazy loading, on-demand, deferred
load ahead | fetch in advance | get ready beforehand > prefetch, preload, warm-up
same query repeatedly | query per row | hundreds of queries > batching, eager loading
fewer trips > round trips, batching, latency
how many things together | do several at once | side by side > concurrency, parallelism, worker count, threads
keep an eye on | watch over | look after server | see how doing > monitoring, health check, metrics, observability
is server up | is server down > health check, status page, uptime, liveness, readiness
wake me at night | wake someone up | get out of bed | ring at night > paging, on-call, alerting, escalation
who gets called | whose turn tonight | who is on duty > on-call, rotation, escalation policy
cry wolf | too many alarms | false alarm > alert fatigue, false positive, threshold, alert tuning
sound the alarm | raise the alarm | warn me | set off alarm > alert, alerting, notification, threshold
shut up the alarm | quiet the alarm | hush > silence, mute, acknowledge, maintenance window
nobody answers alarm | nobody picks up > escalation, escalation policy, on-call
numbers over time | graphs of load | draw graphs | pretty graphs > metrics, dashboard, time series, grafana
see what goes on | what is happening inside | look under the hood > logs, tracing, debug, observability, verbose
tell me more detail > verbose, log level, debug logging
less chatter | shut it up | keep quiet > quiet, log level, silent, verbosity
too much in log | logs grow | log gets huge | log eats disk > log rotation, log level, retention, log volume
where log is written | find the logs | where are messages written > log file, log directory, log location, journal
logs in one place | collect logs | gather logs | logs from everywhere > log aggregation, centralized logging, log shipping
logs as json | logs for machines > structured logging, json logs, log format
follow request through services | follow across services | path of request > distributed tracing, trace, span, opentelemetry
what happened last night | why went down | look back after | learn from failure > post-mortem, incident review, root cause, retrospective
put out fire | things are on fire | house on fire > incident response, incident, runbook, escalation
tell customers about outage | let people know broken > status page, incident communication, notification
who leads when broken > incident commander, incident response, roles
steps when it breaks | cheat sheet for trouble > runbook, playbook, procedure, incident response
how bad is it > severity, priority, impact, sev1
promise to be up | promise how often up | nines > sla, slo, uptime, availability
how much failing allowed | allowed to fail > error budget, slo, error rate
quick fix for now | stopgap | band aid | patch up for now > workaround, mitigation, hotfix, temporary fix
get to the bottom | real reason | what is behind it > root cause, root cause analysis, diagnosis
see trouble coming | warn before it breaks > alert threshold, capacity planning, early warning, anomaly detection
put together the program | turn into program > build, compile, packaging, artifact
does not compile | build broken | build is red | went red > build failure, compiler error, failing build
make from source | build it yourself > build from source, compilation, build instructions
same build every time | build comes out different > reproducible build, deterministic, lockfile
builds take too long | slow builds | wait for build > build cache, incremental build, parallel jobs, build time
build only what changed | not build everything > incremental build, build cache, affected
check it works | make sure it works | prove it works > test, verification, acceptance test, smoke test
did i break something | broke what worked | used to work > regression, regression test, bisect
sometimes fails | fails now and then | fails at random | red then green > flaky test, intermittent, retry, race condition
skip a test | leave out test | not run this test > skip, ignore, exclude, quarantine
run just one test > test filter, test selection, test pattern
pretend the other side | stand in for service | fake the server > mock, stub, test double, fake
how much is tested | lines not tested | tested enough > code coverage, coverage report, coverage threshold
click through by robot | test like a user | test whole thing > end-to-end test, browser automation, integration test
throw rubbish at it | feed random stuff > fuzzing, fuzz testing, property-based testing
compare with last output | output as before | screenshots differ > snapshot test, golden file, visual regression
test each small piece | test by itself > unit test, isolation, mock
test on every push | check every change | checked by machine | robot checks > continuous integration, ci, pipeline, status checks
nag about style | style police | tabs or spaces | tidy up code > linter, formatter, code style, formatting
find mistakes without running | look for code mistakes > static analysis, linter, type checking
before i commit | stop bad commit | check before git > pre-commit hook, git hook, lint
may not merge until | stop merging | keep bad code out | nobody pushes to main > branch protection, required checks, required reviews, merge rules
look over my code | look at change | have code looked at | sign off change > code review, pull request, reviewer, approval
who must look | who has to look > code owners, reviewer, required reviewers, approval
propose a change | hand in a change | send a fix | send in my change > pull request, patch, contributing, merge request
help out with project | chip in | take part in project > contributing, contribution guidelines, code of conduct
who wrote this line | who is to blame > git blame, annotate, history
when did it break | which change broke it | find the bad commit > git bisect, regression, bisect
take back commit | undo commit | undo last change | committed by mistake > git revert, git reset, amend, rollback
lost my changes | work gone in git > reflog, stash, recovery
put changes aside | set aside changes | park my changes > stash, branch, shelve
both changed same line | changes clash | clash > merge conflict, conflict resolution, rebase
pick one commit | only take that commit > cherry-pick, backport
tidy history | squeeze commits > squash, rebase, interactive rebase
own copy of project > fork, branch, clone
how to name branches | which branch for what > branching strategy, branch naming, git flow, trunk-based
how to write commit | how to word commit > commit message, conventional commits, commit convention
big files in git | repository got huge > git lfs, large files, shallow clone
keep out of git | not check in | git should not see > gitignore, ignore, untracked
project inside project | repo in repo > submodule, subtree, monorepo
everything in one repo | many projects one repo > monorepo, workspace
who updates libraries | keep libraries fresh | old libraries > dependency update, dependabot, renovate, outdated
pull in wrong version | versions fight | libraries do not agree > dependency conflict, version constraint, lockfile, resolution
pin down versions | same versions everywhere | freeze the versions > lockfile, version pinning, dependency pinning
run jobs by hand | start by hand > manual trigger, manual approval, workflow dispatch
pass files between steps | keep what build made | files from the build > artifact, artifact upload, cache
own build machine | own build server > self-hosted runner, build agent, runner
known mess | quick and dirty | clean up code later | messy code > technical debt, refactoring, cleanup
leave the place tidy | rewrite without changing | clean up the code > refactoring, cleanup, code quality
dead code | code nobody uses | unused stuff > unused code, dead code elimination, tree shaking
set up my way | change how it behaves | tweak > configuration, settings, customization, options
where are settings | where do i set | file with settings > configuration file, config path, settings
`;
