/** A transaction in words, from the rows of the index: no daemon is asked. */
import type { TransactionKind } from '#lib/messages/transactionKinds.ts';
import { plural } from '#lib/text/plural.ts';
import { bytesToHex, displayHash } from '#lib/chain/bytes.ts';
import { TOKENS_GLOBAL_PUBKEY, tokenScript } from '#lib/chain/cryptocondition.ts';
import { classify } from '#lib/chain/script.ts';
import type { Gateway } from '../daemon/types.ts';
import type { Index } from '../indexer/open.ts';
import { chainIdOf, chainProgress } from '../lists/chains.ts';
import { readNotarization, type NotarizationRow } from '../lists/notarizations.ts';
import { notarizedHeight } from '../lists/notarized.ts';
import {
	readIndexedTransaction,
	readTokenEffects,
	type IndexedInput,
	type IndexedOutput,
	type IndexedTransaction,
	type TokenEffectRow
} from '../lists/transaction.ts';
import { confirmationsOf } from './confirmations.ts';
import {
	BURN_HOLDER,
	headlineOf,
	kindOf,
	paymentHeadline,
	type TokenDecimals
} from './headlines.ts';
import type { Known } from './piece.ts';
import type { Mined } from './transaction.ts';
import {
	dataWords,
	linked,
	scriptWords,
	type Detail,
	type InputView,
	type OutputView,
	type Site,
	type TransactionFacts
} from './transactionView.ts';

/** Movements of tokens that are told; more than a transaction of this size has. */
const EFFECTS = 50;
const MARKER_ADDRESS = classify(tokenScript(TOKENS_GLOBAL_PUBKEY)).address;

/**
 * A mined transaction as the index knows it; null when it does not hold it.
 *
 * @param decimals how the team shows the tokens of the chain
 */
export async function indexedTransaction(
	index: Index,
	site: Site,
	txid: string,
	decimals: TokenDecimals = new Map()
): Promise<{ view: TransactionFacts; mined: Mined } | null> {
	const id = await chainIdOf(index, site.chain);
	const found = id === null ? null : await readIndexedTransaction(index, id, txid);
	if (id === null || found === null) return null;
	const { kind, seq } = found.row;
	const [effects, notarization, notarized] = await Promise.all([
		kind.startsWith('token-') ? readTokenEffects(index, id, [seq], EFFECTS) : [],
		kind === 'notarization' ? readNotarization(index, id, txid) : null,
		notarizedHeight(index, { id, name: site.chain })
	]);
	return {
		view: factsOf(found, { site, effects, notarization, decimals }),
		mined: {
			height: found.height,
			blockHash: bytesToHex(found.blockHash),
			time: Number(found.row.time) * 1000,
			takenBack: false,
			...confirmationsOf(found.height, found.tip, notarized)
		}
	};
}

/** The block of a transaction by the index; null when it does not hold it. */
export async function indexedMined(
	{ index, gateway }: { index: Index; gateway: Gateway },
	chain: string,
	txid: string
): Promise<Known<Mined> | null> {
	const [found, progress] = await Promise.all([
		indexedTransaction(index, { chain, chains: gateway.chains() }, txid),
		chainProgress(index, chain)
	]);
	return found && progress && { at: progress.lookedAt, data: found.mined };
}

interface Beside {
	site: Site;
	effects: readonly TokenEffectRow[];
	notarization: NotarizationRow | null;
	decimals: TokenDecimals;
}

function factsOf(found: IndexedTransaction, beside: Beside): TransactionFacts {
	const { row } = found;
	const { site, decimals, ...subject } = beside;
	const { burn, import: arrived } = found;
	const kind = kindOf(row.kind, beside.effects);
	const inputs = found.inputs.map((input, n) => inputOf(input, n, found));
	const outputs = found.outputs.map((output) => outputOf(output, kind, found));
	return {
		txid: bytesToHex(row.txid),
		kind,
		headline:
			headlineOf(row, { ...subject, burn, import: arrived }, { ticker: site.chain, decimals }) ??
			paymentHeadline(inputs, outputs, site.chain),
		details: detailsOf(found, beside),
		size: Number(row.size),
		inputs,
		outputs,
		fee: row.fee,
		shielded: row.kind === 'shielded'
	};
}

function detailsOf(found: IndexedTransaction, { site, effects, notarization }: Beside): Detail[] {
	const details: Detail[] = [];
	const { burn, import: arrived } = found;
	if (burn) {
		details.push(
			{ label: 'To chain', value: burn.target },
			{ label: 'CCid', value: `${burn.ccid}` }
		);
		if (burn.import) {
			const { chain, txid } = burn.import;
			details.push(idDetail(`Import on ${chain}`, txid, linkTo(site, chain, 'tx', txid)));
		} else details.push({ label: 'Import', value: 'Not imported yet' });
		details.push(idDetail('Payouts hash', displayHash(burn.payoutsHash)));
	}
	if (arrived && arrived.source !== '') {
		const { source, burnChain, burnTxid } = arrived;
		details.push(
			{ label: 'From chain', value: source },
			idDetail('Burn', burnTxid, linkTo(site, burnChain ?? source, 'tx', burnTxid)),
			{ label: 'CCid', value: `${arrived.ccid ?? 'not named'}` }
		);
	}
	if (arrived) details.push({ label: 'Proof', value: PROOFS[arrived.proof] });
	const [first] = effects;
	if (first) {
		details.push(
			idDetail('Token', first.tokenid, linkTo(site, site.chain, 'token', first.tokenid)),
			{ label: 'Name', value: first.name === '' ? 'without a name' : first.name }
		);
		for (const { from_holder, to_holder, units } of effects) {
			if (to_holder !== null) details.push(idDetail(`${plural(units, 'unit')} to`, to_holder));
			else if (from_holder !== null)
				details.push(idDetail(`${plural(units, 'unit')} lost by`, from_holder));
		}
	}
	if (notarization) details.push(...notarizationDetails(notarization, site));
	return details;
}

const PROOFS = {
	txproof: 'a branch of hashes to a notarization',
	approvals: 'approvals of notaries',
	merkleblock: 'a merkle block, which no chain accepts'
} as const;

const hexOf = (value: Uint8Array | string): string =>
	typeof value === 'string' ? value : bytesToHex(value);
const idDetail = (
	label: string,
	value: Uint8Array | string,
	link: Pick<Detail, 'link'> = {}
): Detail => ({ label, value: hexOf(value), id: true, ...link });
const linkTo = (
	site: Site,
	chain: string,
	what: 'tx' | 'token' | 'block',
	ref: Uint8Array
): Pick<Detail, 'link'> => linked(site, chain, what, bytesToHex(ref));

function notarizationDetails(row: NotarizationRow, site: Site): Detail[] {
	return [
		{ label: 'Chain', value: row.symbol },
		{
			label: 'Block',
			value: `${row.height}`,
			...linked(site, row.symbol, 'block', `${row.height}`)
		},
		idDetail('Block hash', row.hash, linkTo(site, row.symbol, 'block', row.hash)),
		...(row.kmd_txid === null
			? []
			: [idDetail('Notarization on KMD', row.kmd_txid, linkTo(site, 'KMD', 'tx', row.kmd_txid))]),
		...(row.mom === null
			? []
			: [
					idDetail('MoM', displayHash(row.mom)),
					{ label: 'Blocks under the MoM', value: `${row.mom_depth ?? 0}` },
					{ label: 'CCid', value: `${row.ccid ?? 0}` }
				]),
		...(row.momom === null ? [] : [idDetail('MoMoM', displayHash(row.momom))]),
		{ label: 'Signers', value: `${row.signer_count} notaries` }
	];
}

function inputOf(
	{ from, value, address, type }: IndexedInput,
	n: number,
	{ row, import: arrived }: IndexedTransaction
): Omit<InputView, 'asm'> {
	if (row.kind === 'coinbase')
		return { n, kind: 'coinbase', txid: null, vout: null, value: null, address: null };
	if (arrived) {
		const worth = arrived.value === 0n ? null : arrived.value;
		const txid = bytesToHex(arrived.burnTxid);
		return { n, kind: 'import', txid, vout: null, value: worth, address: null };
	}
	return {
		n,
		kind: type === 'cryptocondition' ? 'crypto-condition' : 'coins',
		txid: from && bytesToHex(from.txid),
		vout: from && from.n,
		value,
		address
	};
}

function outputOf(
	output: IndexedOutput,
	kind: TransactionKind,
	{ outputs }: IndexedTransaction
): Omit<OutputView, 'asm'> {
	const { n, value, type, address, token, spentBy } = output;
	const holder = token?.holder ?? null;
	return {
		n,
		value,
		kind: outputWords(output, kind, n === outputs.at(-1)?.n),
		address,
		details: holder === null ? [] : [idDetail('of key', holder)],
		holder,
		spendable: type !== 'nulldata',
		spentBy: spentBy && { txid: bytesToHex(spentBy.txid), n: spentBy.n }
	};
}

function outputWords(
	{ type, address, token }: IndexedOutput,
	kind: TransactionKind,
	last: boolean
): string {
	if (type === 'nulldata') return last || kind === 'notarization' ? dataWords(kind) : 'data';
	if (type !== 'cryptocondition') return scriptWords(type);
	if (token) return token.holder === BURN_HOLDER ? 'token units, destroyed' : 'token units';
	return address === MARKER_ADDRESS ? 'marker of the token' : 'crypto-condition';
}
