import { describe, expect, it } from 'vitest';
import { decodeParams, encodeParams } from './codec.ts';
import { methodExamples } from './daemon/examples.ts';
import { methodFamilies } from './daemon/families.ts';
import { daemonMethods, type DaemonMethod } from './daemon/index.ts';
import { paramFacts } from './daemon/parameters.ts';
import { parseJson, stringifyJson, type JsonValue } from './json.ts';
import type { Method } from './method.ts';
import { otherForm, paramSchema } from './paramSchema.ts';

const methods = Object.entries(daemonMethods) as unknown as [DaemonMethod, Method][];
const native = (value: JsonValue): unknown => JSON.parse(stringifyJson(value));

describe('what is known of the parameters', () => {
	it('names each parameter of a method once', () => {
		for (const [name, { params }] of methods) {
			expect(new Set(params.map((param) => param.name)).size, name).toBe(params.length);
		}
	});

	it('gives defaults that the schema itself takes', () => {
		for (const [name, { params }] of methods) {
			for (const param of params) {
				const text = paramFacts(name, param.name)?.default;
				if (text === undefined) continue;
				expect(param.optional, `${name} ${param.name}`).toBe(true);
				const { success } = paramSchema(param, name).safeParse(JSON.parse(text));
				expect(success, `${name} ${param.name}`).toBe(true);
			}
		}
	});

	it('puts every method into exactly one group', () => {
		const grouped = methodFamilies.flatMap((family) => family.methods);
		expect(grouped.toSorted()).toEqual(Object.keys(daemonMethods).toSorted());
	});

	it('holds an example of each method that may be called, which the schemas take', () => {
		for (const [name, { params, access }] of methods) {
			const example = methodExamples[name];
			expect(example !== undefined, name).toBe(access !== 'never');
			if (!example) continue;
			const wire = parseJson(example.params) as JsonValue[];
			encodeParams(name, decodeParams(name, wire));
			for (const [index, value] of wire.entries()) {
				const param = params[Math.min(index, params.length - 1)]!;
				const forms = [paramSchema(param, name), otherForm(param)];
				const fits = forms.some((form) => form?.safeParse(native(value)).success);
				expect(fits, `${name} ${param.name}`).toBe(true);
			}
		}
	});
});

describe('the schema of a parameter', () => {
	const check = (method: DaemonMethod, index: number, value: unknown): boolean => {
		const { params } = daemonMethods[method] as unknown as Method;
		return paramSchema(params[index]!, method).safeParse(value).success;
	};

	it.each([
		['tokencreate', 0, 'x'.repeat(32), 'x'.repeat(33)],
		['tokencreate', 0, 'é'.repeat(16), 'é'.repeat(17)],
		['tokencreate', 1, '1.15000000', '1.150000001'],
		['tokencreate', 1, '1000000', '1e3'],
		['tokencreate', 3, 'f7ff', 'f7f'],
		['tokeninfo', 0, 'AB'.repeat(32), 'ab'.repeat(31)],
		['tokentransfer', 1, `02${'ab'.repeat(32)}`, 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92'],
		['tokentransfer', 2, '9223372036854775807', '1.5'],
		['getblock', 1, 2, 3],
		// `MoMdepth`: notaries ask for 43,200 blocks at most.
		['calc_MoM', 1, '43200', '0'],
		['prioritisetransaction', 2, 10_000_000_000, 0.5],
		['validateaddress', 0, 'what is no address', 7],
		['importaddress', 0, `76a914${'ab'.repeat(20)}88ac`, 7],
		['getchaintxstats', 0, 0, -1],
		['getblockhash', 0, 0, -1],
		['notaries', 0, '-1', '-2'],
		['getimports', 0, '12', 'ab']
	] as const)('of %s, parameter %i, takes %j and not %j', (method, index, good, bad) => {
		expect([check(method, index, good), check(method, index, bad)]).toEqual([true, false]);
	});
});
