/**
 * Replays a migration that was recorded on three running daemons (Komodo daemon 0.9.0) on the development
 * network with its own keys and ids: the same requests in the same order, comparing HTTP status, members and
 * their order, kinds of values, error codes and messages of each response.
 */
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { parsePayouts, serializePayouts } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { buildImport, parseImport } from '#lib/chain/importProof.ts';
import { encodeWif, publicKeyOf } from '#lib/chain/key.ts';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import type { Transaction, TxOut } from '#lib/chain/transaction.ts';
import { fixturesUnder } from '../../../src/cli/fixtures.ts';
import { startDevnet } from '../../support/devnet.ts';
import { shared } from '../../support/shared.ts';

const STORY = join(
	import.meta.dirname,
	'../../contract/fixtures/recordings/daemon-migration/A-momom-route.json'
);

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface Envelope {
	result: Json;
	error: { code: number; message: string } | null;
}
interface Recorded {
	number: number;
	name: string;
	chain: string;
	method: string;
	params: Json[];
	status: number;
	response: Envelope;
}

const CHAINS: { [recorded: string]: string } = {
	KMD: 'KMD',
	TXSCLSRC: 'ALPHA',
	TXSCLDST: 'BETA'
};

/** Responses that depend on timing: the recorded wallet had not yet noticed the send. */
const MOMENTS = new Set([10, 11]);

/** Members whose kind depends on conditions of the recording; each with the condition. */
const CIRCUMSTANCES: { [path: string]: string } = {
	'result.notarizedtxid_height': 'the recorded chains reached no KMD daemon',
	'result.upgrades': 'the recorded KMD was not past Sapling'
};

const recordings: Recorded[] = fixturesUnder(STORY).map(({ name: path, text }) => {
	const data = JSON.parse(text) as {
		request: { method: string; params: Json[] };
		response: Envelope;
		http: { status: number };
	};
	const name = basename(path);
	const [number, chain] = name.split('_');
	return {
		number: Number(number),
		name,
		chain: CHAINS[chain!]!,
		method: data.request.method,
		params: data.request.params,
		status: data.http.status,
		response: data.response
	};
});

const kindOf = (value: Json): string =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/**
 * Differences of two responses beyond values. Lists contain different transactions on each network: an element
 * of one list must match an element of the other.
 */
function differences(want: Json, got: Json, path = 'result'): string[] {
	if (Object.hasOwn(CIRCUMSTANCES, path)) return [];
	if (kindOf(want) !== kindOf(got)) return [`${path}: ${kindOf(want)} became ${kindOf(got)}`];
	if (Array.isArray(want) && Array.isArray(got)) {
		if (want.length === 0 || got.length === 0) return [];
		const pairs = want.flatMap((first) =>
			got.map((other) => differences(first, other, `${path}[]`))
		);
		return pairs.find((pair) => pair.length === 0) ?? pairs[0]!;
	}
	if (want === null || got === null || typeof want !== 'object' || typeof got !== 'object')
		return [];
	const wanted = want as { [key: string]: Json };
	const given = got as { [key: string]: Json };
	const names = Object.keys(wanted).filter((name) => !/^[0-9a-f]{64}$/.test(name));
	const others = Object.keys(given).filter((name) => !/^[0-9a-f]{64}$/.test(name));
	if (names.join() !== others.join())
		return [`${path}: {${names.join()}} became {${others.join()}}`];
	return names.flatMap((name) => differences(wanted[name]!, given[name]!, `${path}.${name}`));
}

const net = shared(() => startDevnet({ bare: true }));

const receiver = new Uint8Array(32).fill(11);
const receiverAddress = addressOfPubkey(publicKeyOf(receiver));
const hexOf = (tx: Transaction): string => bytesToHex(serializeTransaction(tx));

/** Values to which the requests of the replay refer, as they occur on this network. */
interface Facts {
	[name: string]: string | number;
}

/** Actions before a recorded request, and the request's parameters on this network. */
interface Chapter {
	before?: (facts: Facts) => Promise<void>;
	params?: (facts: Facts) => Json[];
	after?: (facts: Facts, result: Json) => void;
}

const text = (facts: Facts, name: string): string => String(facts[name]);
const height = (chain: string): Promise<number> => net.rpc<number>(chain, 'getblockcount');
const member = (result: Json, name: string): string =>
	String((result as { [key: string]: Json })[name]);
const payouts =
	(change: (list: TxOut[]) => TxOut[]) =>
	(facts: Facts): Json[] => [
		text(facts, 'burn2'),
		bytesToHex(serializePayouts(change(parsePayouts(text(facts, 'payouts2')))))
	];
const keep = (name: string, from: string) => (facts: Facts, result: Json) => {
	facts[name] = member(result, from);
};
const one =
	(name: string) =>
	(facts: Facts): Json[] => [text(facts, name)];
const momOfSource = async (facts: Facts): Promise<void> => {
	facts.momHeight = await height('ALPHA');
};

/** Notarizes the destination and mines the KMD block after it. */
const notarizeTarget = async (facts: Facts, name: string): Promise<void> => {
	await net.control.mine('BETA', 2);
	facts[name] = (await net.control.notarizeKmd('BETA')).kmdHeight;
};

const imported =
	(change: (tx: Transaction) => Transaction) =>
	(facts: Facts): Json[] => [hexOf(change(parseTransaction(text(facts, 'import2'))))];

const tampered = (first: number, change: (list: TxOut[]) => TxOut[]): [number, Chapter][] => [
	[first, { params: payouts(change), after: keep('tampered', 'ImportTxHex') }],
	[first + 1, { params: one('tampered'), after: keep('tampered', 'ImportTxHex') }],
	[first + 2, { params: one('tampered') }]
];

const offset =
	(name: string) =>
	(facts: Facts): Json[] => [text(facts, 'import1'), Number(facts[name])];

const chapters = new Map<number, Chapter>([
	[
		7,
		{
			params: () => ['BETA', receiverAddress, '4.350000005'],
			after: (facts, result) => {
				facts.burn1 = member(result, 'BurnTxHex');
				facts.payouts1 = member(result, 'payouts');
			}
		}
	],
	[4, { params: () => [2] }],
	[5, { params: () => ['0', 'ALPHA'] }],
	[6, { params: () => ['BETA', '7', '777'] }],
	[8, { params: one('burn1'), after: (facts, result) => void (facts.burn1id = String(result)) }],
	[9, { params: one('burn1') }],
	[13, { params: (facts) => [text(facts, 'burn1'), text(facts, 'payouts1')] }],
	[14, { params: one('burn1id') }],
	[16, { before: async () => void (await net.control.mine('ALPHA')) }],
	[17, { params: (facts) => [text(facts, 'burn1id'), 1] }],
	[18, { params: one('burn1id') }],
	[20, { params: one('burn1id') }],
	[21, { params: (facts) => [text(facts, 'burn1'), text(facts, 'payouts1')] }],
	[22, { params: one('burn1id') }],
	[
		23,
		{
			before: async (facts) => {
				await net.control.mine('ALPHA', 2);
				await momOfSource(facts);
			},
			params: (facts) => [text(facts, 'momHeight'), String(Number(facts.momHeight) - 1)]
		}
	],
	[
		24,
		{
			before: async (facts) => {
				facts.nota1 = String((await net.control.notarizeKmd('ALPHA', false)).notarization);
			},
			params: (facts) => [text(facts, 'nota1'), 1]
		}
	],
	[
		25,
		{
			before: async (facts) => void (facts.kmd = await height('KMD')),
			params: (facts) => ['ALPHA', text(facts, 'kmd'), '777']
		}
	],
	[
		26,
		{
			before: async () => void (await net.control.backNotarize('ALPHA', true)),
			params: (facts) => [text(facts, 'burn1'), text(facts, 'payouts1')]
		}
	],
	[
		27,
		{
			before: async () => void (await net.control.mine('ALPHA')),
			params: (facts) => [text(facts, 'burn1'), text(facts, 'payouts1')],
			after: keep('import1', 'ImportTxHex')
		}
	],
	[28, { params: one('burn1id') }],
	[29, { params: one('import1') }],
	[30, { params: one('import1') }],
	[31, { before: async () => void (await net.control.mine('KMD')), params: one('import1') }],
	[32, { before: async () => void (await net.control.mine('KMD')), params: one('import1') }],
	[33, { before: (facts) => notarizeTarget(facts, 'd1'), params: one('import1') }],
	[34, { before: async () => void (await net.control.mine('KMD')), params: one('import1') }],
	[
		35,
		{
			before: async (facts) => {
				await net.control.backNotarize('BETA');
				for (let n = 2; n <= 7; n++) {
					await notarizeTarget(facts, `d${n}`);
					await net.control.mine('KMD');
					if (n < 7) await net.control.backNotarize('BETA');
				}
				facts.momHeight = await height('BETA');
			},
			params: (facts) => [text(facts, 'momHeight'), '3']
		}
	],
	[
		36,
		{
			before: async (facts) => void (facts.kmd = await height('KMD')),
			params: (facts) => ['BETA', text(facts, 'kmd'), '777']
		}
	],
	[
		37,
		{ before: async () => void (await net.control.backNotarize('BETA')), params: one('import1') }
	],
	[
		38,
		{
			before: (facts) => {
				facts.toSixth = Number(facts.d6) - Number(facts.d1);
				facts.toSeventh = Number(facts.d7) - Number(facts.d1);
				return Promise.resolve();
			},
			params: offset('toSixth')
		}
	],
	[39, { params: offset('toSeventh') }],
	[40, { params: (facts) => [text(facts, 'import1'), '12'] }],
	[41, { params: (facts) => [text(facts, 'import1'), 100000] }],
	[42, { params: (facts) => [text(facts, 'import1'), -100000] }],
	[43, { params: (facts) => [text(facts, 'import1'), null] }],
	[44, { params: (facts) => [text(facts, 'import1'), 1.5] }],
	[
		45,
		{
			params: () => ['BETA', receiverAddress, '1.15'],
			after: (facts, result) => {
				facts.burn2 = member(result, 'BurnTxHex');
				facts.payouts2 = member(result, 'payouts');
			}
		}
	],
	[46, { params: one('burn2'), after: (facts, result) => void (facts.burn2id = String(result)) }],
	[
		47,
		{
			before: async (facts) => {
				await net.control.mine('ALPHA', 2);
				await net.control.mine('KMD', 2);
				await momOfSource(facts);
				facts.source2 = facts.momHeight!;
			},
			params: (facts) => [text(facts, 'momHeight'), '4']
		}
	],
	[
		48,
		{
			before: async (facts) => {
				facts.kmd = (await net.control.notarizeKmd('ALPHA')).kmdHeight;
			},
			params: () => ['ALPHA', '20', '777']
		}
	],
	[
		49,
		{
			before: async () => {
				await net.control.backNotarize('ALPHA');
				await net.control.mine('ALPHA');
			},
			params: (facts) => [text(facts, 'burn2'), text(facts, 'payouts2')],
			after: keep('first2', 'ImportTxHex')
		}
	],
	[50, { params: one('first2') }],
	[51, { params: one('first2') }],
	[
		52,
		{
			before: async (facts) => void (facts.momHeight = await height('BETA')),
			params: (facts) => [text(facts, 'momHeight'), '2']
		}
	],
	[53, { before: (facts) => notarizeTarget(facts, 'd8'), params: one('first2') }],
	[
		54,
		{
			before: async () => void (await net.control.mine('KMD')),
			params: one('first2'),
			after: keep('import2', 'ImportTxHex')
		}
	],
	[55, { params: (facts) => [text(facts, 'first2'), 0] }],
	[56, { params: (facts) => [text(facts, 'first2'), '0'] }],
	[57, { params: (facts) => ['BETA', String(Number(facts.d8) + 5), '777'] }],
	[58, { params: one('import2') }],
	[59, { params: one('import2') }],
	[
		60,
		{
			before: async (facts) => void (facts.kmd = await height('KMD')),
			params: (facts) => ['BETA', text(facts, 'kmd'), '777']
		}
	],
	[
		61,
		{
			before: async () => {
				await net.control.backNotarize('BETA');
				await net.control.mine('BETA');
			},
			params: one('import2')
		}
	],
	[
		62,
		{
			before: async (facts) => {
				await net.control.mine('KMD', 6);
				await notarizeTarget(facts, 'd9');
				facts.kmd = await height('KMD');
			},
			params: (facts) => ['BETA', text(facts, 'kmd'), '777']
		}
	],
	[
		63,
		{ before: async () => void (await net.control.backNotarize('BETA')), params: one('import2') }
	],
	[
		64,
		{
			before: async () => void (await net.control.mine('BETA')),
			params: (facts) => ['BETA', text(facts, 'kmd'), '777']
		}
	],
	...tampered(67, (list) => list.map((out) => ({ ...out, value: out.value + 1n }))),
	...tampered(70, (list) => list.map((out) => ({ ...out, value: out.value - 1n }))),
	...tampered(73, (list) =>
		list.map((out) => ({
			...out,
			script: out.script.map((byte, at) => (at === 5 ? byte ^ 1 : byte))
		}))
	),
	...tampered(76, (list) => [...list, { ...list[0]!, value: 1000n }]),
	[
		79,
		{
			params: imported((tx) => ({
				...tx,
				vout: tx.vout.map((out, n) => (n === 0 ? { ...out, value: out.value - 1n } : out))
			}))
		}
	],
	[
		80,
		{
			params: imported((tx) => ({
				...tx,
				vin: [{ ...tx.vin[0]!, scriptSig: Uint8Array.of(1, 0xe3) }]
			}))
		}
	],
	[81, { params: one('import2') }],
	[82, { params: one('import2') }],
	[
		83,
		{ params: one('import2'), after: (facts, result) => void (facts.importid = String(result)) }
	],
	[85, { params: (facts) => [text(facts, 'importid'), 1] }],
	[86, { params: one('import2') }],
	[
		87,
		{
			before: async (facts) => {
				const { height: at, tip } = await net.control.mine('BETA');
				facts.importHeight = at;
				facts.importBlock = tip;
			},
			params: one('importBlock')
		}
	],
	[88, { params: one('importHeight') }],
	[89, { params: (facts) => [Number(facts.importHeight)] }],
	[90, { params: (facts) => [String(Number(facts.importHeight) - 1)] }],
	[91, { params: (facts) => [text(facts, 'importid'), 1] }],
	[92, { params: one('importid') }],
	[95, { params: (facts) => [text(facts, 'importBlock'), 2] }],
	[96, { params: () => [{ addresses: [receiverAddress] }] }],
	[97, { params: () => [{ addresses: [receiverAddress] }] }],
	[98, { params: one('import2') }],
	[99, { params: imported((tx) => ({ ...tx, expiryHeight: 1000 })) }],
	[
		100,
		{
			params: imported((tx) => {
				const parts = parseImport(tx)!;
				if (parts.proof.kind !== 'txproof') throw new Error('no branch');
				return buildImport(parts.burnTx, parts.payouts, { ...parts.proof, txid: 'ab'.repeat(32) });
			})
		}
	],
	[
		101,
		{
			before: async () => void (await net.rpc('BETA', 'importprivkey', encodeWif(receiver))),
			params: one('importid')
		}
	],
	[102, { params: () => [0, 9999999, [receiverAddress]] }],
	[
		103,
		{
			before: async (facts) => {
				const raw = await net.rpc<string>(
					'BETA',
					'createrawtransaction',
					[{ txid: facts.importid, vout: 0 }],
					{ [receiverAddress]: 1.14989999 }
				);
				facts.spend = (await net.rpc<{ hex: string }>('BETA', 'signrawtransaction', raw)).hex;
			},
			params: one('spend'),
			after: (facts, result) => void (facts.spendid = String(result))
		}
	],
	[
		104,
		{
			before: async () => void (await net.control.mine('BETA')),
			params: (facts) => [text(facts, 'importid'), 1]
		}
	],
	[105, { params: one('spendid') }],
	[106, { params: one('import2') }],
	[107, { params: (facts) => [Number(facts.d8)] }],
	[108, { params: one('d8') }],
	[109, { params: (facts) => [Number(facts.importHeight) - 2] }],
	[110, { params: (facts) => [Number(facts.source2) + 1] }],
	[111, { params: (facts) => [Number(facts.kmd)] }],
	[112, { params: () => ['0', 'BETA'] }],
	[113, { params: (facts) => [text(facts, 'd8'), 'BETA'] }],
	[114, { params: (facts) => [String(Number(facts.d8) - 1), 'BETA'] }],
	[115, { params: (facts) => [String(Number(facts.d8) - 1), 'BETA', '1'] }],
	[116, { params: (facts) => [text(facts, 'd8'), 'BETA', '0'] }],
	[117, { params: () => ['0', 'ALPHA', '1440'] }],
	[118, { params: () => ['0', 'BETA'] }],
	[119, { params: () => ['0', 'ALPHA'] }],
	[120, { params: (facts) => [String(Number(facts.kmd) + 1), 'BETA'] }],
	[122, { params: (facts) => ['BETA', String(Number(facts.d7) + 4), '777'] }],
	[123, { params: (facts) => ['BETA', String(Number(facts.d7) + 5), '777'] }],
	[124, { params: (facts) => ['BETA', String(Number(facts.d8) + 5), '778'] }],
	[125, { params: (facts) => ['ALPHA', text(facts, 'kmd'), '777'] }],
	[126, { params: (facts) => ['BETA', String(Number(facts.d8) + 5), '1'] }],
	[127, { params: () => ['BETA', '1', '777'] }],
	[128, { params: (facts) => ['BETA', String(Number(facts.d8) + 5), '777'] }],
	[129, { params: (facts) => [String(Number(facts.source2) - 1)] }],
	[133, { params: one('importid') }],
	[138, { params: (facts) => [text(facts, 'first2'), Number(facts.d9) - Number(facts.d8) - 1] }],
	[139, { params: (facts) => [text(facts, 'first2'), Number(facts.d9) - Number(facts.d8)] }],
	[140, { params: (facts) => [text(facts, 'first2'), -1] }]
]);

test('the recorded migration is told again in the same answers', async () => {
	const facts: Facts = {};
	const found: string[] = [];
	for (const recorded of recordings) {
		if (MOMENTS.has(recorded.number)) continue;
		const chapter = chapters.get(recorded.number) ?? {};
		await chapter.before?.(facts);
		const params = chapter.params?.(facts) ?? recorded.params;
		const reply = await net.post(
			recorded.chain,
			JSON.stringify({ id: recorded.name, method: recorded.method, params })
		);
		const got = JSON.parse(reply.text) as Envelope;
		chapter.after?.(facts, got.result);
		const lines: string[] = [];
		if (reply.status !== recorded.status) lines.push(`${recorded.status} became ${reply.status}`);
		if (recorded.response.error || got.error) {
			if (JSON.stringify(recorded.response.error) !== JSON.stringify(got.error)) {
				lines.push(
					`${JSON.stringify(recorded.response.error)} became ${JSON.stringify(got.error)}`
				);
			}
		} else lines.push(...differences(recorded.response.result, got.result));
		found.push(...lines.map((line) => `${recorded.name}: ${line}`));
	}
	expect(found).toEqual([]);
});
