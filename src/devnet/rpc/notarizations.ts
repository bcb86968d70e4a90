import { addressOfPubkey, decodeAddress, encodeAddress } from '#lib/chain/address.ts';
import { bytesToHex, displayHash } from '#lib/chain/bytes.ts';
import { serializeNotarization } from '#lib/chain/notarization.ts';
import { notarizationGroup, type NotarizationGroup } from '#lib/chain/notarizationGroup.ts';
import { RPC_MISC_ERROR } from '#lib/rpc/errorCodes.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import type { LedgerApi, NotarizationRecord } from '../ledger/api.ts';
import { momAt } from '../ledger/cross-chain/mom.ts';
import { momomData } from '../ledger/cross-chain/proofRoot.ts';
import { int } from './coins.ts';
import type { Handler } from './context.ts';
import { atoi, looseTxid } from './ctext.ts';
import { RpcError } from './error.ts';

const ZERO_32 = new Uint8Array(32);
const shown = (hash: Uint8Array | undefined): string => displayHash(hash ?? ZERO_32);

/**
 * Release 0.9.0 counts blocks down from the height; in the interface document the height is the first block.
 */
const calc_MoM: Handler = ({ ledger, rules }, params) => {
	params.between(2, 2);
	const height = atoi(params.string(0));
	const depth = atoi(params.string(1));
	const last = rules.seedForms ? height + depth - 1 : height;
	if (height <= 0 || depth <= 0 || depth >= last) {
		throw new RpcError(RPC_MISC_ERROR, 'calc_MoM illegal height or MoMdepth\n');
	}
	return {
		coin: ledger.symbol,
		height: int(height),
		MoMdepth: int(depth),
		MoM: shown(momAt(ledger, last, depth))
	};
};

const MoMoMdata: Handler = ({ ledger }, params) => {
	params.between(3, 3);
	const symbol = params.string(0);
	const kmdHeight = atoi(params.string(1));
	const ccid = atoi(params.string(2));
	const { height, root } = momomData(ledger, symbol, kmdHeight, ccid);
	const momom = root?.momom ?? ZERO_32;
	return {
		coin: symbol,
		kmdheight: int(height),
		ccid: int(ccid),
		MoMs: root ? root.moms.map(shown) : [],
		notarization_hash: root?.destNotarization ?? displayHash(ZERO_32),
		MoMoM: shown(momom),
		data: `${bytesToHex(momom)}00000000`
	};
};

const getNotarisationsForBlock: Handler = ({ ledger, rules }, params) => {
	params.between(1, 1);
	const height = params.integer(0);
	if (height < 0 || height > ledger.height) {
		throw new RpcError(RPC_MISC_ERROR, 'height out of range.\n');
	}
	// Notarizations whose signers are not in the daemon's table of notaries are omitted.
	const records = rules.notaryTable ? ledger.notarizationsAt(height) : [];
	const list = (group: NotarizationGroup): JsonValue =>
		records
			.filter((record) => notarizationGroup(record.data.symbol) === group)
			.map((record) => ({
				txid: record.txid,
				chain: record.data.symbol,
				height: int(record.data.height),
				blockhash: record.data.blockHash,
				notaries: record.notaries.map(int)
			}));
	return { KMD: list('KMD'), LABS: list('LABS') };
};

/** Serializes a notarization as the daemon does: absent fields become zeros. */
const storedForm = (record: NotarizationRecord): string => {
	const { data } = record;
	const withMom = {
		...data,
		mom: data.mom ?? ZERO_32,
		momDepth: data.momDepth ?? 0,
		ccid: data.ccid ?? 0
	};
	if (data.kmdTxid === undefined) return bytesToHex(serializeNotarization(withMom, 'kmd'));
	return bytesToHex(
		serializeNotarization(
			{ ...withMom, momom: data.momom ?? ZERO_32, momomDepth: data.momomDepth ?? 0 },
			'back'
		)
	);
};

const scanNotarisationsDB: Handler = ({ ledger }, params) => {
	params.between(2, 3);
	const asked = atoi(params.string(0));
	const symbol = params.string(1);
	const limit = params.has(2) ? atoi(params.string(2)) : 1440;
	const height = asked === 0 ? ledger.height : asked;
	if (height < 0 || height > ledger.height) return null;
	const record = ledger.scanNotarizationsDown(height, symbol, limit);
	if (!record) return null;
	return {
		height: int(record.recordedAt),
		hash: record.txid,
		opreturn: storedForm(record)
	};
};

/** Returns the chain's own notarization whose MoM covers a height. */
const covering = (ledger: LedgerApi, height: number): NotarizationRecord | undefined => {
	for (let at = Math.max(height, 1); at <= ledger.height; at++) {
		const found = ledger
			.notarizationsAt(at)
			.find(
				({ data }) =>
					data.symbol === ledger.symbol &&
					data.mom !== undefined &&
					data.height >= height &&
					data.height - (data.momDepth ?? 0) < height
			);
		if (found) return found;
	}
	return undefined;
};

const height_MoM: Handler = ({ ledger }, params) => {
	params.between(1, 1);
	const height = atoi(params.string(0));
	const record = covering(ledger, height);
	const head = { coin: ledger.symbol, height: int(height), timestamp: int(0) };
	if (!record) return { ...head, error: 'no MoM for height' };
	const { data } = record;
	return {
		...head,
		depth: int(data.momDepth ?? 0),
		notarized_height: int(data.height),
		MoM: shown(data.mom),
		kmdtxid: data.kmdTxid ?? record.txid,
		...(ledger.isMain
			? {}
			: {
					MoMoM: shown(data.momom),
					MoMoMoffset: int(0),
					MoMoMdepth: int(data.momomDepth ?? 0),
					kmdstarti: int(0),
					kmdendi: int(0)
				})
	};
};

const notaries: Handler = ({ ledger, clock }, params) => {
	params.between(1, 2);
	const asked = atoi(params.string(0));
	const height = asked < 0 ? ledger.height : asked;
	const timestamp = params.has(1)
		? atoi(params.string(1))
		: (ledger.blockAt(height)?.header.time ?? clock());
	const keys = ledger.params.notaries;
	return {
		notaries: keys.map((pubkey) => ({
			pubkey,
			BTCaddress: bitcoinAddress(pubkey),
			KMDaddress: addressOfPubkey(pubkey)
		})),
		numnotaries: int(keys.length),
		height: int(height),
		timestamp: int(timestamp)
	};
};

const bitcoinAddress = (pubkey: string): string => {
	const { hash } = decodeAddress(addressOfPubkey(pubkey));
	return encodeAddress(hash, 0);
};

const txnotarizedconfirmed: Handler = ({ ledger }, params) => {
	params.between(1, 1);
	const mined = ledger.mined(looseTxid(params.string(0)));
	if (!mined) return { result: false };
	const raw = ledger.rawConfirmations(mined.height);
	const last = ledger.lastNotarizedHeight();
	return { result: last > 0 ? last > mined.height : raw > 60 };
};

/** Release 0.9.0 has this method without an implementation. */
const crosschainproof: Handler = () => ({});

const getnotarypayinfo: Handler = (_context, params) => {
	params.between(0, 0);
	throw new RpcError(RPC_MISC_ERROR, 'only works for ac_notarypay chains');
};

export const notarizationHandlers = {
	crosschainproof,
	getnotarypayinfo,
	calc_MoM,
	MoMoMdata,
	getNotarisationsForBlock,
	scanNotarisationsDB,
	height_MoM,
	notaries,
	txnotarizedconfirmed
};
