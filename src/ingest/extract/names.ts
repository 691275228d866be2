/**
 * What can be the name of a domain object or concept, and what only looks like one. Most words that docs set in bold,
 * in code or as a heading are furniture (Note, Example, Parameters, field names). A node made of such a word is a defect.
 */

import type { NodeKey } from '../../core/graph-model.ts';
import { conceptKey } from '../../core/identity.ts';
import { foldSpace } from '../../text/fold-space.ts';
import { Memo } from './memo.ts';

const MAX_NAME_LENGTH = 60;
const MAX_NAME_WORDS = 5;

/** Words that head a section, label a paragraph or name a part of a request, in folded form. They never become a node. */
const FURNITURE: ReadonlySet<string> = new Set(
  `note warning tip info information important caution danger example sampleresponse samplerequest description overview
  introduction intro background context summary abstract motivation detail more seealso seebelow nextstep relatedlink
  furtherreading reading learnmore parameter param argument arg option optional required default
  request response requestbody responsebody body header query queryparameter pathparameter queryparam pathparam pathvariable
  path method url uri route value type name id title field property attribute usage install installation
  setup prerequisite requirement quickstart gettingstarted gettingstartedguide howto howitwork result output input success failure
  statuscode errorcode returnvalue returntype return relationship relation endpoint object list array
  string number boolean integer float bool true false null none undefined empty any all only yes no nocontent ok json xml html
  css http https api apis restapi sdk cli readme index home homepage faq reference documentation doc
  tbd new deprecated changelog change added removed fixed versionhistory releasenote
  license licence contributing contribution acknowledgement credit thank about support
  limitation knownissue troubleshooting debugging tableofcontent toc syntax format signature declaration
  consequence alternative rationale pro con conclusion appendix before after above below see then this that it he she we you i they
  there here which what when where why how who curl bash shell get post put patch delete head
  jsonparam jsonbody formparam urlparam urlparameter querystringparam jsonformparam responsestructure responseshape requiredscope
  examplerequest exampleresponse responseexample requestexample exampleusage basicusage advancedusage constraint
  errorresponse errortype responsefield requestfield requestbodyfield responsebodyfield bodyfield bestpractice commonerror commonissue implementationnote pleasenote headsup anyway attention remark hint
  nb ps etc eg ie vs eventname eventtype whatsnext miscellaneous misc other general various goal nongoal decision
  and or not but nor contactus clickhere readmore letusknow
  iwant sothat inorderto done beware welcome must mustnot shall shallnot should shouldnot may maynot recommended notrecommended`.split(
    /\s+/,
  ),
);

/** Words that name a thing in some docs and anything in most. They become a node only if the text says that it is an object. */
const VAGUE: ReadonlySet<string> = new Set(
  `key status content structure schema definition purpose scope proposal design configuration setting environment command
  server client app application system project team product feature platform service component module package library
  tool file folder directory line section page item thing entry record data instance element member group set
  enum model entity datatype constant flag event webhookevent payload bearer token history version release document
  guide tutorial resource link code error bug issue problem solution question answer feedback author contact test
  testing demo column row step migration environmentvariable first second third last next previous go node python javascript
  typescript java ruby php implementation ui user data time date text label image action operation function callback
  abstract synopsis simplesummary copyright specification technicalspecification referenceimplementation securityconsideration
  backwardcompatibility backwardscompatibility forwardcompatibility forwardscompatibility testcase testplan usecase userstory drawback
  openquestion unresolvedquestion futurework futurepossibility priorart statusquo detaileddesign rationaleandalternative
  guidelevelexplanation referencelevelexplanation implementationplan implementationhistory designdetail graduationcriteria
  cause fix symptom resolution workaround remedy acceptancecriteria decisiondriver decisionoutcome consideredoption consideration detaileddescription impact meaning mitigation`.split(
    /\s+/,
  ),
);

/** First words of headings that are instructions: the heading is no name, but its object may be one. */
const VERBS: ReadonlySet<string> = new Set(
  `abort accept access acknowledge activate add adjust allow analyze apply approve archive ask assign attach authenticate authorize
  avoid ban batch begin block book boost browse build bulk bypass calculate call cancel capture change charge check choose clear
  click clone close collect combine compare complete compute configure confirm connect consume contribute convert copy create
  customize deactivate debug decline define delete deploy deprecate describe destroy detach detect develop disable discard disconnect
  discover dismiss display do download draft drop edit embed emit enable end endorse ensure enter estimate evaluate exchange
  execute expand expire explore export extend fetch fill filter finalize find finish fix follow fork format forward
  generate get give grant group handle hide highlight identify ignore import include increase index initialize initiate insert inspect
  install integrate introduce invalidate invite invoke issue join keep kick launch learn leave let limit link list load
  locate lock log login lookup make manage mark measure merge migrate modify monitor mount move mute navigate notify obtain
  open optimize order organize override overwrite parse patch pause pay perform pick pin poll post prepare preview print
  process promote provide prune publish pull purge push put query quit read receive reclaim record recover redeem redirect refresh
  refund register reject release reload remove rename render reopen reorder repair replace reply report reposition request reset resolve respond
  restart restore restrict resume retrieve retry return reverse review revoke rotate run save schedule search secure see select send
  serve set setup share show sign simulate skip snooze sort specify start stop store stream submit subscribe suspend switch
  sync synchronize tag take terminate test toggle track transfer translate trash trigger troubleshoot try turn unarchive unban unblock undo
  unfollow uninstall unlink unlock unmute unpin unpublish unsubscribe update upgrade upload upsert use using validate verify
  view visit void vote wait watch work write`.split(/\s+/),
);

/** Words before a name that say which or how many, and are no part of it. */
const QUALIFIERS: ReadonlySet<string> = new Set(
  `a an the this that these those each every any all some no another other its their his her your our my one two
  new newly existing updated modified created deleted given specified specific current currently certain paginated single
  multiple several many various possible full partial partially complete entire whole following corresponding requested
  resulting associated related matching same first last next previous default parent active available attached
  individual optional relevant respective list array collection set page number batch map of objects json raw
  successful failed pending completed open closed final initial inner nested top-level valid invalid appropriate
  either both zero more or least most up to representation json-formatted`.split(/\s+/),
);

/** Nouns behind a name that say what kind of thing it is. */
export const OBJECT_NOUN = /^(?:objects?|resources?|entit(?:y|ies)|models?|schemas?|structures?|records?)$/i;

const keys = new Memo(conceptKey);
const names = new Memo(readsAsName);

/** The key of a thing with this name. Names repeat within documents and between them, so each is folded once. */
export function conceptKeyOf(label: string): NodeKey {
  return keys.get(label);
}

/** The canonical form of a name: equal for all spellings of one name. */
export function foldName(label: string): string {
  return keys.get(label).slice('concept:'.length);
}

/** Whether `text` can be the name of a thing: a short noun phrase that is not furniture. */
export function isName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH * 2 && names.get(text);
}

/** Whether `text` is a short noun phrase, even if it is furniture. That is enough if a link or a folder says that it names an object. */
export function isNounPhrase(text: string): boolean {
  const name = foldSpace(text);
  if (name.length < 2 || name.length > MAX_NAME_LENGTH) return false;
  if (!/^[\p{L}][\p{L}\p{N}\s._'’&+#:/-]*$/u.test(name) || /[.:/]\s|[.:/_-]$/.test(name)) return false;
  if (/\s(?:an?|the|of|to|for|in|and|or|with|by|from|is|are|was|were|&|\+)$/i.test(name)) return false;
  return name.split(' ').length <= MAX_NAME_WORDS && foldName(name).length > 1;
}

/** The status of a response, which is no thing: `HTTP 406`, `Status code 2xx`. */
const STATUS_OF_RESPONSE = /^(?:HTTP|status)(?:\s+(?:status|code))*\s+[1-5](?:\d\d|xx)\b/i;

function readsAsName(text: string): boolean {
  return isNounPhrase(text) && !STATUS_OF_RESPONSE.test(text) && !FURNITURE.has(foldName(foldSpace(text)));
}

/** Whether a name is clear by itself, so that bold type or a heading is enough to make it a node. */
export function isTelling(text: string): boolean {
  return isName(text) && !isQualifier(text) && !VAGUE.has(foldName(text));
}

/** Whether a word at the start of a heading makes it an instruction. */
export function isVerb(word: string): boolean {
  return VERBS.has(word.toLowerCase());
}

/** Whether a word only says which or how many. */
export function isQualifier(word: string): boolean {
  return QUALIFIERS.has(word.toLowerCase());
}

/** A name without qualifiers before it and the kind behind it: `a new Charge object` becomes `Charge`. */
export function bareName(text: string): string {
  return bareNames.get(text);
}

const bareNames = new Memo(cutName);

function cutName(text: string): string {
  const words = foldSpace(text).split(' ');
  while (words.length > 1 && isQualifier(words[0] ?? '')) words.shift();
  let isModel = false;
  for (
    let last = words.at(-1) ?? '';
    words.length > 1 && isKindOf(last, isModel);
    last = words.at(-1) ?? ''
  ) {
    isModel = /^models?$/i.test(last);
    words.pop();
  }
  return words.join(' ').replace(/['’]s$/, '');
}

/** Whether a word behind a name says what kind of thing it is: `Charge object`, `Charge data model`. */
function isKindOf(word: string, beforeModel: boolean): boolean {
  return OBJECT_NOUN.test(word) || (beforeModel && /^data$/i.test(word));
}

/** Whether a name is written like one: `Charge`, `PaymentMethod`, `Space Lua`, but not `charge`. */
export function isCapitalised(name: string): boolean {
  return /^\p{Lu}[\p{L}\p{N}]*\p{Ll}|^\p{Lu}{2,}/u.test(name);
}
