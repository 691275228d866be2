/**
 * Three small sets of documents in the styles of real teams, to hold the rules to more than the docs that they were
 * tried on: a REST reference with tables of methods and curl, a repository of microservices with decision records, and
 * markdown generated from OpenAPI.
 */
import t from 'tap';
import { assemble } from '../assembled.ts';

const REST_REFERENCE = {
  'messages.md': `# Messages

The Message resource represents an SMS that your account sent or received.

## The Message object

| Attribute | Type | Description |
|---|---|---|
| \`sid\` | string | Identifier of the message |
| \`account\` | [Account](accounts.md#the-account-object) | The account that sent it |

## Endpoints

| Method | Path | Description |
|--------|------|-------------|
| POST | \`/2010-04-01/Accounts/{AccountSid}/Messages.json\` | Sends a message |
| GET | \`/2010-04-01/Accounts/{AccountSid}/Messages.json\` | Returns a list of [Message](#the-message-object) objects |
| GET / HEAD | \`/2010-04-01/Accounts/{AccountSid}/Messages/{Sid}.json\` | Returns one Message |

## Send a Message

\`POST https://api.relay.example/2010-04-01/Accounts/{AccountSid}/Messages.json\`

Sends a message. Requires a **Sender**. Returns the created Message object with status \`queued\`.
Does not require a **Template**.

\`\`\`bash
curl -X POST https://api.relay.example/2010-04-01/Accounts/AC123/Messages.json \\
  -u "AC123:$TOKEN" \\
  --data-urlencode "To=+4915112345678"
\`\`\`

When the carrier accepts it, \`message.delivered\` is sent to your webhook. If it bounces, \`message.undelivered\` is triggered.

## Delete a Message

\`\`\`
DELETE /2010-04-01/Accounts/{AccountSid}/Messages/{Sid}.json
\`\`\`

Deleting a Message does not emit an event.
`,
  'accounts.md': `---
title: Accounts
---

## The Account object

An Account owns messages and senders. Each **Sender** belongs to an **Account**.

- **Sender** — a phone number or short code that messages come from
- **Template** — a text that was approved beforehand

## Retrieve an account

GET /2010-04-01/Accounts/{AccountSid}.json

Read the \`process.env.RELAY_TOKEN\` variable, never \`config.yaml\`. Our host is \`api.relay.example\`.
`,
  'webhooks.md': `# Webhook events

| Event | Sent when |
|---|---|
| \`message.delivered\` | A Message reached the handset |
| \`message.undelivered\` | The carrier refused a Message |
| \`account.suspended\` | An Account ran out of credit |

The payload holds \`data.object\` and \`data.previous_attributes\`.
`,
};

t.test('a REST reference with tables of methods, curl and a table of events', async (t) => {
  const { nodes, edges } = assemble(REST_REFERENCE);
  t.same(nodes('Endpoint'), [
    'DELETE /2010-04-01/Accounts/{AccountSid}/Messages/{Sid}.json',
    'GET /2010-04-01/Accounts/{AccountSid}.json',
    'GET /2010-04-01/Accounts/{AccountSid}/Messages.json',
    'GET /2010-04-01/Accounts/{AccountSid}/Messages/{Sid}.json',
    'HEAD /2010-04-01/Accounts/{AccountSid}/Messages/{Sid}.json',
    'POST /2010-04-01/Accounts/{AccountSid}/Messages.json',
  ]);
  t.same(nodes('Event'), ['account.suspended', 'message.delivered', 'message.undelivered']);
  t.same(nodes('APIObject'), ['Account', 'Message', 'Sender']);
  t.same(nodes('Concept'), ['Template']);
  t.same(edges(), [
    'Account -triggers-> account.suspended',
    'GET /2010-04-01/Accounts/{AccountSid}.json -returns-> Account',
    'GET /2010-04-01/Accounts/{AccountSid}/Messages.json -returns-> Message',
    'GET /2010-04-01/Accounts/{AccountSid}/Messages/{Sid}.json -returns-> Message',
    'Message -belongs_to-> Account',
    'Message -triggers-> message.delivered',
    'Message -triggers-> message.undelivered',
    'POST /2010-04-01/Accounts/{AccountSid}/Messages.json -requires-> Sender',
    'POST /2010-04-01/Accounts/{AccountSid}/Messages.json -returns-> Message',
    'Sender -belongs_to-> Account',
  ]);
  t.ok(edges('references').includes('Message -references-> Account'), 'the type of a field is a reference');
  t.ok(edges('contains').includes('Messages -contains-> Message'));
});

const MICROSERVICES = {
  'README.md': `[![build](https://ci.example/badge.svg)](https://ci.example)

# Parcel platform

Parcels move between depots. See [the decision](docs/adr/0003-use-kafka.md) and [shipping](services/shipping-service.md).

## Services

| Service | Responsibility |
|---|---|
| order-service | accepts orders and publishes \`OrderPlaced\` |
| shipping-service | plans tours; depends on order-service |
| billing-service | writes invoices |

## Domain model

- **Order** — what a customer wants to have
- **Shipment** — a parcel on its way; a Shipment belongs to an Order
- **Tour** — a sequence of shipments that one driver delivers

## Events

- \`OrderPlaced\` — emitted by the order-service once an order is accepted
- \`parcels.shipment.dispatched.v1\`: a shipment left the depot

Run \`make up\`, then open \`localhost:8080\`. Settings live in \`application.yml\`.
`,
  'services/shipping-service.md': `# shipping-service

The **shipping-service** consumes \`OrderPlaced\` events and creates a **Shipment** for each order.

## API

\`GET /shipments/{id}\` returns a Shipment. \`POST /shipments\` creates a Shipment under the Order.

## Emits

The service emits the following events:

- \`parcels.shipment.dispatched.v1\`
- \`parcels.shipment.delivered.v1\`

## Dependencies

- Requires **PostgreSQL** and **Kafka**

\`\`\`java
// GET /internal/debug is only for tests
restTemplate.getForObject("/not/an/endpoint", String.class);
\`\`\`
`,
  'docs/adr/0003-use-kafka.md': `---
status: accepted
---

# 3. Use Kafka for events

## Context

Services called each other by HTTP. A slow \`billing.internal.example\` stopped everything.

## Decision

Every service publishes its events to Kafka. A **Tour** consists of Shipments.

## Consequences

An event that nobody reads costs nothing. See [[shipping-service|the shipping service]].
`,
};

t.test('a repository of microservices with decision records', async (t) => {
  const { nodes, edges } = assemble(MICROSERVICES);
  t.same(nodes('Endpoint'), ['GET /shipments/{id}', 'POST /shipments']);
  t.same(nodes('Event'), ['OrderPlaced', 'parcels.shipment.delivered.v1', 'parcels.shipment.dispatched.v1']);
  t.same(nodes('Concept'), ['Parcel platform', 'billing-service', 'order-service', 'shipping-service']);
  t.same(nodes('APIObject'), ['Kafka', 'Order', 'PostgreSQL', 'Shipment', 'Tour']);
  t.same(edges(), [
    'GET /shipments/{id} -returns-> Shipment',
    'Order -triggers-> OrderPlaced',
    'Shipment -belongs_to-> Order',
    'Shipment -belongs_to-> Tour',
    'Shipment -triggers-> parcels.shipment.delivered.v1',
    'Shipment -triggers-> parcels.shipment.dispatched.v1',
    'order-service -triggers-> OrderPlaced',
    'shipping-service -generates-> Shipment',
    'shipping-service -requires-> Kafka',
    'shipping-service -requires-> PostgreSQL',
    'shipping-service -requires-> order-service',
    'shipping-service -triggers-> parcels.shipment.delivered.v1',
    'shipping-service -triggers-> parcels.shipment.dispatched.v1',
  ]);
  const references = edges('references');
  t.ok(references.includes('Parcel platform -references-> Use Kafka for events'));
  t.ok(references.includes('Use Kafka for events -references-> shipping-service'));
});

const GENERATED = {
  'PetsApi.md': `# PetsApi

| Method | HTTP request | Description |
|------------- | ------------- | -------------|
| [**addPet**](PetsApi.md#addPet) | **POST** /pets | Add a pet |
| [**getPetById**](PetsApi.md#getPetById) | **GET** /pets/{petId} | Find a pet |

<a id="addPet"></a>
## POST /pets

> Pet addPet(pet)

### Parameters

| Name | Type | Description |
|---|---|---|
| **pet** | [**Pet**](Pet.md) | the pet to add |

### Return type

[**Pet**](Pet.md)

## GET /pets/{petId}

Finds a pet.

### Responses

|Status|Meaning|Description|Schema|
|---|---|---|---|
|200|[OK](https://www.rfc-editor.org/rfc/rfc9110)|successful operation|[Pet](#schemapet)|
|404|Not Found|none|[Problem](#schemaproblem)|

# Schemas

## Pet

<a id="schemapet"></a>

|Name|Type|Required|Description|
|---|---|---|---|
|id|integer(int64)|true|none|
|owner|[Owner](#schemaowner)|false|who feeds it|

## Owner

An owner feeds pets.

## Problem
`,
};

t.test('markdown generated from OpenAPI', async (t) => {
  const { nodes, edges } = assemble(GENERATED);
  t.same(nodes('Endpoint'), ['GET /pets/{petId}', 'POST /pets']);
  t.same(nodes('APIObject'), ['Owner', 'Pet', 'Problem']);
  t.same(nodes('Event'), []);
  t.same(edges(), ['GET /pets/{petId} -returns-> Pet', 'POST /pets -returns-> Pet']);
  t.ok(edges('references').includes('Pet -references-> Owner'));
});
