/** Checks the OpenRPC description of the RPC API against the official meta-schema and the registry. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { methodExamples } from '#lib/rpc/daemon/examples.ts';
import { daemonMethods } from '#lib/rpc/daemon/index.ts';
import { isJsonObject, parseJson, stringifyJson } from '#lib/rpc/json.ts';
import { openRpcText } from '#lib/server/rpc-proxy/openrpc/daemon.ts';
import { fixturesUnder } from '../../src/cli/fixtures.ts';
import { metaSchema, validator } from './metaSchema.ts';

interface Descriptor {
	name: string;
	required?: boolean;
	schema: object;
}
interface Described {
	name: string;
	params: Descriptor[];
	result: Descriptor;
	examples: {
		name: string;
		params: { name: string; value: unknown }[];
		result?: { value: unknown };
	}[];
	errors: { code: number; message: string }[];
	'x-access': { class: string; roles: string[] };
}
interface Document {
	openrpc: string;
	servers: { url: string }[];
	methods: Described[];
}

const { text, etag } = openRpcText('https://deck.example', ['KMD', 'BETA:notary-1']);
const document = JSON.parse(text) as Document;
const copy = (): Document => structuredClone(document);

describe('the OpenRPC document', () => {
	test('is valid against the official meta-schema', () => {
		const check = validator().compile(metaSchema);
		check(document);
		expect(check.errors ?? null).toBeNull();
	});

	test('would not be valid with a mistake in it', () => {
		const check = validator().compile(metaSchema);
		const wrong: ((broken: Document) => void)[] = [
			(broken) => (broken.openrpc = '9.9.9'),
			(broken) => Reflect.deleteProperty(broken.methods[0]!, 'params'),
			(broken) => Object.assign(broken.methods[0]!, { surprise: 1 }),
			(broken) => (broken.methods[3]!.params[0]!.schema = { type: 'strange' }),
			(broken) => (broken.methods[0]!.errors[0]!.code = 1.5),
			(broken) => (broken.servers[0]!.url = 'not an address')
		];
		for (const mistake of wrong) {
			const broken = copy();
			mistake(broken);
			expect(check(broken), String(mistake)).toBe(false);
		}
	});

	test('has every method of the registry once, with its parameters in their order', () => {
		const described = document.methods.map(({ name, params }) => [
			name,
			params.map((param) => [param.name, param.required])
		]);
		const registered = Object.entries(daemonMethods).map(([name, { params }]) => [
			name,
			params.map((param) => [param.name, !param.optional])
		]);
		const sorted = (list: unknown[][]) => list.toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1));
		expect(sorted(described)).toEqual(sorted(registered));
		expect(document.methods.some(({ name }) => name === 'rpc.discover')).toBe(false);
	});

	test('says who may call a method, and that some are called by nobody', () => {
		const access = (name: string) =>
			document.methods.find((method) => method.name === name)?.['x-access'];
		expect(access('getinfo')).toEqual({
			class: 'read',
			roles: ['viewer', 'operator', 'notary', 'admin']
		});
		expect(access('migrate_createnotaryapprovaltransaction')?.roles).toEqual(['notary', 'admin']);
		expect(access('dumpprivkey')).toEqual({ class: 'never', roles: [] });
	});

	test('has the code of the policies at every call that can change something, and nowhere else', () => {
		for (const { name, errors, 'x-access': access } of document.methods) {
			const isTold = errors.some(({ code }) => code === -32050);
			const isRead = ['read', 'wallet-query', 'notary-query', 'never'].includes(access.class);
			expect(isTold, name).toBe(!isRead);
		}
	});

	test('gives examples that its own schemas take', () => {
		const ajv = validator();
		for (const { name, params, result, examples, 'x-access': access } of document.methods) {
			expect(examples.length > 0 || access.class === 'never', name).toBe(true);
			for (const example of examples) {
				for (const { name: of, value } of example.params) {
					const { schema } = params.find((param) => param.name === of)!;
					expect(ajv.validate(schema, value), `${name} ${of}: ${ajv.errorsText()}`).toBe(true);
				}
			}
			expect(typeof result.schema, name).toBe('object');
		}
	});

	test('keeps the digits of amounts', () => {
		expect(text).toContain('"balance":1000010.06390121');
	});

	test('names numbers as numbers, not as anything', () => {
		const { result } = document.methods.find(({ name }) => name === 'calc_MoM')!;
		expect(result.schema).toMatchObject({
			properties: { height: { type: 'integer' }, MoM: { type: 'string' } }
		});
	});

	test('is made once for an address and has a mark that changes with it', () => {
		const daemons = ['KMD', 'BETA:notary-1'];
		expect(openRpcText('https://deck.example', daemons)).toBe(
			openRpcText('https://deck.example', daemons)
		);
		expect(openRpcText('https://other.example', daemons).etag).not.toBe(etag);
		expect(document.servers.map(({ url }) => url)).toEqual([
			'https://deck.example/api/rpc/KMD',
			'https://deck.example/api/rpc/BETA%3Anotary-1'
		]);
	});
});

describe('the examples of the registry', () => {
	test('are on record as they stand, wherever they have an answer', () => {
		const recorded = new Set<string>();
		for (const { text } of fixturesUnder(join(import.meta.dirname, 'fixtures'))) {
			const { method, response_text: answer } = JSON.parse(text) as {
				method?: string;
				response_text?: string;
			};
			try {
				const envelope = parseJson(answer ?? '');
				if (!isJsonObject(envelope)) continue;
				recorded.add(`${method} ${stringifyJson(envelope['result'])}`);
			} catch {
				// Responses that are not JSON: a full work queue, or plain text for a command line.
				continue;
			}
		}
		const invented = Object.entries(methodExamples)
			.filter(([name, { result }]) => result !== undefined && !recorded.has(`${name} ${result}`))
			.map(([name]) => name);
		expect(invented).toEqual([]);
	});
});
