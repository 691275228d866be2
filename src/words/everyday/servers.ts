/** Everyday expressions for databases, backups, servers, releases and networks: see ../expressions.ts. */
export const SERVERS = `
not two at once | two copies running > concurrency limit, lock, mutex, singleton, leader election
where is it kept | where does it live | where is data saved | where files end up > storage location, data directory, path, persistence
keep after restart | gone after restart | lost when restarting | survive a restart > persistence, volume, durable storage, persistent
stay on disk | written to disk | really saved | safely on disk > durability, fsync, persistence, write-ahead log
pull the plug | power goes out | power cut | power fails > durability, crash recovery, write-ahead log, unclean shutdown
copy in case | spare copy | safety copy | keep a copy > backup, snapshot, replica
save what was lost | undelete > restore, recovery, backup, trash
go back in time | as it was yesterday | back to yesterday > point-in-time recovery, restore, snapshot, version history
is backup any good | try the backup | backup works > restore test, backup verification
how often backed up | back up every night | back up by itself > backup schedule, automatic backup, retention
copy somewhere else | copy off site | if building burns > off-site backup, replication, disaster recovery
building burns down | whole region down | everything is gone > disaster recovery, failover, recovery time objective, backup
how much can lose | lose an hour | how long until back > recovery point objective, recovery time objective, rpo, rto
deleted by mistake | deleted by accident | wiped by mistake | oops deleted > recovery, restore, soft delete, trash, undelete
delete for ever | gone for ever | wipe completely > permanent deletion, purge, hard delete, erasure
mark as deleted | not really deleted | hide instead of delete > soft delete, tombstone, archive
wipe | nuke | zap | chuck out > delete, purge, erase, reset
start from scratch | clean slate | begin anew | blank slate > reset, reinitialize, fresh install
fill up the disk | disk is full | no more room | run out of space | eat up space > disk usage, retention, cleanup, storage quota, log rotation
how much room | how much space | how big gets > disk usage, storage requirements, quota, capacity
free up space | throw out old stuff | clear out old > cleanup, pruning, retention, vacuum, garbage collection
throw away after while | keep for how long | how long keep | old stuff go away > retention, expiration, ttl, retention policy
cram more in | squeeze smaller | make files smaller > compression, deduplication
change shape of table | change table layout > schema migration, alter table, migration
move to another database | change databases | switch databases > migration, data migration, export, import
move to new server | move house | take it elsewhere > migration, transfer, backup, restore
move without downtime | change while running | swap while live > zero-downtime migration, online migration, rolling update
undo the migration | go back a migration | migration went wrong > rollback, down migration, revert
all or nothing | either all or none | half written | half saved > transaction, atomicity, rollback, commit
wait for each other | two block each other | deadly embrace > deadlock, lock, lock timeout
find rows faster | speed up lookups | slow lookups | slow database > index, query plan, query optimization, slow query log
why is query slow > query plan, explain, slow query log
no two the same | doubles in table | same row twice | no doubles > unique constraint, deduplication, primary key, upsert
insert if missing | create unless exists > upsert, on conflict, merge
point to missing row | orphan rows | dangling rows | left behind rows > foreign key, referential integrity, cascade, orphaned
take children with it | delete everything under > cascade, cascading delete, foreign key
second copy of database | copies of the database | read from copies > replica, replication, read replica, standby
copy lags behind | copies disagree | old data from copy > replication lag, eventual consistency, stale read
outgrow one machine | spread over machines | cut up database > sharding, partitioning, horizontal scaling
too many connections | run out of connections | share connections > connection pool, max connections, pooling
damaged database | broken database | data is mangled | mangled > corruption, integrity check, repair, recovery
rot on disk | bits flip | file went bad > corruption, bit rot, checksum, scrub
fill with sample data | start with some data | fill it for testing > seed, fixtures, sample data
keep big files | where put pictures | store large files > object storage, blob storage, attachments
kept in memory only | never touches the disk | nothing written to disk > in-memory, ephemeral, volatile
put on the server | put it live | put on the internet | push live | get it online > deploy, deployment, hosting, publish
run it myself | on my own machine | own server > self-hosting, on-premises, installation, local
only to some first | only some users first | let a few try | little by little > canary, gradual rollout, staged rollout, feature flag
back to old version | put old one back | take back the release | undo the release > rollback, revert, downgrade, previous version
without going down | stay up while updating | no break in service > zero-downtime, rolling update, blue-green deployment, high availability
two copies and switch | old beside new server > blue-green deployment, canary, parallel run
let finish first | finish what is running | stop nicely | shut down gently > graceful shutdown, drain, sigterm
won't start | does not come up | does not start | refuse to start | fail to come up > startup failure, logs, troubleshooting, exit code
keep starting over | restart again and again | dies and comes back > crash loop, crashloopbackoff, restart policy, health check
come back by itself | start by itself | start when machine boots | start after reboot > restart policy, systemd, autostart, service
keep it running | run all the time | run in the background > daemon, service, systemd, process manager
else has port | port taken | port already used > address in use, port conflict, bind
reach from outside | reach from other machine | see from outside | open to network > expose, bind address, port forwarding, reverse proxy, ingress
only on this machine | not from outside | only from inside > localhost, loopback, bind address, private network
put something in front | server in front | sit in front > reverse proxy, load balancer, gateway
who is behind proxy | real visitor address | wrong visitor ip | all from same ip > x-forwarded-for, trusted proxies, client ip, reverse proxy
spread visitors | spread the load | share the load | many servers one address > load balancer, load balancing, round robin
same visitor same server | stick to one server > sticky sessions, session affinity
handle more visitors | add more machines | big crowd | more traffic > scaling, horizontal scaling, autoscaling, capacity
bigger machine | beefier machine | more powerful server > vertical scaling, instance size, resources
grow and shrink | add machines by itself | more at peak > autoscaling, elasticity, replicas
machine dies | server dies | box goes away | lose a machine > failover, high availability, redundancy, replica
other takes over | take over when dead | spare machine | second in reserve > failover, standby, redundancy, leader election
which server is boss | pick a boss > leader election, primary, coordinator, quorum
two bosses | both think they lead | halves can not talk > split brain, network partition, quorum, fencing
own name for site | own web address | use my domain > custom domain, dns, cname
point name at server | point my domain | name to server > dns record, a record, cname
name not found | can not find host | does not know host > dns resolution, name resolution, nxdomain, resolver
dns change takes ages | new address not everywhere > dns propagation, ttl, dns cache
behind company firewall | through company proxy | no direct internet | office network > http proxy, proxy, firewall, outbound
cut off from internet | closed network | no internet at all > air-gapped, offline installation, offline
call out to internet | talk to outside world > outbound traffic, egress, network access
which doors to open | which ports to open > ports, firewall rules, inbound, network requirements
secret road between | private line | tunnel into network | get into home network > vpn, tunnel, private network, wireguard, ssh
log into the machine | get on the server | get into the box | get a shell > ssh, remote access, exec, bastion
look inside container | get inside container | poke around container > exec, shell, debug, docker exec
files vanish in container | container forgets | container loses data > volume, bind mount, persistence
share folder with container | files in container > bind mount, volume, mount
make image smaller | huge image | image too fat > multi-stage build, image size, layers, slim image
several containers together | run them all together | whole stack at once > docker compose, compose file, orchestration, pod
killed for memory | eat all memory | out of memory killed > oom, memory limit, out of memory, resource limits
cap resources used | hold back usage | keep from hogging | hog the machine > resource limits, quota, cgroups, throttling
neighbour slows me | others slow me down > noisy neighbor, resource isolation, quotas
which machine runs it | keep off machine | place it on > scheduling, node affinity, placement, taints
describe servers in files | servers as code | build servers by script > infrastructure as code, terraform, provisioning, configuration management
changed by hand | not what file says | servers differ > drift, configuration drift, reconciliation, desired state
what needed to run | how big a machine | what machine needed > system requirements, hardware requirements, sizing, prerequisites
closed for repairs | closed for work | take offline for while | be back soon page > maintenance mode, scheduled maintenance, downtime
closer to visitors | near the users | far away users slow > cdn, edge, region, latency
in which country | where in the world | keep in europe > region, data residency, data center
ready to go out | who says go > release process, release approval, go-live, sign-off
what number next | which number to give | big or small release > semantic versioning, version number, major version
rush out a fix | emergency fix | fix in a hurry > hotfix, patch release, emergency change
fix for old version | bring fix to older > backport, maintenance release, long-term support
old and sluggish | slow as molasses | drag its feet | takes ages > performance, latency, slow, profiling
`;
