/** Everyday expressions for notes, wikis, editors, calendars and bookings: see ../expressions.ts. */
export const NOTEBOOKS = `
which notes mention | where else mentioned | what mentions this | notes that mention | who refers to this > backlinks, linked references, references, mentions
list my notes automatically | list that fills itself | table of notes | collect notes with | pull notes with | gather all notes | list of all notes > query, dynamic list, dataview, collection, search
all open todos in one place | see all todos | all tasks from everywhere > query, tasks, agenda
same start for every note | every new note begins | skeleton for note | same shape each time > template, snippet, new page
text that writes itself | put today's date | date by typing > template, variable, slash command, date
type slash | press slash | little menu while typing > slash command, command menu, autocomplete
type brackets | square brackets | double brackets > page link, wiki link, reference, internal link
point to one paragraph | link to one line | link to piece of page | refer to single line > block reference, anchor, heading link, block
show piece of other note | same text in two places | text appears in both > embed, transclusion, block reference, include
facts about note | extra fields on note | fields at top | note details at top > properties, frontmatter, attributes, metadata
rename note everywhere | rename without breaking links | change name of note > rename, page rename, refactor, alias
other name for note | two names for same note > alias, synonym, redirect
notes on my phone and computer | same notes everywhere | notes on second machine > sync, synchronization, git, icloud
keep notes in git | save history of notes > git, version control, sync, backup
notes as plain files | where are notes kept | where notes live | files behind the notes > storage, space, graph, vault, folder, markdown, directory
notes never leave | nobody sees my notes | secret notes > encryption, privacy, local-first, end-to-end
make notes into website | show my notes to world | put notes online > publish, publishing, export, static site
add new abilities | extra features from others > plugins, extensions, marketplace, libraries
write my own extension | build addon myself > plugin, api, development, sdk
keys to do things | do without mouse | own key for > shortcuts, keybinding, hotkeys, command
jump to note quickly | open note by name | find page by name > page picker, quick switcher, search, navigation
move line under other | push line in | line below line | indented lines > indent, outline, nesting, block, outliner
zoom into line | see only this part > zoom, focus, block
shut a branch | fold lines | hide lines below > collapse, fold, folding
draw in notes | sketch in notes | big empty sheet | place cards freely > whiteboard, canvas, drawing
learn from my notes | quiz me on notes > flashcards, cards, cloze, spaced repetition
highlights from book | read pdf and mark | mark in pdf > pdf, highlight, annotation, zotero
sources of quotes | cite papers > citation, reference, bibliography, zotero
put picture in | drop a file in note | photo in note > assets, attachment, upload, image
play clip in note | film in note > video, embed, iframe
sums in notes | calculate in note | little formula > formula, calculation, function, expression, lambda
small program in note | code that runs in note > script, lua, macro, code block, widget
change looks of editor | own styles for notes > theme, custom css, style, appearance
two notes next to each other | note beside note > split view, sidebar, pane
favourite notes | keep note at hand | top of list > favorites, pin, bookmark, starred
group of notes by prefix | notes under notes | tree of notes > namespace, hierarchy, folder, nested pages
words for finding | label my notes | hash sign > tags, tag, label, category
search all my notes | look through all notes > full-text search, search, index
mixed up after sync | note was doubled > conflict, sync, merge
read only for visitors | guests can only read > read-only, permission, publish, guest
several people one notebook | team notebook | work in same notes > collaboration, space, workspace, multiplayer, sharing
get notes from other app | come from evernote | move from notion > import, migration, converter
get out of this app | take notes elsewhere > export, json, markdown, opml
do when note is saved | happen on save > event, hook, listener, trigger
clickable button in note | button that runs > button, widget, command, macro
people pick a time | let people choose slot | pick time with me | let others book me > booking, event type, scheduling, availability, appointment
page where people book | link people use to book > booking page, booking link, event type, public page
when i can be booked | hours when i am free | times i can be booked > availability, working hours, schedule
day off in calendar | not be booked that day | close one day | different hours one day > date override, out of office, unavailable, holiday
rest between meetings | gap between meetings | meetings back to back > buffer, buffer time, slot interval
not at last minute | not on short notice | book too late | day before at least > minimum notice, lead time, booking window
not months ahead | how far ahead can book | too far in future > booking window, date range, limit future bookings
only so many per day | at most three meetings | cap meetings > booking limits, limit, frequency
whoever is free | share meetings among team | next free colleague | meetings handed out fairly > round robin, team, host, assignment
several hosts > collective, team event, hosts
several guests one slot | group class | many people same time > seats, group event, capacity
approve each booking | say yes to booking | check before confirmed > requires confirmation, approval, pending, opt-in
pay when booking | charge for meeting | take money for call > payment, stripe, paid booking, price
ask question when booking | form before booking | want info from guest > booking questions, form fields, custom inputs, routing form
send people to right person | answer decides who > routing form, routing, qualification, assignment
guest wants other time | move a meeting | put meeting on other day > reschedule, rescheduling
guest cancels | drop a meeting | guest did not come | never turned up > cancel, cancellation, no-show
not clash with own calendar | busy in google | look at my other calendar | block when busy > conflict checking, connected calendar, selected calendars, busy times
where meeting takes place | video link by itself | call link in invite > location, conferencing, video, meeting link, zoom
message before meeting | tell guest day before | text the guest > reminder, workflow, notification
booking box on our site | show calendar on my website | calendar in web page > embed, widget, inline, iframe
every second tuesday | repeats weekly | each month same day | meeting series > recurring, recurrence, rrule, series
only change one of series | skip one of series > exception, occurrence, recurrence id, instance
all day thing | whole day event > all-day, date, event
invite people to meeting | who comes to meeting > attendees, guests, invitation, rsvp
same calendar on phone | see appointments in other program | feed of events > subscribe, ics, caldav, calendar feed
bookings on behalf | assistant books for boss > delegate, impersonation, managed user, admin
own web address for bookings > custom domain, subdomain, organization, slug, white label
colleagues under one roof | whole company in one | branches of company > organization, team, workspace, subteam
free after each meeting | pause after meeting | air between meetings > buffer, buffer time
only with the link find | hidden meeting type > secret, private, hidden, private link
close one single day > date override, override
what links to this page | pages that point at > backlinks, linked references, references
write on two machines | start on laptop continue on phone > sync, synchronization
own look of notes | make notes look nice > theme, style, custom css, widget
what to do when page opens | each time page opens > event, hook, trigger
`;
