/** Everyday expressions for building, testing and delivering programs by pipeline: see ../expressions.ts. */
export const DELIVERY = `
what runs on each push | robot that builds | check each change automatically | tests run by themselves > pipeline, workflow, ci, continuous integration, job
only when folder changes | skip when only docs | not for every change | only some files changed > path filter, when, condition, paths, rules
only on main | only when tagged > branch filter, when, condition, event, tag, trigger
wait for other step | at same time steps > depends_on, dependency, needs, stage, parallel, order
same steps many versions | try on several versions | for all versions of node > matrix, matrix workflow, strategy
password in pipeline | password for build | give token to build | hide key in build > secret, secrets, environment variable, credentials
strangers see secrets | stranger's change steals | change from outsider > fork, pull request, secret, approval, trusted, security
database for tests | helper for tests > service, services, sidecar, service container
keep packages for next time | download packages each time | builds take forever | not fetch everything again > cache, caching, dependency cache, volume
hand file to next step | file from step before > artifact, workspace, shared, volume
what step knows | number of build inside | name of branch inside > environment variable, built-in variable, context, predefined variable
machine that builds | more machines for building | build on own box > agent, runner, self-hosted runner, executor, worker
choose machine for job | job needs big machine | job on special box > label, tag, agent label, platform, runner group
steps run inside | which image step uses > image, container, backend, docker, local backend, executor
let build make image | build container in container | put image in shop | send image up > docker build, registry, push, privileged, buildx, kaniko, plugin
ready made steps | steps of others > plugin, action, orb, template, reusable workflow
share steps among projects | same steps in every project | steps in one place > template, include, reusable workflow, shared configuration, extension
make own step | write step for others > plugin, custom action, create plugin
at fixed hours | build each night | once a day build > cron, schedule, scheduled pipeline
start build by button | start a build by hand | push a button to build > manual, deploy, trigger, workflow_dispatch
start other project | when library changes build app > downstream, trigger, multi-project, api
old builds still going | stop older builds | newer change came > cancel, concurrency, cancel previous, superseded
stuck forever | build never ends | build hangs > timeout, cancel, pending, agent
waits and never begins | does not get started | nothing picks up the build > pending, agent, label, queue, runner
no build started | push did nothing | nothing happens after push > webhook, trigger, event, repository, troubleshooting
do even if broken | clean up at end always | tell us when red | message when broken > status, failure, always, notification, when
go on despite red | red but not important > failure ignore, allow failure, continue-on-error
turned red > failure, failed, status
green tick at change | shows result at change | badge in readme > status check, commit status, badge, status badge
look at words of build | see what build wrote | build output > logs, log, output, debug
try pipeline here | run pipeline on laptop | try before pushing > local, exec, cli, lint, validate
get newest code | fetch whole history | only last commit fetched | sub projects in code > clone, checkout, depth, submodule, fetch
who may start builds | who may see builds | hide builds > permission, visibility, access, approval, protected
allow this project to do more | build may do everything > trusted, privileged, repository settings, security
connect to github | connect to code place | where code is kept > forge, github, gitea, gitlab, integration, oauth
bring to server after tests | put on server by itself | send to server by itself > deploy, deployment, continuous deployment, environment
push button to live > approval, manual gate, environment protection, deployment
see change before merging | test site per change > preview deployment, preview environment, review app
few users first > canary, gradual, rollout, progressive delivery
old one stays until new ok | switch when new is fine > blue-green, rolling, health check, readiness
undo last release | new one is bad | get old one back on server > rollback, revert, redeploy
what is live now | which version is out there > deployment, release, environment, status
settings for live and test | other settings live > environment, environment variables, config, profile
change tables with release | tables change with code > migration, database migration, release phase
wake after sleeping | first visit slow | asleep when nobody comes > cold start, scale to zero, idle, sleep
small functions without server | code without machine > serverless, function, edge function, lambda
files gone after new version | uploads gone after release > volume, persistent disk, ephemeral, storage
is it healthy | tells that it is ready > health check, readiness, liveness, probe
number the release by itself | list of changes by itself > semantic release, changelog, versioning, release automation
put package up | send package to world | hand package to npm > publish, registry, release, package
where to put built things | store for packages > registry, artifact repository, package registry
how big is team's queue | who waits for machines > queue, concurrency, capacity, metrics
grow builders when busy | builders come and go > autoscaling, autoscaler, runner, agent
password from build file | keep password out of build | token out of file > secret, secrets
next to my tests | beside my tests | along with tests > service, services, container
strangers send patches | stranger sends change | outsiders send patches > fork, pull request, approval, approve
try on my laptop | test on my laptop | on my laptop before > local, exec, cli, locally
green or red | red or green | shows green > badge, status
own store for images | picture store with login > registry, private registry, credentials
value to next step | pass value to step | hand value from step > environment, variable, output, persist
rent machines when busy | more machines when busy | machines only when needed > autoscaler, autoscaling, scale
several versions of language | with several versions | many versions at once > matrix
how many at a time | how many jobs at once > concurrency, max, workflows, parallel, limit
who broke build | which push broke > commit, author, notification, status
do not build this one | skip the build | leave this push out > skip ci, skip, commit message
build on arm | build on windows > platform, label, runner, agent
build folder between steps | where files lie in build > workspace, volume, path
`;
