import { encodeName } from '../../core/names.ts';
import { foldSpace } from '../../text/fold-space.ts';
import { withCommas } from '../../text/with-commas.ts';
import {
  type Api,
  isObject,
  type Json,
  type JsonObject,
  listIn,
  lookUp,
  objectIn,
  schemaName,
  textIn,
} from './openapi-parse.ts';

/** A document about an operation or a schema. */
export interface ApiDocument {
  /** The names on the way to the file. The last one is its own. */
  readonly path: readonly string[];
  /** The content, as markdown. */
  readonly text: string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
/** How many operations and schemas are shown at most, together. */
const MAX_DOCUMENTS = 20_000;
const MAX_DESCRIPTION = 20_000;

/**
 * The documents of an API: an operation is at `operations/v1/charges/POST.md`, a schema at `schemas/Charge.md`, and `README.md` lists both.
 * @param onLeftOut is told if there are more than can be shown
 */
export function documentsOf(api: Api, onLeftOut: (message: string) => void): ApiDocument[] {
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    operationsAt(api, path, lookUp(api, item)),
  );
  const schemas = Object.entries(api.schemas).map(([name, schema]) =>
    schemaDocument(api, name, lookUp(api, schema)),
  );
  const all = [...operations, ...schemas];
  const shown = all.slice(0, MAX_DOCUMENTS);
  if (all.length > shown.length) {
    const [count, most] = [all.length, MAX_DOCUMENTS].map((number) => withCommas(number));
    onLeftOut(`it describes ${count} operations and schemas, of which the first ${most} are shown`);
  }
  return [overview(api, shown), ...shown];
}

function operationsAt(api: Api, path: string, item: JsonObject): ApiDocument[] {
  return METHODS.filter((method) => isObject(item[method])).map((method) =>
    operationDocument(
      api,
      { method: method.toUpperCase(), path, shared: listIn(item['parameters']) },
      lookUp(api, item[method]),
    ),
  );
}

interface Place {
  readonly method: string;
  readonly path: string;
  /** Parameters that all operations of the path have. */
  readonly shared: readonly Json[];
}

function operationDocument(api: Api, { method, path, shared }: Place, operation: JsonObject): ApiDocument {
  const endpoint = `${method} ${path}`;
  const summary = foldSpace(textIn(operation['summary']));
  const parameters = [...shared, ...listIn(operation['parameters'])].map((one) => lookUp(api, one));
  const id = foldSpace(textIn(operation['operationId']));
  const about = [
    summary === '' ? '' : `${ended(summary)}`,
    prose(operation['description']),
    operation['deprecated'] === true ? 'This operation is deprecated.' : '',
    id === '' ? '' : `Operation \`${code(id)}\`.`,
  ];
  const parts = [
    `---\ntitle: ${JSON.stringify(foldSpace(endpoint))}\nopenapi: ${JSON.stringify(foldSpace(endpoint))}\n---`,
    `# ${foldSpace(endpoint)}`,
    `\`${code(endpoint)}\``,
    ...about,
    ...requestParts(api, endpoint, parameters, operation),
    ...responseParts(api, endpoint, objectIn(operation['responses'])),
  ];
  const folders = path
    .split('/')
    .filter((name) => name !== '')
    .map(encodeName);
  return { path: ['operations', ...folders, `${method}.md`], text: joined(parts) };
}

function requestParts(
  api: Api,
  endpoint: string,
  parameters: readonly JsonObject[],
  operation: JsonObject,
): string[] {
  // In Swagger 2 the body is one of the parameters.
  const inBody = parameters.find((parameter) => parameter['in'] === 'body');
  const body = lookUp(api, operation['requestBody']);
  const schema = inBody?.['schema'] ?? contentSchema(body);
  const name = schemaName(api, schema);
  const lines = parameters.filter((parameter) => parameter !== inBody).map(parameterLine);
  return [
    ...(lines.length === 0 ? [] : ['## Parameters', lines.join('\n')]),
    ...(schema === undefined
      ? []
      : [
          '## Request body',
          name === '' ? '' : `\`${code(endpoint)}\` requires a **${bold(name)}**.`,
          prose(body['description'] ?? inBody?.['description']),
          name === '' ? propertyLines(api, lookUp(api, schema)).join('\n') : '',
        ]),
  ];
}

function parameterLine(parameter: JsonObject): string {
  const name = code(textIn(parameter['name']));
  const where = textIn(parameter['in']);
  const required = parameter['required'] === true ? ', required' : '';
  const description = foldSpace(textIn(parameter['description']));
  return `- \`${name}\` (${where}${required})${description === '' ? '' : `: ${description}`}`;
}

function responseParts(api: Api, endpoint: string, responses: JsonObject): string[] {
  const codes = Object.entries(responses);
  if (codes.length === 0) return [];
  const lines = codes.map(([status, value]) => {
    const response = lookUp(api, value);
    const name = schemaName(api, response['schema'] ?? contentSchema(response));
    const description = foldSpace(textIn(response['description']));
    return `- \`${code(status)}\`${name === '' ? '' : ` \`${code(name)}\``}${description === '' ? '' : `: ${description}`}`;
  });
  const good = codes.find(([status]) => /^(?:2|default)/.test(status))?.[1];
  const response = lookUp(api, good);
  const schema = response['schema'] ?? contentSchema(response);
  const name = schemaName(api, schema);
  const isList = lookUp(api, schema)['type'] === 'array';
  const returns =
    name === '' ? '' : `\`${code(endpoint)}\` returns ${isList ? 'a list of' : 'a'} **${bold(name)}**.`;
  return ['## Responses', returns, lines.join('\n')];
}

function schemaDocument(api: Api, name: string, schema: JsonObject): ApiDocument {
  const lines = propertyLines(api, schema);
  const values = listIn(schema['enum']).map((value) => `- \`${code(String(value))}\``);
  const parts = [
    `# ${foldSpace(name)}`,
    prose(schema['description']),
    ...(lines.length === 0 ? [] : [`## The \`${code(name)}\` object`, lines.join('\n')]),
    ...(values.length === 0 ? [] : ['## Values', values.join('\n')]),
  ];
  return { path: ['schemas', `${encodeName(name)}.md`], text: joined(parts) };
}

function propertyLines(api: Api, schema: JsonObject): string[] {
  const parts = [schema, ...listIn(schema['allOf']).map((part) => lookUp(api, part))];
  const required = new Set(parts.flatMap((part) => listIn(part['required']).map(String)));
  return parts
    .flatMap((part) => Object.entries(objectIn(part['properties'])))
    .map(([name, value]) => {
      const type = schemaName(api, value) || textIn(lookUp(api, value)['type']);
      const description = foldSpace(textIn(lookUp(api, value)['description']));
      const marks = [type === '' ? '' : `\`${code(type)}\``, required.has(name) ? 'required' : ''].filter(
        (mark) => mark !== '',
      );
      return `- \`${code(name)}\`${marks.length === 0 ? '' : ` (${marks.join(', ')})`}${description === '' ? '' : `: ${description}`}`;
    });
}

function overview({ title, description }: Api, documents: readonly ApiDocument[]): ApiDocument {
  const lines = documents.map(({ path, text }) => {
    const name = /^# (.*)$/m.exec(text)?.[1] ?? path.join('/');
    return `- [${name.replaceAll(/[[\]]/g, '')}](${path.map(encodeURIComponent).join('/')})`;
  });
  return {
    path: ['README.md'],
    text: joined([`# ${foldSpace(title)}`, prose(description), lines.join('\n')]),
  };
}

/** The schema of the first media type that has one. */
function contentSchema(holder: JsonObject): Json | undefined {
  return Object.values(objectIn(holder['content']))
    .map((media) => objectIn(media)['schema'])
    .find((schema) => schema !== undefined);
}

function prose(value: Json | undefined): string {
  return textIn(value).replaceAll('\r\n', '\n').slice(0, MAX_DESCRIPTION);
}

function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The text as a code span. */
function code(text: string): string {
  return foldSpace(text).replaceAll('`', "'");
}

/** The text in bold. */
function bold(text: string): string {
  return foldSpace(text).replaceAll('*', '');
}

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
