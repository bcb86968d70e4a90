/** Attacks with signatures that do not cover the outputs, and with signatures that must not be made now. */
import { concat, bytesToHex } from '#lib/chain/bytes.ts';
import { publicKeyOf, signDer } from '#lib/chain/key.ts';
import { p2pkh, pushData } from '#lib/chain/script.ts';
import { HASH_TYPES, SIGHASH_ALL, signatureHash } from '#lib/chain/sighash.ts';
import { faultySignature } from '#lib/chain/sign.ts';
import {
	parseTransaction,
	readableTransaction,
	serializeTransaction
} from '#lib/chain/transaction.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { outcome, type Attack } from './attack.ts';
import { call, postForm, type Person, type Target } from './target.ts';

const CHAIN = 'ALPHA';

/** An unsigned transaction of the wallet of ALPHA to itself. */
async function draft({ devnet }: Target): Promise<string> {
	const unspent = await devnet.rpc<
		{ txid: string; vout: number; amount: number; spendable: boolean; address?: string }[]
	>(CHAIN, 'listunspent');
	const own = unspent.find(({ spendable, address }) => spendable && address !== undefined)!;
	return devnet.rpc<string>(CHAIN, 'createrawtransaction', [{ txid: own.txid, vout: own.vout }], {
		// Everything but an ordinary fee returns: this attack is not about the amount.
		[own.address!]: (own.amount - 0.0001).toFixed(8)
	});
}

/** The transactions in a text that hold a signature of another hash type than ALL. */
const partlySigned = (text: string): string[] =>
	(text.match(/[0-9a-f]{120,}/gi) ?? []).filter((hex) => {
		const tx = readableTransaction(hex.toLowerCase());
		if (tx === null) return false;
		const faulty = faultySignature(tx, [], ['unsigned', 'unreadable']);
		return faulty?.fault === 'not-all';
	});

/** Calls a method through the console with parameters in JSON, and confirms it. */
async function byConsole(
	target: Target,
	{ cookie }: Person,
	method: string,
	fields: Record<string, string>
): Promise<string> {
	const path = `/console/${method}`;
	const typed = { daemon: CHAIN, ...fields };
	const asked = await (await postForm(target.url, path, typed, { cookie })).text();
	const [, confirmed = ''] = /name="confirmed" value="([^"]+)"/.exec(asked) ?? [];
	const done = await postForm(target.url, path, { ...typed, confirmed }, { cookie });
	// The result, without the form that the page shows again.
	return (await done.text()).replace(/<form[\s\S]*?<\/form>/g, '');
}

/** JSON texts of a hash type that a daemon, or a careless check, may not read as ALL. */
const SPELLINGS: readonly string[] = [
	...[...HASH_TYPES.keys()].filter((name) => name !== 'ALL').map((name) => JSON.stringify(name)),
	'"\\u004eONE"',
	'"NON\\u0045"',
	'"none"',
	'" NONE"',
	'"NONE "',
	'"ALL|NONE"',
	'"ALL\\u0000|ANYONECANPAY"',
	'2',
	'"02"',
	'["NONE"]'
];

export const signingAttacks: readonly Attack[] = [
	{
		name: 'hash-type-in-a-parameter',
		class: 'spending control bypass',
		async run(target) {
			const person = await target.person('operator');
			const hex = await draft(target);
			const got: string[] = [];
			let tries = 0;
			const look = (text: string): void => {
				tries += 1;
				if (partlySigned(text).length > 0) got.push(text);
			};
			const bodies = SPELLINGS.map(
				(type, id) =>
					`{"id":${id},"method":"signrawtransaction","params":["${hex}",null,null,${type}]}`
			);
			for (const body of bodies) look((await call(target, person.token, body)).text);
			look((await call(target, person.token, `[${bodies.join(',')}]`)).text);
			const twice = `{"method":"signrawtransaction","params":["${hex}",[],null,"SINGLE"],"params":["${hex}"]}`;
			look((await call(target, person.token, twice)).text);
			const fields = { way: 'fields', 'p.hexstring': hex, 'p.sighashtype': 'NONE' };
			look(await byConsole(target, person, 'signrawtransaction', fields));
			const written = `["${hex}",null,null,"NONE|ANYONECANPAY"]`;
			look(await byConsole(target, person, 'signrawtransaction', { way: 'written', written }));
			return outcome(got.length > 0, got[0] ?? '', tries);
		}
	},
	{
		name: 'foreign-signature-beside-ours',
		class: 'spending control bypass',
		async run(target) {
			const { token } = await target.person('operator');
			const own = parseTransaction(await draft(target));
			const key = new Uint8Array(32).fill(7);
			const foreign = { txid: 'ee'.repeat(32), vout: 0, sequence: 0xffffffff };
			const both = { ...own, vin: [...own.vin, { ...foreign, scriptSig: new Uint8Array() }] };
			const got: string[] = [];
			let tries = 0;
			for (const [name, type] of HASH_TYPES) {
				if (type === SIGHASH_ALL) continue;
				const hash = signatureHash(both, 1, p2pkh(new Uint8Array(20)), 1n, type);
				const scriptSig = concat(
					pushData(concat(signDer(hash, key), Uint8Array.of(type))),
					pushData(publicKeyOf(key))
				);
				const vin = [...own.vin, { ...foreign, scriptSig }];
				const hex = bytesToHex(serializeTransaction({ ...own, vin }));
				for (const [method, given] of [
					['signrawtransaction', hex],
					['signrawtransaction', hex.toUpperCase()],
					['fundrawtransaction', hex]
				] as const) {
					tries += 1;
					const body = JSON.stringify({ id: name, method, params: [given] });
					const { text } = await call(target, token, body);
					if (partlySigned(text).length > 0) got.push(`${method} ${name}: ${text}`);
				}
			}
			return outcome(got.length > 0, got[0] ?? '', tries);
		}
	},
	{
		name: 'sign-while-frozen',
		class: 'spending control bypass',
		async run(target) {
			const safetyControls = createSafetyControls(target.db, target.auth.audit);
			const operator = await target.person('operator');
			const notary = await target.person('notary');
			const hex = await draft(target);
			const { pubkey } = target.devnet.chains.get(CHAIN)!;
			const calls: [Person, string, unknown[]][] = [
				[operator, 'signrawtransaction', [hex]],
				[operator, 'fundrawtransaction', [hex]],
				[operator, 'tokencreate', ['frozen', '0.00000001']],
				[operator, 'tokentransfer', ['ab'.repeat(32), pubkey, '1']],
				[
					operator,
					'migrate_createburntransaction',
					['BETA', 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', '1']
				],
				[operator, 'migrate_converttoexport', [hex, 'BETA']],
				[operator, 'migrate_createimporttransaction', [hex, '00']],
				[operator, 'selfimport', ['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', '1']],
				[operator, 'signmessage', ['RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92', 'x']],
				[operator, 'kvupdate', ['k', 'v', '1', 'p']],
				[notary, 'migrate_createnotaryapprovaltransaction', ['ab'.repeat(32), '00']]
			];
			await safetyControls.turnOn('freeze', 'a test', 'ada');
			const through: string[] = [];
			try {
				for (const [{ token }, method, params] of calls) {
					const { text } = await call(target, token, JSON.stringify({ id: 1, method, params }));
					if (!/frozen by ada/.test(text)) through.push(`${method}: ${text}`);
				}
				const shown = await byConsole(target, operator, 'signrawtransaction', {
					way: 'fields',
					'p.hexstring': hex
				});
				if (!/frozen by ada/.test(shown)) through.push(`console: ${shown.length} characters`);
				const fields = {
					kind: 'fungible',
					name: 'f',
					supply: '1',
					description: '',
					data: ''
				};
				const made = await postForm(target.url, `/chains/${CHAIN}/tokens/new`, fields, {
					cookie: operator.cookie
				});
				await made.body?.cancel();
				const review = made.headers.get('location');
				if (review !== null) {
					through.push(`page: ${review}`);
					await postForm(target.url, `${review}?/discard`, {}, { cookie: operator.cookie });
				}
				return outcome(through.length > 0, through.join('; '), calls.length + 2);
			} finally {
				await safetyControls.turnOff('freeze', null);
			}
		}
	}
];
