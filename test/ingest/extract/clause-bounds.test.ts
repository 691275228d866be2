/** Clauses within a sentence: what a verb says of some, and whose verb it is where another clause lies between it and a name. */
import t from 'tap';
import { assembleText } from '../assembled.ts';

const NAMES = ['Account', 'Beacon', 'Crate', 'Ledger', 'Permit', 'Receipt', 'Roster', 'Shelf', 'Tray'];

/** What a sentence states between things of the domain. */
function stated(sentence: string): string[] {
  const pages = NAMES.map((name) => `- **${name}** — a thing of the domain`);
  return assembleText(`## Core objects\n\n${pages.join('\n')}\n\n## Rules\n\n${sentence}\n`).edges();
}

t.test('what tells which ones are meant does not hold of all', async (t) => {
  t.same(stated('Crates that require a Permit are kept on the top row.'), []);
  t.same(stated('Use this form for any Crate that requires a Permit.'), []);
  t.same(stated('For Crates which depend on a Beacon, the clerk is called.'), []);
  t.same(stated('Crates that require permits, ledgers go in last.'), []);
  t.same(stated('For Crate orders that require permits, ledgers are called.'), []);
  t.same(stated('Orders that require permits are late.'), []);
  t.same(stated('Keep crates requiring a permit apart.'), []);
  // What is added behind a comma, and what such a thing needs by itself, holds of all.
  t.same(stated('A Crate, which requires a Permit, is closed.'), ['Crate -requires-> Permit']);
  t.same(stated('A Crate requires a Permit that needs a Ledger.'), ['Crate -requires-> Permit']);
  t.same(stated('A Crate is a box that requires a Permit.'), ['Crate -requires-> Permit']);
});

t.test('what "that" stands for is the word before it, and no name further away', async (t) => {
  t.same(stated('In the Roster, a label shows the person that created the Crate.'), []);
  t.same(stated('In the Roster, a label shows the entity that created the Crate.'), []);
  t.same(stated('The Roster, an old thing, names the person who generated a Receipt.'), []);
  t.same(stated('The Account that created the Crate is named.'), ['Account -generates-> Crate']);
});

t.test('what stands behind a conjunction is the subject, be it no name', async (t) => {
  t.same(stated('One hint the Roster gives you when the blue label is part of the Shelf is its colour.'), []);
  t.same(stated('The Roster stays open because a clerk owns several Crates.'), []);
  t.same(stated('The Roster stays open because a Shelf owns several Crates.'), ['Crate -belongs_to-> Shelf']);
});

t.test('a verb within a sentence is not written with a capital', async (t) => {
  t.same(stated('See the relations between Shelves, Trays, and Trigger receipts in a graph.'), []);
  t.same(stated('It shows how Crates, Trays and Issue receipts are drawn.'), []);
});

t.test('what goes on while something is made does not make it', async (t) => {
  t.same(stated('Create a Crate in the Shelf when creating a Receipt.'), ['Crate -belongs_to-> Shelf']);
  t.same(stated('Because a Crate contains a Tray, it is used when creating Receipts.'), []);
});

t.test('kinds of a thing are not the thing that is called a kind', async (t) => {
  const kinds =
    '- **Kind** — a thing of the domain\n- **Crate** — a thing of the domain\n- **Tray** — a thing of the domain';
  const edges = (sentence: string) =>
    assembleText(`## Core objects\n\n${kinds}\n\n## Rules\n\n${sentence}\n`).edges();
  t.same(edges('A crate requires many kinds of work.'), []);
  t.same(edges('A crate requires two kinds of trays.'), ['Crate -requires-> Tray']);
  t.same(edges('A crate requires a kind.'), ['Crate -requires-> Kind']);
});

t.test('a name before another noun is not what the verb speaks of', async (t) => {
  t.same(stated('Crate applications can be scoped to a Shelf.'), []);
  t.same(stated('The Roster delivery pattern requires a Beacon.'), []);
  t.same(stated('A Roster service requires a Beacon.'), ['Roster -requires-> Beacon']);
  t.same(stated('A Crate also requires a Beacon.'), ['Crate -requires-> Beacon']);
  t.same(stated('A Crate billed twice requires a Beacon.'), ['Crate -requires-> Beacon']);
});

t.test('behind "each time" and the like, the name behind the comma begins what happens then', async (t) => {
  for (const when of ['Every time', 'Each time', 'Any time'])
    t.same(
      stated(`${when} the Account creates a Receipt, the Ledger generates a Roster.`),
      ['Account -generates-> Receipt', 'Ledger -generates-> Roster'],
      when,
    );
});
