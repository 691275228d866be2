/** Everyday expressions for notes, links, tasks, search and user interfaces: see ../expressions.ts. */
export const DOCUMENTS = `
children join > minimum age, age verification, parental consent
jot | write down quickly > note, quick note, capture
link pages together | pages pointing here | what links here > backlink, internal link, wiki link
web of notes | picture of links | map of notes > graph, graph view
page in page | show note inside | include other page > embed, transclusion, include
note a day | page for today | diary | journal entry today > daily note, journal
save web page | grab from web | cut out article | clip page > web clipper, clipper, bookmark
keep article > bookmark, reading list
several write same | same page at once | two people type > collaboration, collaborative, realtime
who changed page | old state of page | earlier text > history, revision, version
get older text | go back to earlier | put old version back > restore, revert, revision
two changed same | edits clash > conflict, merge, edit lock
nobody else edit | keep others from editing > lock, read only, permission
half done text | text not ready yet > draft
print page | put on paper | make paper copy > print, pdf, export
write math | formulas in text > latex, mathjax, katex, equation
boxes and arrows | picture from text > diagram, mermaid, plantuml
bold and italic | make text pretty | make letters fat > formatting, markdown, rich text
fold text | hide part of text | open and close section > collapse, fold, toggle, details
remarks at bottom | note at page bottom > footnote
colored box | box with warning | highlight box > callout, admonition
list at top | jump to section | list of headings > toc, outline, anchor
page address | end of address | name in url > slug, permalink
address stays same | link that lasts > permalink, stable url
link goes nowhere | link does not work | leads to nothing | link rot > broken link, dead link
old link still works | page moved > redirect, alias
short address | make link shorter > short link, url shortener, shortener
link good for day > expiring link, expiration, signed url
lock link | code for link > password protected, share link
count clicks | how often clicked > click tracking, analytics, clicks
where page belongs | page under page | pages inside pages > hierarchy, nested, parent page
nobody links here | lonely pages | pages without links > orphan, orphaned page
out of date page | page too old | text no longer true > stale, outdated, review date
bring in old notes | come from other app | switch from other program > import, migration, importer
things to do | chores | what needs doing > task, todo
tick off | cross off | mark as done | check off > complete, checkbox, done
task over and over | again and again task | comes back every week > recurring, repeat, recurrence
put off | deal with later > snooze, postpone, reschedule
last possible day > due date, deadline, overdue
what matters most | most important first > priority, prioritization
small parts of task | task in task | break up task | break down work > subtask, checklist
waits for other task | cannot start before | held up by > dependency, blocked, blocker
columns of cards | cards in columns | drag cards > kanban, board
bars over time | plan as bars > gantt, timeline
limit open work > wip limit, wip
clock hours | count hours | stopwatch > time tracking, timer, timesheet
guess how long | how much work > estimate, story point, estimation
find meeting time | when can meet | time suits all > scheduling, availability, meeting poll
already taken time | clash in calendar > conflict, double booking, availability
see others calendar | show my calendar > calendar sharing, subscribe, caldav
calendar in other app | get events elsewhere > ical, caldav, calendar feed
poke | do not let forget > reminder, notification
coming to event | say will come > rsvp, attendee, invitation
find nothing | search finds nothing | comes up empty > no results, search, index
search inside files | find in text | words inside pdf > indexing, fulltext, ocr
misspelled search | spelled wrong | find despite typo | sloppy spelling > fuzzy search, typo tolerance, fuzzy
same word other form | plural finds > stemming, analyzer
other word same meaning | words that mean same > synonym
ignore small words | skip common words > stop words
find by meaning | similar meaning | not exact words > semantic search, embedding, vector
best hits first | most fitting first | order of hits > relevance, ranking, scoring
finish my word | complete words > autocomplete, suggestion, typeahead
narrow down | show fewer > filter, facet
new things not found | find newly added > indexing, reindex, refresh
keep a search | search again later > saved search, saved filter
mark with word | stick label | put labels > tag, label
label in label | tags under tags > nested tag, hierarchy
fill in pattern | blank form text | start from pattern | same layout every time > template
placeholder text | fill in later | text to be replaced > placeholder, variable
link no longer opens | link stopped working > broken link, expiration
brain dump | second brain > note taking, knowledge management
pages about people | own fields on page > property, metadata, frontmatter
pages as table | list pages by field > database, view, query
sheet of numbers | excel thing > spreadsheet
put notes in order | where to put notes > folder, organize, hierarchy
notes linked to nothing | red links > orphan, missing page
write with pen | by hand with pen > handwriting, stylus
read scanned paper | words in scan | scanned paper searchable > ocr, text recognition
get rid of paper | papers into computer > scanning, document management, ocr
who sent letter | sender of paper > correspondent, metadata
sign by mouse | sign on screen | sign without paper > electronic signature, esignature
week at glance | see whole week > week view, calendar view
birthdays | yearly day > anniversary, recurring event
meeting for other country | what time over there > timezone, time zone
blocked time to work | keep morning free > focus time, time blocking
work in bursts | short work then break > pomodoro, timer
today view | what is on today > agenda, today
dark look | black background | night look | easy on eyes > dark mode, theme
change looks | different colors | change the skin | make prettier > theme, appearance, customization, css
company colors | put own logo > branding, logo, white label
letters too small | bigger letters | cannot read text | enlarge text > font size, zoom, accessibility
tighter rows > density, spacing, layout
small screen | looks bad on phone | fits phone | narrow screen > responsive, mobile, breakpoint
hands on keys > keyboard navigation, keyboard shortcut
key combination | press keys | quick keys > keyboard shortcut, hotkey, keybinding
type command quickly | find any command > command palette
pull with mouse | drag things | move by mouse > draggable, reorder
pick many | mark several > multi select, bulk action, selection
right mouse | right click > context menu
oops | take back step > undo
ask before deleting | double check before > confirmation, confirm, dialog
boxes to fill | fill in | fill out | blank to fill > form, field, input
must be filled | cannot leave empty > required, validation, mandatory
wrong input | bad entry | nonsense entered > validation, error message, constraint
show only if | appears depending on > conditional, visibility
question after question | step by step form > wizard, multi step, stepper
pick from list | drop down list | pick one option > dropdown, select, radio button
pick several | tick boxes > checkbox, multi select
pick day | choose date > date picker, calendar
send in files | add file to form > upload, attachment, file input
fill by itself | fill in for me | remembered by browser > autofill, autocomplete
turn on off | little switch > toggle, switch, enable
click column top | arrange rows | put rows in order > sort, sorting, column header
columns i want | hide a column | fewer columns > column visibility, view, column
change width | make column wider > resize, column width
top row stays | header stays visible > sticky header, freeze, pinned
very many rows | long list slow | page by page > pagination, virtual scrolling, lazy loading
goes on scrolling | endless list > infinite scroll, pagination
type in cell | change right in table > inline editing, edit
color by value | red if high > conditional formatting
everything on one page | big picture page > dashboard, overview
boxes on dashboard | move boxes around > widget, panel, layout
screen on wall | tv in office > kiosk mode, dashboard, full screen
spinning wheel | nothing happens waiting | gray bars > loading, spinner, skeleton
little message appears | message in corner | small message pops up > toast, notification, snackbar
bubble with help | hint when hovering | explain on hover > tooltip, hint
red number | number on icon | dot on icon > badge, unread, counter
too many pings | bother me > mute, notification settings
quiet at night | not at night | no messages weekends > quiet hours, schedule, mute
all news once | sum up daily | mail a day > digest, summary
beep | buzz > sound, notification, alert
show first time around | guided walk | show newcomers app > onboarding, tour, walkthrough
blind people | read aloud screen | hear page > accessibility, screen reader, aria
text for picture | describe picture | words for image > alt text, accessibility
color blind | cannot tell colors | hard to tell apart > contrast, color blindness, accessibility
less movement | moving makes sick | stop moving things > reduced motion, animation
jumps wrong with tab | tab goes wrong place | where keyboard cursor is > focus, tab order
speak german | several languages | in french > language, translation, localization, locale
translate texts | put into other languages > translation, localization
writes from right | arabic layout | hebrew layout > rtl, bidirectional
comma or point | way dates look > locale, date format, number format
language missing text | text not translated > fallback, translation, untranslated
start page | first page seen > home page, landing page, default view
path at top > breadcrumb
does not look same | looks different elsewhere > compatibility, rendering, browser support
works without net | use on plane > offline, sync, cache
put on home screen | like app from web > pwa, install
quiet the phone | vibrate > notification, notification settings
pop up annoying | pops up all time > popup, notification, dialog
looks squished | text leaves its box | text cut off > overflow, truncate, layout
text too pale | hard to read text > contrast, font, accessibility
talks to screen | control by voice > voice control, speech recognition
wait until page shows | page stays white | blank page > loading, rendering
two windows beside > split view, pane
get rid of bars | only text visible > zen mode, distraction free, full screen
hide things in app | less buttons | fewer buttons > simplify, hide, layout
menu on left > sidebar, navigation
form for outsiders | strangers fill form > public form, survey
save half filled form | finish form later > draft, save progress
who filled form | answers of form > submission, response
spam through form | robots fill form > captcha, honeypot, spam
list does not fit | table too wide > horizontal scroll, responsive
copy table to excel | get rows out > export, csv
own words in app | name it differently > custom label, rename, terminology
`;
