/** Everyday expressions for content management, websites, blogs and what is counted on them: see ../expressions.ts. */
export const PUBLISHING = `
own domain | own web name | use name we bought | from our own url > custom domain, domain, dns, cname
look at page before public | see before it goes out | show to boss before public | unfinished page for others > preview, draft, preview link
make page go live | put page out | put article out | let world see page > publish, publishing, status
go live on its own | appear at given hour | come out on monday > scheduled, schedule, publish date, published_at
take page offline | hide an article | pull an article > unpublish, archive, draft
who wrote article | name under article | writer of page > author, byline, contributor, staff
helpers who write | let others write | people who may write > author, editor, contributor, role, staff
paying readers | only paying people read | lock articles | pay to read | readers who pay > members, membership, paid, paywall, subscription, tier
price for readers | what readers pay | levels of membership > tier, plan, price
articles by mail | send article to readers | mail new post > newsletter, email, broadcast, mailgun
readers sign in | readers log in | reader account > members, portal, magic link, signin
sign up box on page | let readers sign up | collect addresses > signup, form, portal, embed
talk under article | readers discuss > comments, commenting, disqus
part of page used twice | same piece on several pages | piece used again | reuse a piece > block, component, partial, snippet, reusable, include
own kinds of content | make up own fields | extra fields for content | add field to content > content type, custom fields, collection, schema, field, model
link content with content | connect two kinds of content > relation, relationship, reference, many-to-many
list of choices for field | pick one of given > select, enumeration, dropdown, options
pictures in right size | picture too heavy | shrink pictures > image transformation, resize, responsive images, thumbnail, sizes, srcset
where pictures are kept | keep uploads somewhere else | files on amazon > storage adapter, storage, s3, assets, media library
look of site | change look of site | design of blog | different design > theme, template, layout, design, stylesheet
change what page shows | which parts page shows | file that makes page > template, layout, handlebars, helper, partial
run through all articles | list articles on page | show last five posts > loop, foreach, get helper, collection, query
next and previous | older posts link | posts split over pages > pagination, navigation
links at top of site | links in footer | menu of site > navigation, menu
article at other address | choose address shape | date in address | sort addresses > routes, routing, permalink, slug, url
old address to new | send visitors of old page | old links keep working | links from old site > redirects, redirect, 301
what google shows | text under search result | be found on google | get found > seo, meta description, metadata, sitemap, structured data
how link looks when shared | picture when shared | shared on facebook looks > open graph, social card, meta image, twitter card
not found by google | keep out of search > noindex, robots.txt, visibility, private
page in other languages | same page in french | write page twice > translation, localization, i18n, locale, multilingual
content without website | only data not pages | own frontend | content for app | fetch articles from code | get posts into my app > headless, content api, api, jamstack, rest, graphql
change content from program | write article by program | create posts by script | upload articles by code > admin api, api, create, integration
tell site to rebuild | rebuild when article changes | do something when article appears > webhook, hook, event, build hook, trigger
run something before saving | change value on save | check before saving > hook, filter hook, lifecycle, validation, middleware
own button in back office | own page in admin | add own screen | change back office > extension, panel, custom interface, admin extension, module
do without coding on event | little robot for content > flow, automation, workflow, operation, trigger
moving from wordpress | come from wordpress | bring old blog | carry posts over | bring readers over > migration, import, importer, export
whole site backup | save whole site | copy whole site > backup, export, snapshot, dump
copy setup to other server | move structure | from test to live structure > schema migration, snapshot, schema apply, environment
earlier text of article | go back to text before > revision, version, history, restore
two people editing > locking, conflict, collaborative, concurrent
whole article must be approved | boss has to agree | review before public > workflow, review, approval, stage
place banner | code on every page | paste code in head | insert script on all pages > code injection, header, footer, script, snippet
page nobody finds | page is missing message | own error page > 404, error page, error template
site is slow for readers | keep ready copy of pages > cache, caching, cdn
only for certain pages | when page is home | depending on page > context, conditional, conditional fields, template
short text of article | first lines of article > excerpt, summary, description
time to read | how long to read > reading time
big picture at top | picture of article > feature image, cover image, featured image
articles on same subject | subject of article | sort articles by subject > tag, category, taxonomy, related posts
articles in reader programs | follow blog in reader > rss, feed
show content of other site | put youtube in | paste a link and see > embed, oembed, card, bookmark
how many read | which article did best | count readers | how many people saw > analytics, pageviews, statistics, traffic, visitors
count without spying | count without consent > privacy-friendly, cookieless, analytics, tracking
put counter on my site | start counting visitors | counter code > tracking code, script, tracker, collect, embed
count a button | count clicks on button | know who pressed | counts a press > event, custom event, track, data attribute
blocked by browser addons | people with blockers | blocker hides numbers > ad blocker, proxy, first-party, custom endpoint, rename
leave my own visits out > exclude, ignore, disable tracking, filter, localstorage
several sites one account | many sites together > websites, multi-site, team
let customer see numbers | show numbers to client | numbers open to all > share url, shared dashboard, public, read-only
where they went next | steps until they buy > funnel, journey, path, goals
which advert brought | which campaign brought | come from newsletter > utm, campaign, attribution, referrer
come back the next week > retention, cohort
spent on site | money per visitor > revenue, ecommerce
numbers per plan | only numbers of paying | split numbers by > segment, breakdown, filter, property, dimension
know who visitor is | attach name to visitor | same person on two devices > identify, distinct id, user id, session, alias
numbers into own tables | raw numbers | get all numbers out > export, api, warehouse, raw data, sql
compare two periods | against month before > comparison, compare, date range
numbers since old tool | bring old numbers > import, historical data, migration
picture too big | refuses my picture | server refuses picture > upload, size, client_max_body_size, limit
appear on its own | come out by itself tomorrow > schedule, scheduled, publish
what among writers | rights of writers > role, staff, author, editor
only of one author | only articles of > filter, filtering, author
owner switch colours | options of design | change design without code > custom settings, theme settings, customization
articles under | not at the top > routing, routes, collection
which pages nobody reads > pages, top pages, pageviews, exit
counter does not count | no numbers arrive | nothing is counted > troubleshoot, installation, verify, snippet
write together one article > collaboration, multiple authors, roles
own login for readers > members, portal, signin, sso
suddenly a lot of people | suddenly many visitors | rush of visitors > spike, traffic spike, notification
how far down they read | read to the end > scroll depth
note on graph | mark day on chart > annotation
where give up before buying | leave before buying > funnel, drop-off
mail me figures | figures each monday | numbers each week > report, email report, weekly
site got new address | changed name of site | rename my site > domain, change domain
numbers from google along | history from google > import, google analytics
under our brand | in our own product > white label, embed, branding
`;
