/** Everyday expressions for work in a company: hiring, leave, pay, conduct, decisions, planning: see ../expressions.ts. */
export const COMPANY = `
job on offer | post job > job posting, vacancy, opening
talk with candidate | ask candidates > interview, screening
choose candidate | judge candidate > evaluation, scorecard, hiring decision
say no to candidate | turn candidate down > rejection, candidate
check past of candidate | ask old boss > reference check, background check
make job offer | offer job > offer letter, offer
paper for work | work agreement > employment contract, contract
new person starts | get started at work | settle in newcomer > onboarding, orientation
helper for newcomer | shows around > buddy, mentor, onboarding
first months on trial > probation, probation period
leave company | quit job | hand in notice | walk out of job > offboarding, resignation, termination, notice period
let people go | kick out employee | get fired > termination, dismissal, layoff
money when fired | pay on leaving > severance
talk when leaving | last talk with employee > exit interview, offboarding
lock out ex employee | person left still in > deprovisioning, offboarding, revoke
days off | free days | be away from work | go on holiday > vacation, leave, pto, time off
too ill to work | feel ill | stay home ill | call in ill > sick leave, absence
new child | become parent > parental leave, maternity leave, paternity leave
death in family | funeral > bereavement leave
long time away | months away | long break from work > sabbatical, unpaid leave
sick child | look after family | care for parent > caregiver leave, family leave
unused days | days left over > carry over, accrual, rollover
what people earn | how much paid | what get paid > salary, compensation, pay band
more money at work | get more pay | pay goes up > raise, salary review, promotion
day money comes | paid when | get wages > payroll, payday
extra money good work | money on top > bonus, incentive
piece of company | own part of company | shares for staff > equity, stock option, vesting
get shares slowly | earn shares over years > vesting
paid for extra hours | stay late | work longer > overtime
on top of pay | perks | extras at work | freebies > benefit, perk
see a doctor | doctor paid > health insurance, benefit
money when old | save for old age > pension, retirement plan
pay for course | go to classes > training budget, learning, professional development
money for desk | set up home desk | chair at home > home office, equipment, stipend
work from home | not in office | work anywhere | work at home > remote work, remote
work in other country | work from beach > remote work, work abroad, relocation
fewer hours | half days > part time, reduced hours
paid own pocket | get back spent money | spend own money | bought for work | laid out money > expense, reimbursement
hand in receipts | money for lunch > expense report, receipt, reimbursement
travel for work | fly to meeting | hotel for work > travel, travel policy, expense
daily money trip | food money on trip > per diem, allowance
company card | pay with company card > corporate card, expense
who signs off > approval, purchase approval, sign off
boss judges | yearly talk | how good is work > performance review, feedback, appraisal
not doing well | bad worker | weak work > performance improvement, underperformance
climb ladder | get better title > promotion, career ladder, level
what expected of me | who is responsible > role, responsibility, raci
talk with boss | weekly talk boss > feedback, check in
say what think | tell honestly | speak mind > feedback
how people feel | mood in team > engagement survey, survey
being picked on | bullied at work | creepy | unwanted remarks > harassment, conduct, reporting
treat unfairly | because of skin | unfair treatment > discrimination, equal opportunity, diversity
speak up about wrong | tell about wrongdoing | blow whistle > whistleblower, reporting
side job | work for others too > outside employment, moonlighting, conflict
gift from supplier | take presents | bribe > gift policy, bribery, gifts
keep mouth shut | not tell outsiders | company secrets > confidentiality, nda
who owns code > intellectual property, copyright, assignment
talk to press | journalist asks > media policy, spokesperson, communications
quarrel at work | cannot get along | fight in team > conflict resolution, mediation
burned out | too much work | worn out > burnout, workload, wellbeing
sit down together | talk as team > meeting
daily short talk | every morning talk > standup, daily standup
what will we talk | what talk about meeting | plan for meeting > agenda
who must come | who is there meeting > attendee, participant
fewer meetings | no meetings day | too many meetings > async, meeting policy, meeting
look back at work | what went well > retrospective, postmortem
why we chose | why did they pick | reason behind | what made us choose > rationale, decision, adr
what else was considered | other ways looked at | did not choose > alternatives, considered options
who calls shots > decision maker, approver, governance
decision replaced | changed our mind > superseded, deprecated
write up idea | suggest change | put idea forward > proposal, rfc
all must agree | agree together | fine > consensus, approval
rule everyone follows > policy, guideline
make exception for | bend rule | not follow rule > exception, waiver
who checks rules | outsiders check us > audit, compliance
everything down | blew up | site is down > incident, outage, runbook
steps when broken | recipe for failure > runbook, playbook, procedure
who gets woken | called at night | woken at night | who is up tonight | carry pager > on call, pager, rotation
turn by turn duty > rotation, schedule, on call
swap duty > override, shift, substitute
nobody answers page > escalation, escalation policy
how big outage > severity, impact, priority
who leads fix | in charge of outage > incident commander, incident lead
let users know down > status page, incident communication
why did it break | learn from outage | not happen again > postmortem, root cause, incident review
no finger pointing > blameless, postmortem
paged for nothing | alarm too often > false positive, alert fatigue, noise
building burned down | lose everything | if hit by bus > disaster recovery, business continuity, backup
hand over work | pass on knowledge | give over shift > handover, handoff
who knows about | who to ask > owner, contact, expert
how text should sound | tone of texts | write in same voice > style guide, tone
way we do things > process, workflow, handbook
what we believe | what company stands for > values, culture, mission
who reports to whom | who is boss > org chart, reporting line, hierarchy
minutes of talk | write down meeting | what was said meeting > minutes, meeting notes
what happens if choose | what choice costs us > consequences, trade off
women and men | all kinds of people | mix of people > diversity, inclusion
drink at work | drunk | drugs > substance abuse, alcohol
weapon | gun | brawl > violence, workplace safety
hurt at work | accident at work | fall down stairs > injury, workplace safety, workers compensation
break time | eat at noon | lunch time > break, meal break
clothes at work > dress code
day nobody works | bank closed day | country free day > public holiday, holiday
vote day | judge calls me | court duty > jury duty, voting leave
pay wrong | paid wrong wage | wage too low > payroll, correction
pay slip | paper with pay > payslip, payroll
new bank for pay | where pay goes > direct deposit, payroll
to talk privately > employee assistance, counseling, mental health
back after baby | back after long illness > phased return, reintegration
colleagues dating | couple at work | boss dates employee > relationship, disclosure
family hired | hire own brother > nepotism, conflict
trade shares | buy shares knowing > insider trading
tweet about work > social media
own laptop lost | laptop stolen > lost device, security incident, incident
what laptop get | which computer get > equipment, hardware
move to other city > relocation, address change
foreigner works here | work papers | allowed to work > visa, work permit, immigration
hire through agency | not real employee | freelancer > contractor
student works | summer job > internship, intern
same pay for same | women paid less > pay equity, pay gap
where on ladder | rungs of career > level, career ladder, job level
show of hands | count hands > vote, voting
who may veto | say no to proposal | block decision > veto, objection
try then decide | decide for now > experiment, proposal
decision still open > status, accepted, proposed
list of decisions | where decisions written > decision log, adr
who wrote rule | when rule changed > owner, revision history, version
break rules | caught breaking rule | punish > violation, disciplinary action, enforcement
check it works again | sure it is fixed > verification, validation
undo what broke it | take back release > rollback, revert
call supplier | provider is down > vendor, third party, escalation
practice outage | break on purpose > game day, chaos engineering
how long was down > downtime, mttr, recovery time
how much data lost | lose last hour > rpo, data loss
how often down > uptime, availability, sla
freeze before christmas | no releases now > code freeze, change freeze
ask before change | who allows change > change management, change request, approval
too few people | not enough hands | who has time > capacity, resource planning, staffing
person knows all > bus factor, single point, knowledge sharing
what we build next | what comes next | coming soon | future plans > roadmap, planning
aims for quarter | aims this year | what want to achieve > goal, okr, objective
do now or later | pick what matters > prioritization, backlog, priority
pile of ideas | list of wishes | things for someday > backlog, feature request
want new feature | wish for feature | suggest feature > feature request, proposal
more and more wishes > scope creep, scope
work in short rounds > sprint, iteration
how much get done > velocity, throughput
running late | behind plan > delay, slip, overdue
big step reached | important date project > milestone
what counts as done > acceptance criteria, done
what could go wrong | bad things may happen > risk, risk assessment
who cares about project | who must know > stakeholder
where do we stand | tell how going > status update, progress, status report
clean up later | mess in code | shortcuts taken > technical debt, refactoring
try out idea | see if possible > prototype, spike, poc
start project meeting | first meeting of project > kickoff
`;
