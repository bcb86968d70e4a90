import { BURN_PUBKEY, TOKENS_GLOBAL_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { daemonReads } from '#lib/chain/amount.ts';
import { decodeAddress } from '#lib/chain/address.ts';
import {
	IMPORT_FEE,
	burnPayload,
	burnScript,
	payoutsHash,
	parseBurn,
	parsePayouts,
	serializePayouts
} from '#lib/chain/burn.ts';
import { ByteWriter, bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { buildImport, parseImport } from '#lib/chain/importProof.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { opReturn, p2pk, p2pkh } from '#lib/chain/script.ts';
import { BLOB, tokenTransferScript } from '#lib/chain/token.ts';
import { txidOf, unsignedInput, type Transaction, type TxOut } from '#lib/chain/transaction.ts';
import { parseTxOutProof, provenTxids } from '#lib/chain/txOutProof.ts';
import type { JsonValue } from '#lib/rpc/json.ts';
import { atoll, isHexText, isZeroId, looseTxid } from './ctext.ts';
import { RpcError, UsageError } from './error.ts';
import { completeBelow, completeImport } from '../ledger/cross-chain/completion.ts';
import { CrossChainError } from '../ledger/cross-chain/error.ts';
import { sourceProof } from '../ledger/cross-chain/sourceProof.ts';
import { nftDataOf, tokenOutputScript, tokenPayloadOf } from '#lib/chain/tokenEffect.ts';
import { RPC_DESERIALIZATION_ERROR, RPC_MISC_ERROR, RPC_TYPE_ERROR } from '#lib/rpc/errorCodes.ts';
import { draftTransaction } from '../wallet/draft.ts';
import { selectCoins } from '../wallet/select.ts';
import { BUILD_FEE, changeOf, finish } from './build.ts';
import { checkBurnSource } from './burnCheck.ts';
import type { DaemonContext, Handler } from './context.ts';
import { hexOf, hexParameter, decodeTransaction } from './hex.ts';
import { txProofHex } from './txProof.ts';
import { MARKER, conditionOf, requireCc, selectTokens } from './tokens.ts';

/** Release 0.9.0 accepts 100; the interface document requires more than that. */
const FIRST_FUNGIBLE_CCID = 100;
const MAX_EXPORT = 1_000_000n * 100_000_000n;
const MOST_BURN_INPUTS = 10;
/** Maximum number of token inputs of a burn. Its fee comes from a single coin output. */
const MOST_TOKEN_INPUTS = 4;

/** Converts cross-chain errors of the ledger to error -1. */
const refusing = <T>(work: () => T): T => {
	try {
		return work();
	} catch (cause) {
		if (cause instanceof CrossChainError) throw new RpcError(RPC_MISC_ERROR, cause.message);
		throw cause;
	}
};

const refuse = (message: string, code = RPC_MISC_ERROR): RpcError => new RpcError(code, message);

/** Check that every source-chain method makes first. */
const requireFungibleAssetChain = ({ ledger, rules }: DaemonContext): void => {
	const first = rules.seedForms ? FIRST_FUNGIBLE_CCID + 1 : FIRST_FUNGIBLE_CCID;
	if (ledger.params.ccid < first) throw refuse('-ac_cc < KOMODO_FIRSTFUNGIBLEID');
	if (ledger.isMain) throw refuse('Must be called on assetchain');
};

const checkTarget = ({ ledger }: DaemonContext, symbol: string): void => {
	const length = Buffer.byteLength(symbol, 'utf8');
	if (length === 0 || length > 32) throw refuse('targetSymbol length must be >0 and <=32');
	if (symbol === ledger.symbol) throw refuse('cant send a coin to the same chain');
};

const checkAmount = (amount: bigint): void => {
	if (amount <= 0n) throw refuse('Cannot export a negative or zero value.', RPC_TYPE_ERROR);
	if (amount > MAX_EXPORT) {
		throw refuse('Cannot export more than 1 million coins per export.', RPC_TYPE_ERROR);
	}
};

const burnOutput = (
	{ ledger }: DaemonContext,
	target: string,
	payouts: readonly TxOut[],
	value: bigint
): TxOut => ({
	value,
	script: burnScript({
		targetCcid: ledger.params.ccid,
		targetSymbol: target,
		payoutsHash: payoutsHash(payouts),
		sourceSymbol: ledger.symbol
	})
});

const burnCoins = (
	context: DaemonContext,
	target: string,
	address: string,
	amount: bigint
): JsonValue => {
	const { ledger, wallet } = context;
	const total = amount + IMPORT_FEE;
	const chosen = selectCoins(wallet.coins(), total, MOST_BURN_INPUTS);
	if (!chosen) throw refuse('not enough funds, or need to merge utxos first\n');
	let payouts: TxOut[];
	try {
		const { kind, hash } = decodeAddress(address);
		if (kind !== 'p2pkh') throw refuse('Incorrect destination addr.', RPC_TYPE_ERROR);
		payouts = [{ value: amount, script: p2pkh(hash) }];
	} catch (cause) {
		if (cause instanceof RpcError) throw cause;
		throw refuse('Incorrect destination addr.', RPC_TYPE_ERROR);
	}
	const vout: TxOut[] = [];
	if (chosen.total > total)
		vout.push({ value: chosen.total - total, script: wallet.changeScript() });
	vout.push(burnOutput(context, target, payouts, total));
	const vin = chosen.coins.map((coin) => unsignedInput(coin.txid, coin.vout));
	return {
		payouts: bytesToHex(serializePayouts(payouts)),
		BurnTxHex: finish(context, draftTransaction(ledger, vin, vout))
	};
};

const burnTokens = (
	context: DaemonContext,
	target: string,
	destText: string,
	units: bigint,
	tokenid: string
): JsonValue => {
	const { ledger, wallet } = context;
	const own = wallet.pubkey!;
	const creation = ledger.transaction(tokenid);
	if (!creation) throw refuse('Could not load token creation tx\n');
	if (creation.vout.length === 0) throw refuse('No vouts in token tx\n');
	const payload = tokenPayloadOf(creation);
	if (payload?.kind !== 'create') throw refuse('Incorrect token creation tx\n');
	const data = nftDataOf(creation);
	if (data && units !== 1n) {
		throw refuse('For non-fungible tokens amount should be equal to 1.', RPC_TYPE_ERROR);
	}
	if (!isHexText(destText) || !isValidPubkey(destText)) {
		throw refuse('Invalid destination pubkey\n');
	}
	const dest = hexToBytes(destText);
	// The daemon needs a single fee, although its error text says two.
	const normal = selectCoins(wallet.coins(), BUILD_FEE, 1);
	if (!normal) throw refuse('No normal input found for two txfee\n');
	const tokens = selectTokens(ledger, tokenid, own.pubkey, units, MOST_TOKEN_INPUTS);
	if (typeof tokens === 'string') {
		throw refuse('No token inputs found (please try to consolidate tokens)\n');
	}
	const payouts: TxOut[] = [
		{ value: MARKER, script: tokenScript(TOKENS_GLOBAL_PUBKEY) },
		{ value: units, script: tokenOutputScript(dest, data) },
		{ value: 0n, script: creation.vout.at(-1)!.script }
	];
	// Unlike a transfer, a burn has its change in coins before its change in tokens, and pays no fee: the
	// value of its data output pays for the import.
	const vout: TxOut[] = [{ value: units, script: tokenOutputScript(BURN_PUBKEY, data) }];
	if (normal.total > MARKER) {
		vout.push({ value: normal.total - MARKER, script: wallet.changeScript() });
	}
	if (tokens.total > units) {
		vout.push({ value: tokens.total - units, script: tokenOutputScript(own.pubkey, data) });
	}
	const burned = burnPayload({
		targetCcid: ledger.params.ccid,
		targetSymbol: target,
		payoutsHash: payoutsHash(payouts),
		sourceSymbol: ledger.symbol,
		tokenCreationTx: creation
	});
	vout.push({
		value: MARKER,
		script: tokenTransferScript({
			tokenid,
			destPubkeys: [BURN_PUBKEY],
			blobs: [{ id: BLOB.burn, data: burned }]
		})
	});
	const vin = [...normal.coins, ...tokens.coins].map((coin) => unsignedInput(coin.txid, coin.vout));
	return {
		payouts: bytesToHex(serializePayouts(payouts)),
		BurnTxHex: finish(context, draftTransaction(ledger, vin, vout), conditionOf(own.pubkey, data))
	};
};

const migrate_createburntransaction: Handler = (context, params) => {
	params.between(3, 4);
	requireFungibleAssetChain(context);
	requireCc(
		context,
		'You need to set -pubkey, or run setpukbey RPC, or imports are disabled on this chain.'
	);
	const target = params.string(0);
	checkTarget(context, target);
	const dest = params.string(1);
	const amountText = params.string(2);
	if (!params.has(3)) {
		const amount = daemonReads(amountText);
		checkAmount(amount);
		return burnCoins(context, target, dest, amount);
	}
	const amount = atoll(amountText);
	checkAmount(amount);
	const tokenid = looseTxid(params.string(3));
	if (isZeroId(tokenid)) return burnCoins(context, target, dest, amount);
	// The daemon's check is inverted, and so is its message.
	if (context.rules.tokenBurnsOnlyToLabs && target !== 'LABS') {
		throw refuse('There is no tokens support on LABS.', RPC_TYPE_ERROR);
	}
	return burnTokens(context, target, dest, amount, tokenid);
};

/** Limit of release 0.9.0; the interface document has none. */
const MOST_PAYOUTS = 25;

const migrate_converttoexport: Handler = (context, params) => {
	params.between(2, 2);
	requireFungibleAssetChain(context);
	const bytes = hexParameter(params.string(0), 'argument 1');
	const tx = decodeTransaction(bytes);
	if (!tx) throw refuse('TX decode failed', RPC_DESERIALIZATION_ERROR);
	const target = params.string(1);
	checkTarget(context, target);
	if (!context.rules.seedForms && tx.vout.length > MOST_PAYOUTS) {
		throw refuse('Cannot have more than 50 vins, transaction too large.', RPC_TYPE_ERROR);
	}
	const sum = tx.vout.reduce((total, out) => total + out.value, 0n);
	checkAmount(sum);
	const exported: Transaction = {
		...tx,
		vout: [burnOutput(context, target, tx.vout, sum + IMPORT_FEE)]
	};
	return { payouts: bytesToHex(serializePayouts(tx.vout)), exportTx: hexOf(exported) };
};

const payoutsParameter = (text: string): TxOut[] => {
	const bytes = hexParameter(text, 'argument 2');
	try {
		return parsePayouts(bytes);
	} catch {
		throw refuse("Couldn't parse payouts");
	}
};

const migrate_createimporttransaction: Handler = (context, params) => {
	if (params.count < 2) throw new UsageError();
	requireFungibleAssetChain(context);
	const { ledger } = context;
	const burnBytes = hexParameter(params.string(0), 'argument 1');
	const payoutsText = params.string(1);
	const burnTx = decodeTransaction(burnBytes);
	if (!burnTx) throw refuse("Couldn't parse burnTx");
	if (burnTx.vin.length === 0) throw refuse('No vins in the burnTx');
	if (burnTx.vout.length === 0) throw refuse('No vouts in the burnTx');
	const payouts = payoutsParameter(payoutsText);
	const txids: string[] = [];
	for (let index = 2; index < params.count; index++) {
		const txid = looseTxid(params.string(index));
		if (isZeroId(txid)) throw refuse('Incorrect notary approval txid');
		txids.push(txid);
	}
	const version = ledger.isSaplingAt(ledger.height + 1) ? 'sapling' : 'original';
	if (txids.length > 0) {
		checkBurnSource(context, burnTx);
		const tx = buildImport(burnTx, payouts, { kind: 'approvals', txids }, 0, version);
		return { ImportTxHex: hexOf(tx) };
	}
	const proof = refusing(() => sourceProof(ledger, txidOf(burnTx)));
	return { ImportTxHex: hexOf(buildImport(burnTx, payouts, proof, 0, version)) };
};

const migrate_completeimporttransaction: Handler = ({ ledger, rules }, params) => {
	params.between(1, 2);
	if (!ledger.isMain) throw refuse('Must be called on KMD');
	const bytes = hexParameter(params.string(0), 'argument 1');
	const tx = decodeTransaction(bytes);
	if (!tx) throw refuse("Couldn't parse importTx");
	const offset = params.has(1) ? params.integer(1) : 0;
	const parts = parseImport(tx);
	if (!parts) throw refuse("Couldn't unmarshal importTx");
	if (!parseBurn(parts.burnTx)) throw refuse("Couldn't unmarshal burnTx");
	const complete = rules.seedForms && params.has(1) ? completeBelow : completeImport;
	return { ImportTxHex: hexOf(refusing(() => complete(ledger, tx, offset))) };
};

const assetchainproof: Handler = ({ ledger }, params) => {
	params.between(1, 1);
	const txid = looseTxid(params.string(0));
	return txProofHex(refusing(() => sourceProof(ledger, txid)));
};

const migrate_createnotaryapprovaltransaction: Handler = (context, params) => {
	params.between(2, 2);
	const { ledger, wallet } = context;
	if (ledger.isMain) throw refuse('Must be called on asset chain');
	const burnTxid = looseTxid(params.string(0));
	if (isZeroId(burnTxid)) throw refuse("Couldn't parse burntxid or it is null");
	const proofText = params.string(1);
	const proof = isHexText(proofText) ? hexToBytes(proofText) : null;
	let matches: string[];
	try {
		if (!proof) throw new RangeError('not hex');
		matches = provenTxids(parseTxOutProof(proof)).matches;
	} catch {
		throw refuse("Couldn't parse txoutproof");
	}
	if (!matches.includes(burnTxid)) throw refuse('No burntxid in txoutproof');
	const chosen = selectCoins(wallet.coins(), 2n * BUILD_FEE, 4);
	if (!chosen) throw refuse('Cannot find normal inputs\n');
	const key = wallet.pubkey?.pubkey ?? new Uint8Array(33);
	const vout: TxOut[] = [{ value: BUILD_FEE, script: p2pk(key) }];
	vout.push(...changeOf(wallet, chosen.total, BUILD_FEE));
	vout.push({ value: 0n, script: opReturn(prefixed(proof!)) });
	const vin = chosen.coins.map((coin) => unsignedInput(coin.txid, coin.vout));
	return { NotaryTxHex: finish(context, draftTransaction(ledger, vin, vout)) };
};

const prefixed = (bytes: Uint8Array): Uint8Array => new ByteWriter().varSlice(bytes).finish();

export const migrationHandlers = {
	migrate_createburntransaction,
	migrate_converttoexport,
	migrate_createimporttransaction,
	migrate_completeimporttransaction,
	migrate_createnotaryapprovaltransaction,
	assetchainproof
};
