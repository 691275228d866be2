/** Everyday expressions for shops, payments and bills as programs handle them: see ../expressions.ts. */
export const STOREFRONTS = `
things people want to buy | stuff in basket | what is in basket | put something in bag > cart, checkout, line item, basket
hold goods for buyer | keep goods for buyer | not sold to two people | set stock aside > reservation, allocation, stock, inventory, reserve
goods in several places | goods at two sites | nearest storehouse | which storehouse > warehouse, stock location, allocation, fulfillment, multi-warehouse
shop in several countries | sell in other country | other prices per country | same shop other country > channel, region, market, currency, multi-region, localization
price for certain customers | special price for company | cheaper for some people > price list, customer group, catalog, contract pricing
price changes for weekend | sale next week > promotion, sale, scheduled, discount, voucher
buy three pay two | free thing with order | present with order > promotion, gift, discount rule, buy x get y
only once per customer | code used too often | code works only once > usage limit, voucher, coupon, single use
tax worked out elsewhere | tax by other company | tax by address > tax provider, tax calculation, avalara, tax app
own way of paying | pay with other company | add way to pay | own payment company > payment gateway, payment provider, payment app, payment method
paid but no order | money taken no order | order not made after paying | paid and basket stayed > checkout complete, webhook, transaction, payment intent, order
half now rest later | pay rest later | pay some now > deposit, partial payment, transaction, installment
charge only when sent | take money at shipping | take money later > capture, authorization, manual capture, delayed capture
order sent in two | send part first | rest of order later > fulfillment, partial fulfillment, split, shipment
change a sent order | take item off order | add item to order > order editing, edit order, draft order, amend
order made by staff | order by phone | make order for customer > draft order, admin order, manual order
order with no login | buy as stranger | shop without login > guest, anonymous, checkout
goods that are files | nothing to ship | goods you can not ship > digital, downloadable, virtual product
colour and size | kinds of same item | same thing in blue > variant, attribute, option, product type
own facts on product | extra info on product | store own data on order > metadata, custom attribute, metafield, custom field
find goods by color | narrow the goods | goods in price range > filter, facet, attribute, search
many goods at once | load all goods | change many prices | goods from file > bulk, import, csv, batch, bulk mutation
goods picture | pictures of goods | turn the picture of goods > media, image, thumbnail, gallery
own shop face | own shop website | build own shop look | shop in my app > storefront, headless, storefront api, theme, sdk
let partner plug in | add to back office | outside program in shop | connect a bookkeeping > app, integration, plugin, extension, webhook
know when order comes | told about new order | order came in > webhook, event, order created, subscription
too many calls to shop | calls too heavy | asks too much in one > rate limit, query cost, complexity, pagination
staff who only pack | helper may only see orders > permission, permission group, role, staff
charge for what they used | count what they use | count each call of customer > metering, usage event, billable metric, event, usage-based
sum of use over month | highest use counts | count different users used > aggregation, billable metric, sum, max, unique count
first thousand free | cheaper the more | price drops with amount | steps of price > graduated, volume, tier, package, charge model
pay up front for use | buy points beforehand | load money on account | credit bought ahead | fill up credit > wallet, prepaid credits, top-up
least they must pay | at least pay | floor on the bill > minimum commitment, minimum, commitment
fee once | set up fee > one-off, add-on, setup fee, one-time
bill in the middle | change of plan in month | pay only for days > proration, pro-rated, upgrade, plan change
bill at start or end | bill before month | bill after month | when bill is made > billing in advance, in arrears, billing period, calendar billing, anniversary
look over bill first | time to fix bill | hold bill before sending > draft invoice, grace period, finalize
bill with several people | mother company pays > billing entity, parent, consolidated invoice, payer
own look of bill | text at bottom of bill > invoice customization, invoice template, footer, branding
free days at start | try some days > trial, trial period
customer sees own bills | let customer change card | page for customer bills > customer portal, self-service, billing portal
bill did not get paid | card fails again | card bounces > dunning, payment failure, retry, overdue, past due
block who does not pay | turn off who did not pay > suspend, past due, dunning, access, entitlement
what plan allows | features in plan | what customer has bought > entitlement, feature, plan, privilege
bill to bookkeeping program | send bills to accountant > accounting integration, netsuite, xero, quickbooks, export
test with fake money | pretend to buy | play with payments | pretend customer > sandbox, test mode, test card
move test clock | see what happens next month | jump in time > test clock, time travel, simulation
buyer proves card | bank asks buyer > 3d secure, authentication, sca
pay again without asking | charge while away | take money each month by itself > off-session, saved payment method, recurring, mandate
seller must show papers | seller sign up | check the sellers > onboarding, kyc, connected account, verification
keep some of payment > application fee, platform fee, commission, connect
buyer says was not me | bank takes it back | fight lost money | answer the bank > dispute, chargeback, evidence
pressed pay twice | sent the payment twice | run twice by accident > idempotency, idempotency key, duplicate
price with and without | with tax and without > gross, net, tax
who bought what | what customer bought before > order history, orders, customer
bill for two things | several plans at once > subscription items, add-on, multiple subscriptions
stop selling to some | not for this country > availability, channel, restriction, region
`;
