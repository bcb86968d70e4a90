/** The OpenAPI description of the JSON API, generated from the definitions that serve it. */
import { API_DOCUMENT } from '#lib/messages/apiDocument.ts';
import { z } from 'zod';
import { MAX_ROWS, type AnyList } from '../chains/lists/list.ts';
import { lists } from '../chains/lists/lists.ts';
import {
	notaryApprovalOperations,
	type PublicOperation
} from '../cross-chain/notary-approvals/paths.ts';
import { details, type Detail } from './details.ts';

const schemaOf = (type: z.ZodType): Record<string, unknown> => {
	const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'output', unrepresentable: 'any' });
	return schema;
};

interface Parameter {
	name: string;
	in: 'query' | 'path';
	required: boolean;
	description?: string;
	schema: unknown;
}

const CHAIN: Parameter = {
	name: 'chain',
	in: 'path',
	required: true,
	description: API_DOCUMENT.chain,
	schema: { type: 'string' }
};

const FROM: Parameter = {
	name: 'from',
	in: 'query',
	required: false,
	description: API_DOCUMENT.from(MAX_ROWS),
	schema: { type: 'integer', minimum: 0, default: 0 }
};

const problem = (description: string) => ({
	description,
	content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } }
});

const REFUSALS = Object.fromEntries(
	Object.entries(API_DOCUMENT.refusals).map(([status, words]) => [status, problem(words)])
);

/** Every response has an ETag. */
const UNCHANGED = { '304': { description: API_DOCUMENT.unchanged } };

function filterParameters(list: AnyList): Parameter[] {
	const { properties = {}, required = [] } = z.toJSONSchema(list.filter, {
		io: 'input',
		unrepresentable: 'any'
	}) as { properties?: Record<string, { description?: string }>; required?: string[] };
	return Object.entries(properties).map(([name, property]) => {
		const { description, ...schema } = property;
		return {
			name,
			in: 'query',
			required: required.includes(name),
			...(description === undefined ? {} : { description }),
			schema: { type: 'string', ...schema }
		};
	});
}

function listPaths(list: AnyList): [string, unknown][] {
	const base =
		list.scope === 'chain' ? `/api/v1/chains/{chain}/${list.name}` : `/api/v1/${list.name}`;
	const place: Parameter[] = list.scope === 'chain' ? [CHAIN] : [];
	const filters = filterParameters(list);
	const sort: Parameter = {
		name: 'sort',
		in: 'query',
		required: false,
		schema: { type: 'string', enum: list.sorts, default: list.sorts[0] }
	};
	const paging: Parameter[] = [
		{
			name: 'limit',
			in: 'query',
			required: false,
			description: API_DOCUMENT.limit,
			schema: { type: 'integer', minimum: 1, maximum: MAX_ROWS, default: 100 }
		},
		{
			name: 'cursor',
			in: 'query',
			required: false,
			description: '`next` of the page that this one follows',
			schema: { type: 'string' }
		},
		{
			name: 'before',
			in: 'query',
			required: false,
			description: '`previous` of the page that this one precedes; instead of `cursor`',
			schema: { type: 'string' }
		}
	];
	const row = schemaOf(list.row);
	const rows = { type: 'array', items: row };
	const page = {
		type: 'object',
		required: ['rows', 'next', 'previous'],
		properties: {
			rows,
			next: { type: ['string', 'null'] },
			previous: { type: ['string', 'null'] }
		}
	};
	const operation = (
		id: string,
		summary: string,
		parameters: Parameter[],
		contentType: string,
		schema: unknown
	) => ({
		get: {
			operationId: id,
			summary,
			parameters: [...place, ...filters, sort, ...parameters],
			responses: {
				'200': { description: summary, content: { [contentType]: { schema } } },
				...UNCHANGED,
				...REFUSALS
			}
		}
	});
	return [
		[base, operation(list.name, list.summary, paging, 'application/json', page)],
		[
			`${base}.json`,
			operation(`${list.name}-json`, `${list.summary}: all of them`, [], 'application/json', rows)
		],
		[
			`${base}.csv`,
			operation(`${list.name}-csv`, `${list.summary}: all of them`, [], 'text/csv', {
				type: 'string'
			})
		]
	];
}

function detailPath({ name, summary, id, answer, paged }: Detail): [string, unknown] {
	const parameter: Parameter = {
		name: 'id',
		in: 'path',
		required: true,
		description: id,
		schema: { type: 'string' }
	};
	return [
		`/api/v1/chains/{chain}/${name}/{id}`,
		{
			get: {
				operationId: `one-${name}`,
				summary,
				parameters: [CHAIN, parameter, ...(paged ? [FROM] : [])],
				responses: {
					'200': {
						description: summary,
						content: { 'application/json': { schema: schemaOf(answer) } }
					},
					...UNCHANGED,
					...REFUSALS
				}
			}
		}
	];
}

/** Paths of the operations that need no account. */
function publicPaths(operations: readonly PublicOperation[]): Record<string, unknown> {
	const paths: Record<string, Record<string, unknown>> = {};
	const json = (schema: z.ZodType) => ({ 'application/json': { schema: schemaOf(schema) } });
	for (const { path, method, id, summary, parameters, body, answers } of operations) {
		(paths[path] ??= {})[method] = {
			operationId: id,
			summary,
			// No sign-in required.
			security: [{}],
			parameters: parameters.map((one) => ({
				...one,
				required: one.in === 'path',
				schema: { type: 'string' }
			})),
			...(body === undefined ? {} : { requestBody: { required: true, content: json(body) } }),
			responses: Object.fromEntries(
				Object.entries(answers).map(([status, { description, schema }]) => [
					status,
					{ description, content: json(schema) }
				])
			)
		};
	}
	return paths;
}

/**
 * Returns the OpenAPI 3.1 document.
 * @param origin KOMODECK_ORIGIN; without it the server's URL is relative to the document
 */
export function openApi(origin: string | null): unknown {
	return {
		openapi: '3.1.0',
		info: {
			title: API_DOCUMENT.title,
			version: '1.0.0',
			description: API_DOCUMENT.description
		},
		servers: [{ url: origin ?? '/' }],
		security: [{ token: [] }, { session: [] }, {}],
		paths: {
			...Object.fromEntries([...lists.flatMap(listPaths), ...details.map(detailPath)]),
			...publicPaths(notaryApprovalOperations)
		},
		components: {
			securitySchemes: {
				token: { type: 'http', scheme: 'bearer' },
				session: { type: 'apiKey', in: 'cookie', name: 'komodeck_session' }
			},
			schemas: {
				Problem: {
					type: 'object',
					required: ['error'],
					properties: {
						error: {
							type: 'object',
							required: ['code', 'message', 'requestId'],
							properties: {
								code: { type: 'string' },
								message: { type: 'string' },
								field: { type: 'string' },
								requestId: { type: 'string' }
							}
						}
					}
				}
			}
		}
	};
}
