/** Checks the OpenRPC description of trading node methods against the official meta-schema and the registry. */
import { expect, test } from 'vitest';
import { kdfDefinition, kdfMethods, type KdfMethod } from '#lib/rpc/kdf/index.ts';
import { kdfOpenRpcText } from '#lib/server/rpc-proxy/openrpc/kdf.ts';
import { metaSchema, validator } from './metaSchema.ts';

interface Described {
	name: string;
	params: { name: string; required: boolean; schema: object }[];
	examples: { params: { name: string; value: unknown }[] }[];
	errors: { code: number; message: string }[];
	'x-access': { class: string; roles: string[] };
}

const document = JSON.parse(kdfOpenRpcText('https://deck.example', ['trading-node'])) as {
	servers: { url: string }[];
	methods: Described[];
};
const described = (name: string): Described =>
	document.methods.find((method) => method.name === name)!;

test('it is valid, has every method once, and names the RPC API', () => {
	const check = validator().compile(metaSchema);
	check(document);
	expect(check.errors ?? null).toBeNull();
	expect(document.methods.map(({ name }) => name)).toEqual(Object.keys(kdfMethods));
	expect(document.servers[0]?.url).toBe('https://deck.example/api/rpc/trading-node');
});

test('every example fits the schemas of its parameters and gives those that are required', () => {
	const ajv = validator();
	let examples = 0;
	for (const { name, params, examples: all } of document.methods) {
		for (const { params: given } of all) {
			examples += 1;
			for (const { name: param, value } of given) {
				const { schema } = params.find((one) => one.name === param)!;
				expect(ajv.validate(schema, value), `${name} ${param}: ${ajv.errorsText()}`).toBe(true);
			}
			const names = given.map((one) => one.name);
			for (const param of params.filter(({ required }) => required)) {
				expect(names, name).toContain(param.name);
			}
		}
	}
	const callable = (Object.keys(kdfMethods) as KdfMethod[]).filter(
		(key) => kdfDefinition(key).access !== 'never'
	);
	expect(examples).toBe(callable.length);
});

test('it says who may call a method and how it fails', () => {
	expect(described('sign_message')['x-access']).toEqual({
		class: 'sign',
		roles: ['operator', 'admin']
	});
	expect(described('show_priv_key')['x-access']).toEqual({ class: 'never', roles: [] });
	expect(described('task::enable_bch::cancel').errors).toContainEqual({
		code: 404,
		message: 'NoSuchTask'
	});
	expect(described('task::enable_bch::status').errors).toContainEqual({
		code: 400,
		message: 'NoSuchTask'
	});
	expect(described('electrum').errors).toEqual([{ code: 500, message: 'a text in "error"' }]);
});
