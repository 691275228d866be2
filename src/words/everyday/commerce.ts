/** Everyday expressions for payments, subscriptions, accounts and shops: see ../expressions.ts. */
export const COMMERCE = `
give money back | get money back | return money | hand money back | pay back customer | send money back > refund, reimbursement
give part back | money partly back | pay back some > partial refund, refund
bank takes money back | customer contests charge | go to bank complain | claim not bought | pull payment back | reverse charge bank > chargeback, dispute
charge card | pull money | collect money | take customer money | receive money > payment, charge, checkout
put hold on card | reserve money card | hold amount | block amount card > authorization, capture, hold
take held money | grab reserved money > capture
card turned down | card refused | card does not work | bank says no | card rejected > decline, payment failure
card no longer good | card run out | old card number | card too old > expired card, payment method
swap card | change credit card | other credit card | new credit card > payment method, billing
keep card on file | remember card | store card number | save card > payment method, tokenization, vault
pay with phone | tap to pay > apple pay, google pay, wallet, contactless
pay from bank account | money from bank account | pay by bank > direct debit, bank transfer, ach, sepa
pay in pieces | pay bit by bit | pay in parts | pay over months > installment, payment plan
pay later | buy now pay > invoice, installment, deferred payment
pay ahead | pay up front | pay beforehand > prepaid, deposit, prepayment
down payment | pay something first > deposit
pay for usage | pay as go | pay what use | pay by amount used | charge by use > usage based, metered billing, metering
pay per head | pay per person | price per user | cost per person > seat, per seat, license
how much costs | what does cost > pricing, plan, fee
cut of sale | take a cut | skim off | keep a percentage > commission, application fee, fee
cost per sale | what bank takes > transaction fee, processing fee
get money to bank | money arrive bank | when money arrive | pay seller out | send sellers money > payout, settlement
share money between sellers | divide payment | pay several people > split payment, transfer, payout
money still owed | owe money | not paid yet | has not paid | owe us > outstanding, overdue, receivable, balance
chase payment | nag to pay | pester to pay | remind to pay > dunning, payment reminder, overdue
try card again | charge again later > retry, dunning
pay too much | paid too much > overpayment, credit, refund
pay too little | paid not enough > underpayment, partial payment
charged twice | paid twice | double charge | same payment twice > duplicate charge, idempotency, refund
charged by mistake | wrong amount charged | wrongly billed > billing error, refund, credit note
send bill | write bill | ask for payment > invoice, invoicing
bill number | number on bill > invoice number, numbering
correct a bill | fix wrong bill | take back invoice | cancel a bill > credit note, void, invoice
tear up invoice > void, cancel
money never comes | give up on debt | never going to pay > write off, bad debt, uncollectible
proof paid | paper showing paid | slip for payment > receipt
where to send bill | who gets bill > billing address, billing contact
days to pay | time to pay | when must pay > payment terms, due date
money left over | how much money left | money in account > balance
money for later purchase | shop owes customer | money kept for customer > store credit, credit balance
gift voucher | give as present | buy as present > gift card, gift
every month bill | charge every month | monthly payment | pay each month > subscription, recurring, billing cycle
pay yearly | once a year bill | pay by year > annual plan, billing interval, annual
charge goes on automatically | renew by itself | keeps renewing > auto renewal, renewal
stop paying | stop charging | end membership | quit plan > cancel, cancellation, subscription
take break from subscription | freeze subscription > pause, suspend
move to bigger plan | better plan | higher plan > upgrade, plan change
move to cheaper plan | smaller plan | lower plan > downgrade, plan change
change plan halfway | switch mid month | part of month | charge for half month > proration, prorate
customers who leave | losing customers | people stop paying > churn, retention, cancellation
win customers back | lure back > win back, reactivation, retention
keep customers | make people stay > retention, loyalty
money coming every month | regular income > mrr, recurring revenue
try before buy | use free first | test for free | try for free | free for a while > trial, free trial
free period over | free time run out > trial end, trial expiration
few extra days | leeway after due > grace period
free forever | free version | not paying users > free tier, free plan
first time price | cheap at first | cheaper start > introductory price, promotional
money off | cheaper price | knock off price | lower price | reduced price > discount, coupon, promotion
code for discount | code at checkout | enter code cheaper > coupon, promo code, voucher
buy many cheaper | cheaper in bulk > volume discount, tiered pricing, quantity
second one free | special offer > promotion, offer, discount
bring a friend | recommend to friend | refer friend | tell friends > referral, invite
reward loyal | collect points | earn points > loyalty program, points, reward
sell together | sold as set | pack of products > bundle
price levels | cheaper after certain amount | price steps > tiered pricing, tier
price by country | different price abroad | other country price > price list, currency, regional pricing
government share | what state takes | money for state > tax, vat
tax not included | before tax > net, tax exclusive
tax included | after tax > gross, tax inclusive
free of tax | no tax customer > tax exempt, exemption
tax number | company tax id > vat number, tax id
tax who pays eu | buyer pays tax > reverse charge, vat
turn into euros | other money | pay in dollars | foreign money > currency, conversion, exchange rate
round cents | penny off | cents do not add > rounding, precision
keep the books > accounting, ledger, bookkeeping
books do not match | compare with bank | match bank lines | numbers do not agree | tick off payments > reconciliation, reconcile
close month | end of month books | finish the year > closing, fiscal year, accounting period
money in and out | where money goes > cash flow, ledger, transaction
both sides of entry | debit and credit > double entry, journal entry
list of accounts | which accounts in books > ledger, accounts
when income counts | earned later | count income later > revenue recognition, deferred revenue
lose worth | wears out over years | worth less each year > depreciation
what we spend | money going out > expense, spending, cost
plan spending | set money aside | how much may spend > budget
stop overspending | spend too much | surprise bill | bill shock > spending limit, budget alert, cost
what makes money | how much we earn | money coming in > revenue, income, profit
profit or loss | making money > profit, margin, income statement
stolen card | fake buyer | crook | scam order | swindle | con artist > fraud, risk
catch crooks | spot fake orders | weed out scammers > fraud detection, risk, fraud prevention
check who customer is | prove identity | show passport | id papers > identity verification, kyc
bank extra step | confirm at bank | code from bank > 3d secure, sca
safe card handling | keep card data safe | store card data safely > pci, pci dss, compliance
fake card number | pretend card | try without real money | play money > test card, test mode, sandbox
pay at delivery | pay when arrives | pay to postman > cod, delivery
thank seller | give extra money | tip jar | give money to creator > tip, donation
give to charity | give for free money | money gift > donation
text on bank statement | name on card bill > statement descriptor
several companies books | add up companies > consolidation
guess what we owe | bill not here yet > accrual, accrued expense
yearly check of books | checks books > audit, auditor
put in basket | add to bag > cart
left in basket | did not finish buying | leave without buying | forgotten basket | walk away from basket > abandoned cart, cart recovery
finish buying | pay page | last step of buying > checkout
buy without account | no account buying | buy as guest > guest checkout
till in shop | sell at counter | brick and mortar | counter sale > pos, register
shop window | page of shop | shop front > storefront
sizes and colors | same shirt different size > variant, option, attribute
product code | number of product | item number > sku, barcode
scan product | read bars on product > barcode, scanner, qr code
download after buying | sell files | sell ebooks > digital product, download, license key
put on shelf | offer for sale > product, listing, catalog
take off shelf | stop selling | pull from shop > unpublish, discontinue, archive
all things we sell | range of goods > catalog, product
kinds of products | shop sections | group products > category, collection
people also bought | suggest other items > recommendation, related product, cross sell
talk into more | sell extra > upsell, cross sell
wish to have | save for later buying > wishlist
stars from buyers | what buyers think | rate product > review, rating
sold out | out of items | none left | run out of goods | no more left > inventory, stockout
sell more than have | sold too many | sell twice same item > overselling, inventory, reservation
nearly empty shelf | almost sold out > low stock, reorder point, threshold
order before available | buy before release | order ahead > preorder
order when sold out | wait for more goods | order not in stock > backorder
buy more goods | fill shelves | get new goods in > restock, replenishment, purchase order
count goods | count shelf | check stock by hand > stocktake, inventory count, cycle count
where goods kept | several storehouses > warehouse, location
things broken in storage | goods lost | goods stolen > shrinkage, stock adjustment, write off
send goods | send package | mail out | post parcel | parcel > shipping, shipment, fulfillment
pack and send | get order out | handle orders > fulfillment, packing, shipment
where is package | where is my order | follow parcel | see where parcel > tracking, tracking number, shipment
parcel never arrived | package missing | lost in mail > lost shipment, delivery, claim
arrived broken | came damaged | broken in transit > damaged, return, claim
cost of sending | what sending costs | postage > shipping rate, shipping cost
several parcels | part of order sent > partial fulfillment, split shipment
sent by supplier | never touch goods > dropshipping
pick up at shop | fetch at shop | collect in person > local pickup, pickup
countries we send | send abroad > shipping zone, international shipping
border papers | stuck at border | border fees > customs, duties
sticker for parcel | paper on parcel > shipping label, label
send goods back | bring back goods | changed mind purchase > return, exchange, rma
swap goods | get another size > exchange, return
how long can return | time to bring back > return window, return policy
fixed for free | broken after purchase | repair for free > warranty, guarantee
put back on shelf | returned goods back > restock, return
change order after | edit placed order > order editing, modify order
state of order | how far order > order status
sell on other sites | several shops | sell in many places > sales channel, marketplace, multichannel
shop for companies | sell to companies | sell to shops > wholesale
ask for price | price on request > quote, quotation, estimate
people need help | ask for help > support, help desk, contact
customer asks | customer question | customer problem > ticket, support, inquiry
angry customer | customer unhappy | upset customer | grumble > complaint, escalation
`;
