/** Methods about notarizations and the merkle roots that notaries record. */
import { z } from 'zod';
import { answers } from '../answerLimit.ts';
import { method } from '../method.ts';
import {
	address,
	digits,
	hash,
	hex,
	hexOrEmpty,
	int,
	list,
	object,
	oneOf,
	p,
	pubkey,
	text
} from '../types.ts';

const record = object({
	txid: hash,
	chain: text,
	height: int,
	blockhash: hash,
	notaries: list(int)
});

const momom = z.object({
	coin: z.string(),
	kmdheight: z.number(),
	ccid: z.number(),
	MoMs: z.array(z.string()),
	notarization_hash: z.string(),
	MoMoM: z.string(),
	data: z.string().optional()
});
const momomOfDaemon = z.codec(
	object({
		coin: text,
		kmdheight: int,
		ccid: int,
		MoMs: list(hash),
		notarization_hash: hash,
		MoMoM: hash,
		data: hexOrEmpty
	}),
	momom,
	{ decode: (wire) => wire, encode: ({ data = '', ...native }) => ({ ...native, data }) }
);
/**
 * The form of the interface document: other field names, the height as text, and `MoMs` in both forms that
 * the document shows, a list and text.
 */
const momomOfSeed = z.codec(
	object({
		coin: text,
		kmdheight: digits,
		ccid: int,
		MoMs: oneOf([text, list(hash)]),
		notarizationHash: hash,
		MoMoM: hash
	}),
	momom,
	{
		decode: ({ notarizationHash, ...wire }) => ({
			...wire,
			kmdheight: Number(wire.kmdheight),
			MoMs: typeof wire.MoMs === 'string' ? (wire.MoMs.match(/[0-9a-f]{64}/g) ?? []) : wire.MoMs,
			notarization_hash: notarizationHash
		}),
		encode: (native) => ({
			coin: native.coin,
			kmdheight: String(native.kmdheight),
			ccid: native.ccid,
			MoMs: JSON.stringify(native.MoMs),
			notarizationHash: native.notarization_hash,
			MoMoM: native.MoMoM
		})
	}
);

const momQuery = { coin: text, height: int, timestamp: int };

/**
 * The interface document reserves the queries for merkle roots and notarization records to notary nodes;
 * pages use the index instead.
 */
export const notarizationMethods = {
	calc_MoM: method({
		access: 'notary-query',
		params: [p.numeric('height'), p.numeric('MoMdepth')],
		result: object({ coin: text, height: int, MoMdepth: int, MoM: hash }),
		examples: [['1000', '100']]
	}),
	MoMoMdata: method({
		access: 'notary-query',
		answer: answers.transaction,
		params: [p.string('symbol'), p.numeric('kmdheight'), p.numeric('ccid')],
		result: momomOfDaemon,
		seedResult: momomOfSeed,
		examples: [['CFEKHOUND', '1350074', '533']]
	}),
	getNotarisationsForBlock: method({
		access: 'notary-query',
		answer: answers.transaction,
		params: [p.integer('height')],
		// Release 0.9.0 has two groups; the interface document leaves their names open.
		result: object({ KMD: list(record), LABS: list(record) }).catchall(list(record)),
		examples: [[1350074]]
	}),
	scanNotarisationsDB: method({
		access: 'notary-query',
		answer: answers.transaction,
		params: [
			p.numeric('blockHeight', { hint: '0 means the tip' }),
			p.string('symbol'),
			p.optional(p.numeric('blocksLimit', { hint: '1440 when left out' }))
		],
		result: oneOf([z.null(), object({ height: int, hash, opreturn: hex })]),
		examples: [
			['0', 'BETA'],
			['1350074', 'CFEKHOUND', '1440']
		]
	}),
	height_MoM: method({
		access: 'notary-query',
		params: [p.numeric('height')],
		result: oneOf([
			object({
				...momQuery,
				depth: int,
				notarized_height: int,
				MoM: hash,
				kmdtxid: hash,
				MoMoM: hash,
				MoMoMoffset: int,
				MoMoMdepth: int,
				kmdstarti: int,
				kmdendi: int
			}),
			object({ ...momQuery, depth: int, notarized_height: int, MoM: hash, kmdtxid: hash }),
			// Having no MoM is a valid result, not a failure.
			object({ ...momQuery, error: text })
		]),
		examples: [['10']]
	}),
	assetchainproof: method({
		access: 'read',
		answer: answers.transaction,
		params: [p.string('txid')],
		result: hex,
		examples: [['d19f1c3f7e630966e1d40838c56c8c63a6cbd828d34c3544be5a60b236cf1610']]
	}),
	crosschainproof: method({
		access: 'read',
		answer: answers.transaction,
		params: [p.optional(p.json('query'))],
		result: object({})
	}),
	notaries: method({
		access: 'read',
		params: [p.numeric('height'), p.optional(p.numeric('timestamp'))],
		result: object({
			notaries: list(object({ pubkey, BTCaddress: text, KMDaddress: address })),
			numnotaries: int,
			height: int,
			timestamp: int
		}),
		examples: [['-1']]
	})
};
