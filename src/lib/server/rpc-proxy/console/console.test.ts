import { describe, expect, it } from 'vitest';
import { addressOfPubkey, decodeAddress } from '#lib/chain/address.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { ccAddress, TOKENS_GLOBAL_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { p2pkh } from '#lib/chain/script.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import { consoleFormMessages } from '#lib/messages/errors/console.ts';
import { methodExamples } from '#lib/rpc/daemon/examples.ts';
import { daemonMethods, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { parseJson, stringifyJson } from '#lib/rpc/json.ts';
import type { Role } from '../../access/identity/roles.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import { readAnswer } from './call.ts';
import { callable, catalogueFor, fieldsOf } from './catalogue.ts';
import { confirmationOf, notATransaction, typedAgain } from './confirm.ts';
import { curlOf } from './curl.ts';
import { readForm, typedFrom, WRITTEN, type FormErrors } from './form.ts';

const TXID = 'ab'.repeat(32);
const read = (method: DaemonMethod, typed: Record<string, string>) =>
	readForm(method, 'fields', typed);
const daemon = { id: 'ALPHA', dialect: 'komodod', pubkey: null } as DaemonInfo;

describe('the fields of a method', () => {
	it('become the JSON text of the parameters, digit for digit', () => {
		expect(read('tokencreate', { 'p.name': ' A B ', 'p.supply': ' 1.15 ' })).toEqual({
			params: ['" A B "', '"1.15"']
		});
		expect(read('getblock', { 'p.hashOrHeight': '1', 'p.verbosity': '2' })).toEqual({
			params: ['"1"', '2']
		});
		expect(
			read('createrawtransaction', {
				'p.inputs': '[]',
				'p.outputs': '{"R": 200000000.00000001}'
			})
		).toEqual({ params: ['[]', '{"R": 200000000.00000001}'] });
		expect(
			read('sendrawtransaction', { 'p.hexstring': ' 00\r\nff ', 'p.allowhighfees': '' })
		).toEqual({ params: ['"00ff"'] });
	});

	it('leave trailing empty ones out and fill a gap by what the daemon takes', () => {
		expect(read('getbalance', { 'p.includeWatchonly': 'true' })).toEqual({
			params: ['""', '1', 'true']
		});
		expect(read('getbalance', {})).toEqual({ params: [] });
		expect(read('tokencreate', { 'p.name': 'n', 'p.supply': '1', 'p.data': 'f7ff' })).toEqual({
			params: ['"n"', '"1"', '""', '"f7ff"']
		});
		expect(
			read('createrawtransaction', { 'p.inputs': '[]', 'p.outputs': '{}', 'p.expiryheight': '9' })
		).toEqual({ params: ['[]', '{}', '0', '9'] });
		expect(read('getaddednodeinfo', { 'p.node': '1.2.3.4' })).toEqual({
			errors: { 'p.dns': { code: 'console.required', params: {} } }
		});
		expect(
			read('signrawtransaction', { 'p.hexstring': '00', 'p.sighashtype': 'ALL' })
		).toMatchObject({ errors: { 'p.privatekeys': { code: 'console.gap' } } });
	});

	it('take the last parameter as often as it is given', () => {
		const typed = { 'p.burntx': '00', 'p.payouts': '00', 'p.notaryTxid': `${TXID}\r\n${TXID}\r\n` };
		expect(read('migrate_createimporttransaction', typed)).toEqual({
			params: ['"00"', '"00"', `"${TXID}"`, `"${TXID}"`]
		});
		expect(
			read('migrate_createimporttransaction', { ...typed, 'p.notaryTxid': 'abc' })
		).toMatchObject({ errors: { 'p.notaryTxid': { params: { code: 'hash' } } } });
	});

	it.each([
		['tokeninfo', { 'p.tokenid': 'ab' }, 'p.tokenid', /64 hex digits/],
		['tokencreate', { 'p.name': 'é'.repeat(17), 'p.supply': '1' }, 'p.name', /32 bytes/],
		['tokencreate', { 'p.name': 'n', 'p.supply': '1e3' }, 'p.supply', /8 decimals/],
		['tokencreate', { 'p.name': 'n', 'p.supply': '-1' }, 'p.supply', /8 decimals/],
		['getblockhash', { 'p.height': '1.5' }, 'p.height', /whole number/],
		['getblockhash', { 'p.height': '9'.repeat(20) }, 'p.height', /whole number/],
		['getspentinfo', { 'p.output': '{txid' }, 'p.output', /not valid JSON/],
		['getrawmempool', { 'p.verbose': 'yes' }, 'p.verbose', /true or false/],
		[
			'tokentransfer',
			{ 'p.tokenid': TXID, 'p.destpubkey': 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', 'p.amount': '1' },
			'p.destpubkey',
			/public key/
		]
	] as const)('of %s refuse %j at the field', (method, typed, field, sentence) => {
		const { errors } = read(method, typed as Record<string, string>) as { errors: FormErrors };
		expect(Object.keys(errors)).toEqual([field]);
		expect(consoleFormMessages(errors)[field]).toMatch(sentence);
	});

	it('name every mistake at once', () => {
		const { errors } = read('tokentransfer', { 'p.amount': 'x' }) as { errors: object };
		expect(Object.keys(errors)).toEqual(['p.tokenid', 'p.destpubkey', 'p.amount']);
	});

	it('can be filled with every example and give it back', () => {
		for (const [name, example] of Object.entries(methodExamples)) {
			const method = name as DaemonMethod;
			const typed = typedFrom(method, example.params);
			expect(typed, name).not.toBeNull();
			const form = readForm(method, 'fields', typed!);
			// Whether numbers are quoted, and spaces, make no difference here.
			const words = (text: string): string =>
				stringifyJson(parseJson(text))
					.replaceAll(/"(-?[\d.]+)"/g, '$1')
					.replaceAll(' ', '');
			expect('params' in form && words(`[${form.params.join(',')}]`), name).toBe(
				words(example.params)
			);
		}
	});
});

describe('what a page is given back', () => {
	const WIF = `U${'r'.repeat(51)}`;
	it('has no secret, in a field of its own or within parameters that are written', () => {
		for (const [method, typed] of [
			['signrawtransaction', { [WRITTEN]: `["00", [], ["${WIF}"]]` }],
			['signrawtransaction', { [WRITTEN]: `["00", [], ["${WIF}"` }],
			['signrawtransaction', { 'p.privatekeys': `["${WIF}"]` }],
			['kvupdate', { [WRITTEN]: '["k", "v", "1", "canary"]' }],
			['kvupdate', { 'p.passphrase': 'canary' }]
		] as const) {
			expect(typedAgain(method, typed), JSON.stringify(typed)).toEqual({});
		}
	});

	it('has everything else that was typed', () => {
		for (const [method, typed] of [
			['signrawtransaction', { [WRITTEN]: '["00", [], [], "ALL"]' }],
			['signrawtransaction', { [WRITTEN]: '["00", ' }],
			['kvupdate', { [WRITTEN]: '["k", "v", "1", ""]' }],
			['getblock', { [WRITTEN]: '["1"', 'p.verbosity': '2' }]
		] as const) {
			expect(typedAgain(method, typed), JSON.stringify(typed)).toEqual(typed);
		}
	});
});

describe('an earlier call', () => {
	it('with null for a parameter is filled in as it was written: a field would send the text "null"', () => {
		expect(typedFrom('sendtoaddress', '["R9", 1, null]')).toBeNull();
		expect(typedFrom('getbalance', '[null, 1]')).toBeNull();
		expect(typedFrom('signrawtransaction', '["00", null]')).toEqual({
			'p.hexstring': '00',
			'p.prevtxs': 'null'
		});
	});
});

describe('parameters as they are written', () => {
	it.each([
		['', []],
		['[]', []],
		[' [ 1.50 , "a" , {"b":[1]} ] ', ['1.50', '"a"', '{"b":[1]}']],
		['["zz", null]', ['"zz"', 'null']]
	])('%j are forwarded as they are', (text, params) => {
		expect(readForm('tokeninfo', WRITTEN, { [WRITTEN]: text })).toEqual({ params });
	});

	it.each(['{}', '"a"', '[1,', '[01]', 'null', `${'['.repeat(70)}${']'.repeat(70)}`])(
		'%j are refused at the field',
		(text) => {
			const form = readForm('tokeninfo', WRITTEN, { [WRITTEN]: text });
			expect(form).toEqual({
				errors: { [WRITTEN]: { code: expect.stringMatching(/^console\./) as string, params: {} } }
			});
		}
	);
});

describe('the catalogue', () => {
	it('shows a role what it may call and nothing else', () => {
		const names = (role: Role): string[] =>
			catalogueFor(role).flatMap(({ methods }) => methods.map(({ name }) => name));
		expect(names('viewer')).toContain('getinfo');
		expect(names('viewer')).not.toContain('sendrawtransaction');
		expect(names('operator')).not.toContain('migrate_createnotaryapprovaltransaction');
		expect(names('notary')).toContain('migrate_createnotaryapprovaltransaction');
		const callableByAdmin = Object.values(daemonMethods).filter(({ access }) => access !== 'never');
		expect(names('admin')).toHaveLength(callableByAdmin.length);
		expect(names('admin')).not.toContain('dumpprivkey');
		for (const name of ['dumpprivkey', 'toString', '__proto__', 'nosuch']) {
			expect(callable('admin', name)).toBeNull();
		}
	});

	it('finds methods by name, by words of the summary and by parameter', () => {
		const found = (query: string): string[] =>
			catalogueFor('admin', query).flatMap(({ methods }) => methods.map(({ name }) => name));
		expect(found('TOKENCREATE')).toEqual(['tokencreate']);
		expect(found('burn another chain')).toContain('migrate_createburntransaction');
		expect(found('txoutproof')).toContain('migrate_createnotaryapprovaltransaction');
		expect(found('no such thing')).toEqual([]);
	});

	it('offers every parameter a field with words', () => {
		for (const name of Object.keys(daemonMethods) as DaemonMethod[]) {
			for (const field of fieldsOf(name)) {
				expect(field.description, `${name} ${field.name}`).not.toBe('');
				expect(field.type, `${name} ${field.name}`).not.toBe('');
			}
		}
	});
});

describe('an answer', () => {
	it('is a tree whose numbers have the daemon’s digits', () => {
		const { tree } = readAnswer(
			'getinfo',
			'{"result":{"balance":200000000.00000001,"list":[1e-7,null,true]},"error":null,"id":1}'
		);
		expect(tree).toEqual({
			name: '',
			kind: 'object',
			text: '2',
			children: [
				{ name: 'balance', kind: 'number', text: '200000000.00000001' },
				{
					name: 'list',
					kind: 'list',
					text: '3',
					children: [
						{ name: '0', kind: 'number', text: '1e-7' },
						{ name: '1', kind: 'nothing', text: 'null' },
						{ name: '2', kind: 'bool', text: 'true' }
					]
				}
			]
		});
	});

	it('says how much of a long list is not shown', () => {
		const body = `{"result":[${Array.from({ length: 1_000 }, (_, i) => i).join(',')}],"error":null,"id":1}`;
		const { tree } = readAnswer('tokenlist', body);
		expect([tree?.text, tree?.children?.length, tree?.more]).toEqual(['1000', 200, 800]);
	});

	it('shows what a text of the chain hides', () => {
		const { tree } = readAnswer('tokeninfo', '{"result":"a\\u202eb","error":null,"id":1}');
		expect(tree?.text).toBe('a‹U+202E›b');
	});

	it('tells an error, a failure inside a result and what is no answer apart', () => {
		expect(
			readAnswer('getblock', '{"result":null,"error":{"code":-5,"message":"no\\n"},"id":1}').error
		).toEqual({ code: '-5', message: 'no', meaning: expect.any(String) });
		expect(
			readAnswer('tokeninfo', '{"result":{"result":"error","error":"bad"},"error":null,"id":1}')
				.failure
		).toBe('bad');
		expect(readAnswer('getinfo', 'Work queue depth exceeded')).toEqual({
			tree: null,
			error: null,
			failure: null
		});
	});
});

describe('a confirmation', () => {
	it('has another mark for another call, and none of the secrets', () => {
		const one = confirmationOf('kvupdate', daemon, ['"k"', '"v"', '"1"', '"canary"'], []);
		expect(JSON.stringify(one)).not.toContain('canary');
		expect(one.params).toBe('["k","v","1","(not shown)"]');
		const other = confirmationOf('kvupdate', daemon, ['"k"', '"w"', '"1"', '"canary"'], []);
		const elsewhere = confirmationOf(
			'kvupdate',
			{ ...daemon, id: 'BETA' },
			['"k"', '"v"', '"1"'],
			[]
		);
		expect(new Set([one.mark, other.mark, elsewhere.mark]).size).toBe(3);
	});

	it('decodes the transaction that will be sent', () => {
		const empty = `0400008085202f89${'00'.repeat(21)}`;
		const { decoded } = confirmationOf('sendrawtransaction', daemon, [`"${empty}"`], []);
		expect(decoded[0]?.node.label).toBe('Transaction');
		expect(notATransaction(empty)).toBeNull();
		expect(notATransaction('00ff')?.code).toBe('console.hex-unreadable');
	});

	it('names each recipient of coins that nobody could spend again', () => {
		const own = publicKeyOf(new Uint8Array(32).fill(7));
		const paid = [ccAddress(tokenScript(TOKENS_GLOBAL_PUBKEY)), ccAddress(tokenScript(own))];
		const scripts = [...paid, addressOfPubkey(own)].map((to) => p2pkh(decodeAddress(to).hash));
		// A token output legitimately has such an address.
		const vout = [...scripts, tokenScript(own)].map((script) => ({ value: 1_000n, script }));
		const empty = parseTransaction(`0400008085202f89${'00'.repeat(21)}`);
		const hex = bytesToHex(serializeTransaction({ ...empty, vout }));
		const params = [`"${hex}"`];
		const { lost } = confirmationOf('sendrawtransaction', daemon, params, [bytesToHex(own)]);
		expect(lost.map((sentence) => sentence.split(':')[0])).toEqual(paid);
	});

	it('shows the spelling of the daemon that gets it', () => {
		const seed = { ...daemon, dialect: 'seed' } as DaemonInfo;
		const params = [`"${TXID}"`, '"02"', '"10"'];
		expect(confirmationOf('tokentransfer', seed, params, []).params).toBe(`["${TXID}","02",10]`);
	});
});

describe('a call as a command line', () => {
	it('survives the shell and holds no token', () => {
		const line = curlOf('https://deck.example', 'BETA:notary-1', 'help', '["it\'s"]');
		expect(line).toContain("'Authorization: Bearer YOUR_TOKEN'");
		expect(line).toContain(`["it'\\''s"]`);
		expect(line).toContain("'https://deck.example/api/rpc/BETA%3Anotary-1'");
	});
});
