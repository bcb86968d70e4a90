import { describe, expect, it } from 'vitest';
import { openApi } from './openapi.ts';

type Json = Record<string, unknown>;
const document = JSON.parse(JSON.stringify(openApi('https://deck.test'))) as Json;
const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Field names that the OpenAPI Specification 3.1.0, section 4.8, gives each object. */
const FIELDS = {
	root: 'openapi info jsonSchemaDialect servers paths webhooks components security tags externalDocs',
	operation:
		'tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers',
	parameter: 'name in description required deprecated allowEmptyValue style explode schema example',
	response: 'description headers content links'
};
const strangers = (value: Json, fields: string): string[] =>
	Object.keys(value).filter((name) => !fields.split(' ').includes(name));

/** Keywords of JSON Schema 2020-12 with the type that their value has. */
const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
	$ref: (value) => typeof value === 'string',
	type: (value) =>
		[value]
			.flat()
			.every((name) =>
				['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'].includes(String(name))
			),
	properties: isObject,
	required: (value) => Array.isArray(value) && new Set(value).size === value.length,
	additionalProperties: (value) => typeof value === 'boolean' || isObject(value),
	items: isObject,
	anyOf: (value) => Array.isArray(value) && value.length > 0,
	enum: (value) => Array.isArray(value) && value.length > 0,
	const: () => true,
	default: () => true,
	description: (value) => typeof value === 'string',
	pattern: (value) => typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp,
	format: (value) => typeof value === 'string',
	minimum: (value) => typeof value === 'number',
	maximum: (value) => typeof value === 'number',
	exclusiveMinimum: (value) => typeof value === 'number',
	minLength: (value) => Number.isInteger(value),
	maxLength: (value) => Number.isInteger(value)
};

/** What is wrong with a schema, each as a sentence with its place. */
function schemaFaults(schema: unknown, place: string): string[] {
	if (!isObject(schema)) return [`${place} is no schema`];
	const faults: string[] = [];
	for (const [name, value] of Object.entries(schema)) {
		const fits = KEYWORDS[name];
		if (!fits) faults.push(`${place}: unknown keyword ${name}`);
		else if (!fits(value)) faults.push(`${place}: ${name} is ${JSON.stringify(value)}`);
	}
	const { properties, items, anyOf, required, additionalProperties: more } = schema;
	if (isObject(properties)) {
		for (const [name, inner] of Object.entries(properties)) {
			faults.push(...schemaFaults(inner, `${place}.${name}`));
		}
		for (const name of (required as string[] | undefined) ?? []) {
			if (!(name in properties)) faults.push(`${place}: ${name} is required and not described`);
		}
	}
	if (items !== undefined) faults.push(...schemaFaults(items, `${place}[]`));
	if (isObject(more)) faults.push(...schemaFaults(more, `${place}.*`));
	for (const [at, inner] of ((anyOf as unknown[] | undefined) ?? []).entries()) {
		faults.push(...schemaFaults(inner, `${place}|${at}`));
	}
	return faults;
}

/** Every object of the document, for references. */
function* objects(value: unknown): Generator<Json> {
	if (Array.isArray(value)) for (const inner of value) yield* objects(inner);
	else if (isObject(value)) {
		yield value;
		for (const inner of Object.values(value)) yield* objects(inner);
	}
}

const paths = Object.entries(document['paths'] as Record<string, Record<string, Json>>);
const operations = paths.flatMap(([path, item]) =>
	Object.entries(item).map(([method, operation]) => ({
		path: `${method} ${path}`,
		method,
		operation
	}))
);
/** Descriptions of a body or an answer: media types with their schemas. */
const mediaOf = (value: unknown): Json[] =>
	Object.values((isObject(value) ? (value['content'] ?? {}) : {}) as Record<string, Json>);

describe('the description of the API', () => {
	it('has the fields that OpenAPI 3.1 asks for, and no others', () => {
		expect(document['openapi']).toMatch(/^3\.1\.\d+$/);
		expect(document['info']).toMatchObject({
			title: expect.any(String) as string,
			version: expect.any(String) as string
		});
		expect(strangers(document, FIELDS.root)).toEqual([]);
		for (const { path, method, operation } of operations) {
			expect(path).toMatch(/^\w+ \//);
			expect(['get', 'post'], path).toContain(method);
			expect(strangers(operation, FIELDS.operation), path).toEqual([]);
			for (const parameter of operation['parameters'] as Json[]) {
				expect(strangers(parameter, FIELDS.parameter), path).toEqual([]);
				expect(['query', 'path']).toContain(parameter['in']);
				if (parameter['in'] === 'path') expect(parameter['required']).toBe(true);
			}
			for (const [status, response] of Object.entries(operation['responses'] as Json)) {
				expect(status).toMatch(/^([1-5]\d\d|[1-5]XX|default)$/);
				expect(strangers(response as Json, FIELDS.response), path).toEqual([]);
				expect((response as Json)['description'], path).toEqual(expect.any(String));
			}
		}
		const ids = operations.map(({ operation }) => operation['operationId']);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('has one path for each address, whatever its places are called', () => {
		const shapes = paths.map(([path]) => path.replaceAll(/\{\w+\}/g, '{}'));
		expect(new Set(shapes).size).toBe(shapes.length);
	});

	it('holds only schemas of JSON Schema 2020-12', () => {
		const faults: string[] = [];
		for (const { path, operation } of operations) {
			for (const { name, schema } of operation['parameters'] as Json[]) {
				faults.push(...schemaFaults(schema, `${path}?${String(name)}`));
			}
			const answers = Object.values(operation['responses'] as Record<string, Json>);
			for (const { schema } of [operation['requestBody'], ...answers].flatMap(mediaOf)) {
				faults.push(...schemaFaults(schema, path));
			}
		}
		const { schemas } = document['components'] as { schemas: Json };
		for (const [name, schema] of Object.entries(schemas))
			faults.push(...schemaFaults(schema, name));
		expect(faults).toEqual([]);
	});

	it('refers only to what it holds', () => {
		for (const { $ref } of objects(document)) {
			if (typeof $ref !== 'string') continue;
			const found = $ref
				.replace(/^#\//, '')
				.split('/')
				.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), document);
			expect(found, $ref).toBeDefined();
		}
		const { securitySchemes } = document['components'] as { securitySchemes: Json };
		for (const need of document['security'] as Json[]) {
			for (const name of Object.keys(need)) expect(securitySchemes).toHaveProperty(name);
		}
	});
});
