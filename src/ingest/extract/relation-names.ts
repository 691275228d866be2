import type { EdgeType } from '../../core/graph-model.ts';

/** The names that teams use for relations between documents: keys of front matter, and headings above lists of links. */
export interface RelationNames {
  /** Types of relations by key, folded with {@link foldRelation}. */
  readonly fields: ReadonlyMap<string, EdgeType>;
  /** Types of relations by title of a heading, folded in the same way. */
  readonly headings: ReadonlyMap<string, EdgeType>;
}

/** The name in lower case without spaces, `-`, `_` and marks, so that `Depends on:`, `depends_on` and `dependsOn` are equal. */
export function foldRelation(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

const OF_DOCUMENTS: readonly (readonly [name: string, edge: EdgeType])[] = [
  ['dependson', 'depends_on'],
  ['dependencies', 'depends_on'],
  ['dependency', 'depends_on'],
  ['blockedby', 'depends_on'],
  ['parent', 'child_of'],
  ['childof', 'child_of'],
  ['partof', 'child_of'],
  ['children', 'parent_of'],
  ['parentof', 'parent_of'],
  ['related', 'references'],
  ['relatedto', 'references'],
  ['seealso', 'references'],
];

/** Only as keys of front matter: as headings these words stand above lists of other things. */
const OF_FIELDS: readonly (readonly [name: string, edge: EdgeType])[] = [
  ['receives', 'depends_on'],
  ['consumes', 'depends_on'],
  ['subscribesto', 'depends_on'],
  ['consumesapis', 'depends_on'],
  ['readsfrom', 'depends_on'],
  ['writesto', 'depends_on'],
  ['subcomponentof', 'child_of'],
  ['services', 'parent_of'],
  ['domains', 'parent_of'],
  ['subdomains', 'parent_of'],
  ['relationships', 'references'],
  ['relations', 'references'],
];

const OF_OBJECTS: readonly (readonly [name: string, edge: EdgeType])[] = [
  ['requires', 'requires'],
  ['returns', 'returns'],
  ['triggers', 'triggers'],
  ['emits', 'triggers'],
  ['publishes', 'triggers'],
  ['sends', 'triggers'],
  ['belongsto', 'belongs_to'],
  ['generates', 'generates'],
];

/** Keys whose values are the pages of teams and people, whatever document has them. */
const OF_OWNERS: readonly (readonly [name: string, edge: EdgeType])[] = [
  ['owner', 'belongs_to'],
  ['owners', 'belongs_to'],
  ['ownedby', 'belongs_to'],
];

export const BUILT_IN_RELATIONS: RelationNames = {
  fields: new Map([...OF_DOCUMENTS, ...OF_FIELDS, ...OF_OWNERS, ...OF_OBJECTS]),
  headings: new Map([...OF_DOCUMENTS, ['parents', 'child_of'], ['parentdocument', 'child_of']]),
};

/** Whether a relation holds between documents, and not between the things that documents are about. */
export function isOfDocuments(type: EdgeType): boolean {
  return !OF_OBJECTS.some(([, edge]) => edge === type);
}

/** Whether a folded key of front matter has a meaning of its own in catalogs; other pages may mean anything by it, and only their links are sure. */
export function isOfCatalog(field: string): boolean {
  return field === 'sends' || OF_FIELDS.some(([name]) => name === field);
}

/** Whether a folded key of front matter says whose something is. */
export function isOfOwner(field: string): boolean {
  return OF_OWNERS.some(([name]) => name === field);
}
