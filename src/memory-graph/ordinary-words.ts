/**
 * English words that are names in some docs and that any text may use, folded as `foldConcept` does. If the docs have a concept `Mobile` or
 * `Private`, a memory that merely contains the word "private" is not about it.
 */
const ORDINARY: ReadonlySet<string> = new Set(
  `ability above absence abstract accept access accessory accident according account acquire across act action active activity actor actual
  add addition additional address adjust admin administrator admission advance advantage advice affair age agency agenda agent agreement
  aid aim air alarm alert all allow alternative amount analysi analysis anchor angle announcement annual answer anyone appeal appearance
  application apply appointment approach approval archive area argument arm array art article asset assignment assist assistance assistant
  attachment attempt attention attribute audience audit author authority auto automatic available average award aware awake away
  back background bag balance ball ban band bank banner bar base basic basis batch battle beginning behavior behaviour being benefit best
  better big bill binary bit black block blog blue board body bonus book boost border boss bot bottom boundary box branch brand break bridge
  brief broad browser budget buffer bug build building bulk bundle burst bus business button buyer bypass
  cache calendar call campaign cancel candidate capability capacity capital capture car card care cart case cash cast catalog catalogue
  category cause cell center central centre certificate chain chair challenge chance change channel chapter character charge chart chat check
  checkbox checkout child choice circle city claim clarity class classic clean clear click client clip clock clone close cloud club cluster
  coach code collection color colour column combination command comment commerce commission commit committee common communication community
  company comparison compatibility competition complete completion complex compliance component compose computer concept concern condition
  conference confidence config configuration confirm conflict connect connection consent consequence consistency constant constraint consumer
  contact container content contest context contract contribution control convention conversation copy core corner correct cost count counter
  country couple coupon course court cover coverage create creation creator credential credit crew cross crowd culture current cursor custom
  customer cut cycle
  daily damage dark dash dashboard database date day deadline deal debate debt debug decision deep default defect defense definition degree
  delay delete deletion delivery demand demo department dependency deploy deployment depth description design desk destination detail
  detection developer development device diagram dialog dictionary difference difficulty digit digital direct direction directory discount
  discovery discussion disk display dispute distance distribution division document documentation domain door double doubt download
  downgrade draft drag draw dream drive driver drop due duplicate durable duration duty
  early earth ease economy edge edit edition editor education effect efficiency effort element email embed emergency emoji employee employer
  empty enable end energy engine engineer engineering enterprise entity entrance entry environment equal equipment equity error escape
  estimate evaluation evening event evidence example exception exchange excuse executive exercise exit expansion expectation expense
  experience experiment expert expiration explanation export expression extension external extra eye
  face facility fact factor failure fair faith fall family fan fast fault favor favorite fear feature fee feed feedback feel field fight
  figure file fill filter final finance find fine finger finish fire first fit fix fixed flag flat flexible flight floor flow focus folder
  follow food footer force forecast form formal format forum forward foundation frame framework free freedom frequency fresh friend front
  full function fund funding future
  gain game gap garden gas gate gateway general generation gift glass global glossary goal gold good grade grand grant graph great green
  grid ground group grouping growth guarantee guard guest guide guideline guild
  habit half hall hand handle handler happiness hard hardware harm hash head header heading health heart heat height help hero hidden high
  hint hire history hit hold hole holiday home hook hope horizon host hotel hour house human
  icon idea ideal identify identity image impact implementation import importance impression improvement incident include income increase
  index individual industry influence info information initial initiative inline input insight instance instant instruction insurance
  integration integrity intent interaction interest interface internal internet interview introduction inventory investment invitation invite
  invocation issue item
  job join joint journal journey judge judgment jump junior justice
  key keyboard kick kind kitchen knowledge
  label lack land language large last late latency launch law lawyer layer layout lead leader leadership leaf league learning leave left
  legal lesson letter level liability library licence license life lifecycle lifetime lift light like limit limitation line link list
  listing live liveness living load loan local location lock log logic login long look loop loss lot love low loyalty luck
  machine magic mail main maintenance major make manage management manager manner manual map march margin mark market marketing master match
  material math matter maximum meal mean meaning measure media medicine medium meeting member membership memory mention menu merchant merge
  mess message metal method metric middle migration mind minimum minor minute mirror miss missing mission mistake mix mobile mode model
  modern modification module moment money monitor month monthly mood morning motion mount mouse mouth move movement movie multiple music mute
  name nation native natural nature navigation near need negative network networking neutral new news next night node noise normal note
  notebook notice notification notion number
  object objective observation occasion offer office officer official offline offset old one ongoing online onboarding open opening operation
  operator opinion opportunity option orange order ordinary organization origin original outcome outline outlook output outside overflow
  overlay overview overwrite own owner
  pace pack package page pain paint pair pan panel paper paragraph parallel parameter parent park part participant partner party pass passage
  passion password past patch path patience patient pattern pause pay payload payment payout peace peak peer people percent percentage
  perfect performance period permanent permission person personal personality perspective phase phone photo phrase physical piece pin ping
  pipe pipeline place plan plane planning plant plate platform play player plug plugin point policy poll pool poor pop popular population
  port position positive post potential pound power practice preference premium presence present presentation preset press pressure
  preview price pricing pride primary principal principle print prior priority privacy private prize problem procedure process product
  production profession professional profile profit program programmable programming progress project promise promotion proof property
  proposal protection provider public publish purchase purpose push
  quality quantity quarter query question queue quick quiet quirk quota quote
  race radio range rank rate rating ratio raw reach react reaction reader reading readonly ready real reality reason receipt reception recipe
  recognition recommendation reconnect record recording recovery red reduction reference reflection refund regard region register
  registration regular relation relationship release relief remote removal remove rent repair repeat replacement reply report repository
  representative reputation request requirement research reservation reserve reset resolution resolve resource respect respond response
  responsibility rest restart restriction result resume retail retry return revenue reverse review revision reward rich ride right ring
  risk river road role roll room root rotation round route routine row rule run runtime rush
  safe safety salary sale sample sandbox satisfaction save scale scan scene schedule schema scheme school science scope score screen script
  scroll search season seat second secret section sector secure security segment select selection selector sense sentence separator
  sequence series server service session set setting setup shadow shape share sheet shelf shell shift shipment shipping shop short shortcut
  shot show side sign signal signature significance silence similar simple simplicity single site situation size skill skip sky sleep slice
  slide slot small smart smile snapshot social society soft software solution song sort sound soundboard source space speaker speaking special
  speech speed spell split sponsor sport spot spread spring square stable stack staff stage standard star start state statement station
  statistic status stay step sticker stock stop storage store story strategy stream street strength stress strike string structure struggle
  student studio study stuff style subject submission success suggestion summary summer super supplier supply support sure surface surprise
  survey suspend switch symbol sync system
  tab table tag tale talent talk target task tax team technology temporary term test testing text theme theory thing thought thread threat
  thumbnail ticket time timeline timeout timestamp tip title today token tone tool top topic total touch tour tower town track trade trader
  tradition traffic trail training transaction transfer transition translation transport trash travel treasure treatment tree trend trial
  trick trigger trip trouble truck true trust truth try turn tutorial type
  understanding undo union unique unit universe unknown update upgrade upload usage use user utility
  vacation validation value variable variant variation variety vendor verification version victory video view virtual vision visit visitor
  voice volume vote
  wait walk wall wallet war warning warn watch wave way weakness wealth weather web website week weekly weight welcome whole wide widget width
  will win wind window wing winner winter wire wish wizard word work worker workflow working workshop world worth wrap write writer writing
  year yellow yesterday yield young zero zone`.split(/\s+/),
);

/** Those of these words that say nothing about the thing that they name: however strongly the docs declare it, the bare word does not mean it. */
const EMPTY: ReadonlySet<string> = new Set(
  `action all answer attribute base basic basis being body case change code common content context count
  current custom data date day default detail edit element end entity entry error example field first
  form format full general group idea info information input instance key kind last level like line list
  log look make match matter method mode model module move name need new next note number object one open
  option output own part path payload people place point position present process public question range
  reason record reference related relation request response result return right run set setting side
  single start state status step system target term test text thing time title total turn type unit
  update use value version view way week will word work year`.split(/\s+/),
);

export function isOrdinary(folded: string): boolean {
  return ORDINARY.has(folded) || EMPTY.has(folded);
}

export function isEmptyWord(folded: string): boolean {
  return EMPTY.has(folded);
}
