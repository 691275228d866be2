/** Everyday expressions for configuration, privacy, files, installing, the command line and time: see ../expressions.ts. */
export const SETUP = `
set in two places > precedence, override, priority, merge order
setting does nothing | ignores my setting | not pick up setting > configuration precedence, reload, restart, override
take effect | kick in | not applied until > reload, restart, apply, hot reload
change without restarting | pick up by itself | notice the change > hot reload, live reload, dynamic configuration, sighup
if leave out | if i set nothing | out of the box | when not given > default, default value, optional
back to how was | factory settings | put settings back > reset, defaults, restore defaults, revert
check my settings | typo in settings | is my file right > configuration validation, schema, lint, syntax check
different per machine | other settings at work | different on server > environment, profile, environment variables, override
dev and live | real thing versus test | copy of live | like the real one > staging, environments, production, development
works on my machine | only breaks on server | works here not there > environment, reproducibility, container, configuration
switch on for some | turn on later | hide until ready | hidden switch > feature flag, feature toggle, rollout, experiment
try two versions | see which is better > a/b test, experiment, variant
kill switch | turn off quickly | emergency off > feature flag, disable, circuit breaker
not finished feature | may change any time | try the new stuff | not ready yet > experimental, beta, preview, unstable, feature flag
write once use often | repeat same settings | share settings > template, inheritance, include, shared configuration, preset
pass in at start > environment variable, command-line option, argument, parameter
fill in the blanks | put value in text > template, placeholder, interpolation, variable substitution
turned on by default | who switched it on > default, enabled, opt-out
off unless asked | have to ask for > opt-in, disabled by default, optional
phone home | call home | spy on me | report back | send usage > telemetry, usage statistics, analytics, opt-out
what know about me | what is kept about > personal data, data collection, privacy policy, access request
copy of my data | hand me my data | take data with me > data export, data portability, access request, gdpr
forget me | erase me | remove all about me | delete all about person > right to erasure, data deletion, gdpr, account deletion
say yes to cookies | cookie question | cookie popup > cookie consent, consent banner, privacy
ask if ok | agree beforehand > consent, permission, opt-in, approval
take back my yes | no longer agree | change mind about consent > withdraw consent, opt-out, revoke
follow me around | watch what i do | follow visitors | track me > tracking, analytics, cookies, do not track
count visitors | how many visitors > analytics, page views, web analytics, tracking
sell my data | pass on my data | give data to others | who else sees > third parties, data sharing, subprocessors, disclosure
who handles our data | outside companies > subprocessors, data processing agreement, third parties, vendors
strip names | not traceable to person | make nameless | without names > anonymization, pseudonymization, de-identification
hide part of number | show only last digits | stars instead > masking, redaction, truncation
who may see my | others see my | who can see me > visibility, privacy settings, permissions
not show to everyone | keep to myself | for my eyes only > private, visibility, access control
data leave country | send data abroad | data across border > data transfer, data residency, standard contractual clauses
reason for keeping > purpose, legal basis, data minimization, processing
only collect what needed | as little data > data minimization, privacy by design
tell people about leak | have to report leak | tell the authorities > breach notification, data breach, supervisory authority, incident
in charge of privacy > data protection officer, privacy contact, controller
data of kids | how old must be > minimum age, parental consent, children, age verification
health records | sensitive stuff | very private data > sensitive data, special categories, hipaa, data classification
how secret is | what is secret | label by secrecy > data classification, confidentiality, sensitivity
keep for the court | may not delete yet | keep for lawyers > legal hold, retention, litigation hold
keep for tax office | must keep years | law says keep > retention period, legal retention, archiving, compliance
police ask for data | government asks > legal request, law enforcement, disclosure
train on my data | feed to ai | learn from my data > model training, data usage, opt-out
read my messages | staff look at data | can staff see data > end-to-end encryption, access policy, support access, confidentiality
check up on workers | watch staff > employee monitoring, audit, works council
paperwork for auditors | show the auditors | prove we comply > compliance, audit evidence, certification, soc 2
get my stuff out | get data out | pull data out | leave with data > export, data export, portability, dump
bring my stuff in | get data in | come from other tool | load old data | suck in > import, migration, ingestion, importer
open in excel | excel sheet > csv, xlsx, export
save as other type | turn into pdf | change file type | turn one into other > conversion, convert, export format
which files can read | kinds of files > supported formats, file types, compatibility
what is inside file | how file is built | layout of file > file format, specification, structure, schema
umlauts broken | accents wrong | question marks for letters | letters look funny > encoding, utf-8, unicode, character set
line ends differ | weird line ends | windows line ends > line endings, crlf, eol, newline
broken file | file will not open | damaged file | can not read file > corruption, corrupted file, repair, unsupported format
pack into one file | put in one file | squash together files > archive, zip, bundle, tar
open the package | get out of zip > extract, unzip, decompress, unpack
huge file | file does not fit | too big to open > large files, streaming, chunked upload, size limit
upload breaks off | upload stops | continue upload | upload half done > resumable upload, chunked upload, multipart upload, retry
send file to someone | hand a file over | pass file along > file sharing, share link, file transfer, attachment
file with same name | file name taken | overwrite my file > conflict, overwrite, rename, name collision
may not touch file | can not write file | not allowed to write > file permissions, permission denied, ownership, read-only
file in use | file is busy > file lock, locking, locked
shortcut to file | file points to other > symbolic link, symlink, alias
same on all devices | on phone and laptop | on all my machines | have it everywhere > sync, synchronization, multi-device
phone shows other | not arrive on phone > sync, out of sync, conflict, sync status
two versions of note | edited on both | both edited > conflict, conflict resolution, merge, conflicted copy
no internet around | no signal | without network > offline, offline mode, local cache, sync
catch up later | send when back online | when network returns > sync, queue, reconnect, offline
keep local copy | have on my machine | store on device > offline, local storage, download, mirror
keep two folders same | copy folder across | same folder both sides > synchronization, mirror, rsync, replication
leave out folder > selective sync, exclude, ignore, filter
skip these files | leave files out | do not touch these > exclude, ignore, ignore file, glob pattern
older version of file | earlier version of text | how it looked before > version history, revision, restore, snapshot
see what changed | what is different | compare the two | spot the difference > diff, changelog, comparison, changes
columns mixed up | match the columns | which column goes where > mapping, field mapping, csv import, header
bad rows | rows left out > validation error, skipped rows, import errors
dates wrong after import | days and months swapped > date format, locale, parsing
hidden info in file | where picture was taken | info about file > metadata, exif, properties
for machines to read | machine readable > structured data, json, csv, xml, api
human can read | plain file | not locked in | open without program > plain text, open format, markdown, interoperability
stuck with one vendor | trapped with vendor | can not leave > vendor lock-in, portability, export, open standards
get started quickly | first steps > installation, quick start, getting started, setup
put on computer | put on my machine > install, installation, download
get rid of program | throw off computer | remove program > uninstall, removal, cleanup
leave no trace | left over files | remains after removing | leftovers > uninstall, cleanup, residual files, purge
without admin rights | not admin on machine > user install, non-root, per-user installation, portable
just unzip and run | without installing > portable, standalone, binary
install on many machines | all office machines | hands off install | no questions asked > silent install, unattended, mass deployment, automation
bring up to date | newest one | move to new version | jump to new version | get newest > upgrade, update, latest version
long in the tooth | ancient version > outdated, unsupported, end of life, deprecated
update by itself | update without asking | stop it updating | nags about update > automatic updates, auto-update, update check, disable updates
broke after update | stopped working since update | update ruined > regression, breaking change, downgrade, release notes
what is new in | what did they change | news in version > changelog, release notes, what's new
what breaks on upgrade | safe to upgrade | trouble when upgrading > breaking changes, upgrade guide, migration guide, compatibility
skip versions | jump several versions | from very old version > upgrade path, incremental upgrade, migration
go back a version | previous one back | undo the update > downgrade, rollback, previous version
still work with old | old files still open > backward compatibility, legacy support, compatibility
does it run on | will it work on | work together with > compatibility, supported platforms, system requirements, interoperability
which version have i | what version is this | how old is mine > version, version command, about
still get fixes | how long looked after | until when fixes > support period, lts, end of life, support policy
try out early | bleeding edge | daily fresh version > nightly, beta, prerelease, canary, early access
stable one | boring version | safe version to use > stable release, lts, stable channel
missing to run | needs something else | what must exist first > prerequisites, dependencies, requirements
versions next to other | old beside new | switch between versions > side-by-side, version manager, multiple versions
not for my chip | apple chip | raspberry pi | wrong chip > architecture, arm64, platform, supported platforms
blocked by windows | antivirus complains | mac will not open | unknown developer > code signing, gatekeeper, notarization, smartscreen
command not found | does not know command | not recognized command > path, installation, environment variable
enter key to use | activate program | key to unlock program > license key, activation, registration
in black window | type commands > command line, terminal, cli, keyboard
what can i type | list of commands > commands, options, help, usage, reference
how to run command | what follows command > usage, syntax, arguments, options
dash dash something | letter after dash > flag, option, switch
asks every time | ask me before > confirmation, prompt, interactive
do not ask | just say yes | answer yes to all | stop asking > non-interactive, yes flag, force, unattended
finish word for me | complete with tab | finish my typing > completion, autocomplete, tab completion, shell completion
short name for command | shorter command | own name for command > alias, shortcut
again last command | commands i typed | repeat what i typed > command history, history, repeat
output into file | catch output | send output elsewhere > redirect, output file, stdout, pipe
feed one into other | glue commands together | hook commands together > pipe, stdin, stdout, chaining
output for scripts | output without decoration | easy to parse > json output, machine-readable, porcelain, format
did command work | know if it failed | how script knows > exit code, exit status, return code
colors in terminal | strange codes in output > color output, ansi, no_color, escape codes
many steps one key | record my keystrokes | repeat my keystrokes | play back keys > macro, recording, automation
do boring stuff | save me clicking > automation, script, workflow, schedule
make my own command | teach it new command | own commands > custom command, plugin, script, alias
bolt on | teach it tricks | add ons > plugin, extension, integration, addon
write own add on | make own add on > plugin development, extension api, sdk, plugin api
add on breaks it | which add on guilty | start without add ons > safe mode, disable plugins, extensions, troubleshooting
find add ons | shop for add ons > marketplace, registry, plugin directory, extensions
hook in own code | run my code when > hook, event handler, callback, middleware
change many places | replace everywhere | change every occurrence | across all files > find and replace, multi-cursor, bulk edit, refactoring
several cursors | type in many places > multi-cursor, multiple selections, column selection
jump to where made | where is it defined | go to its source > go to definition, code navigation, language server
who uses this function > find references, usages, call hierarchy
suggest while typing | guess what i type | hints while typing > autocomplete, completion, intellisense, suggestions
red squiggles | wavy lines | underlined in red > diagnostics, linter, spell check, errors
fold away code | hide parts of code | roll up section > folding, collapse, outline
other keys for > keybindings, keymap, keyboard shortcuts, remap
files side by side | two panes | see both files > split view, split pane, window, layout
colour the code | pretty code colors > syntax highlighting, theme, grammar
walk through code | stop at line | step by step code > debugger, breakpoint, stepping
ready made text | type less | abbreviations that grow > snippet, template, text expansion
reopen what i had | same windows as before | where i left things > session restore, workspace, session
edit on other machine | edit over the network > remote development, ssh, remote editing
indent by itself | line up code | neat layout of code > formatting, auto-indent, formatter, indentation
do for each file | go over all files | run on whole folder > loop, glob, batch processing, recursive
scribble | jot down > note, draft, scratch buffer
every night | every monday | every so often | once a week > schedule, cron, recurring, scheduled job
at certain time | at set time | on a given day | at midnight > schedule, scheduled, timer, cron
not run on time | missed its turn | forgot to run | skipped a run > missed run, scheduler, catch-up, misfire
machine was off then | asleep at the time | was off at time > missed run, catch-up, anacron, persistent timer
still running next starts | runs pile up | start before last finished > overlapping runs, concurrency policy, lock
hour off | wrong hour | wrong time shown | clock is wrong | hour too early > time zone, utc, daylight saving time, clock skew
summer time | clocks go back | clocks change > daylight saving time, time zone, utc offset
clocks disagree | machines disagree on time > clock skew, ntp, time synchronization, drift
which time is meant | time where i live > time zone, local time, utc, locale
when was it made | when last changed > timestamp, created, modified, metadata
no longer good | past its date > expiration, expired, validity, ttl
how long good | good for how long | until when good | how long last > expiration, validity period, lifetime, ttl
make last longer | keep it going longer | give more time | stretch the deadline > renewal, extension, extend, lifetime
not until later | too early to use > not-before, delay, embargo, scheduled
remind me | jog my memory | nudge > reminder, notification, follow-up
wait a bit before | give it a minute > delay, cooldown, grace period, debounce
bit of leeway | slack | little extra time | days of mercy > grace period, tolerance, buffer
before it runs out | warn before end | ends soon > expiry notification, renewal reminder, expiration warning
link stops working | link for a while | link that dies > link expiration, signed url, expiring link, temporary link
vanish after a while | self destruct > expiration, auto-delete, ttl, retention
too long idle | away from desk | walk away from screen | left it open > idle timeout, inactivity, session timeout, auto-lock
write date which way | how to write date | day before month > date format, iso 8601, locale
seconds since | big number as date | date as number > unix timestamp, epoch, timestamp
every year same day | same date again | happens regularly > recurrence, recurring, repeat rule, rrule
not at weekends | only on workdays > business days, calendar, working hours, holiday schedule
only at night | quiet hours | outside office hours | when nobody works > maintenance window, off-peak, do not disturb, schedule
publish later | put out tomorrow | go out later > scheduled publishing, schedule, embargo
how long did take | clock how long > duration, elapsed time, timing, benchmark
`;
