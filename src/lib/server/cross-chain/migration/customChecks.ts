/** What can be known of chosen outputs and their recipients before a burn is made of them. */
import { formatCoins, type Satoshi } from '#lib/chain/amount.ts';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import { classify } from '#lib/chain/script.ts';
import { parseTransaction } from '#lib/chain/transaction.ts';
import type { Asker } from '../../chains/daemon/lookup.ts';
import { addressHistory, knownTrap } from './ccAddresses.ts';
import type { AddCheck } from './check.ts';
import { LEAST_FUNDING_FEE } from './chooseOutputs.ts';
import { composedParts } from './customRequest.ts';
import type { Composed, MigrationRequest, RequestField } from './request.ts';

/** A request with a composed transaction. */
export type CustomBurnRequest = MigrationRequest & { composed: Composed };

/** Blocks that a transaction which was brought along must have left to live. */
const MARGIN = 20;

/** The field at which a fault of a recipient or an output is shown. */
const fieldOf = (composed: Composed, field: 'outputs' | 'recipients'): RequestField =>
	composed.pasted ? 'raw' : field;

/**
 * Refuses recipients whose keys nobody has, and warns of those never seen on the destination.
 * @param least the smallest output that the destination relays, satoshi
 * @throws {UpstreamError}
 */
export async function checkRecipients(
	add: AddCheck,
	target: Asker,
	{ composed, destination }: CustomBurnRequest,
	pubkeys: readonly string[],
	least: Satoshi
): Promise<void> {
	const field = fieldOf(composed, 'recipients');
	const unseen: string[] = [];
	let untold = false;
	for (const { value, script } of composedParts(composed.hex).payouts) {
		const { address } = classify(script);
		if (address === undefined) continue;
		const trap = knownTrap(address, pubkeys);
		if (trap !== null) {
			add('fail', 'address', `${address}: ${trap}`, field);
			return;
		}
		const seen = await addressHistory(target, address);
		if (seen === 'condition') {
			add(
				'fail',
				'address',
				`On ${destination} ${address} holds tokens or other conditions, not coins of a person: coins paid to it are lost.`,
				field
			);
			return;
		}
		if (seen === 'unseen') unseen.push(address);
		untold ||= seen === 'untold';
		if (value < least) {
			add(
				'warn',
				'dust',
				`Daemons usually do not relay outputs below ${formatCoins(least)} coins, and ${address} would get ${formatCoins(value)}. If those of ${destination} do not, the import is refused with "64: dust" and the burned coins do not arrive.`,
				field
			);
		}
	}
	if (unseen.length > 0) {
		add(
			'warn',
			'address',
			`Never used on ${destination}: ${unseen.join(', ')}. Make sure that somebody has the key.`,
			field
		);
	} else if (untold) {
		add(
			'warn',
			'address',
			`The daemon of ${destination} keeps no addressindex, so it cannot tell whether the addresses of the recipients were ever used. Make sure that somebody has their keys.`,
			field
		);
	} else add('ok', 'address', `The recipients are known on ${destination}.`);
}

/**
 * Whether the chosen outputs are the wallet's and unspent, and the wallet can pay what is missing.
 * @throws {UpstreamError}
 */
export async function checkOutputs(
	add: AddCheck,
	source: Asker,
	{ source: chain, amount, composed }: CustomBurnRequest,
	height: number
): Promise<void> {
	const field = fieldOf(composed, 'outputs');
	const { expiryHeight } = parseTransaction(composed.hex);
	if (composed.pasted && expiryHeight !== 0 && height + MARGIN >= expiryHeight) {
		add(
			'fail',
			'expiry',
			`The transaction is only good until block ${expiryHeight} of ${chain}, which is at ${height}. Make it anew.`,
			field
		);
	}
	const unspent = (await source.call('listunspent', 0)).filter(({ spendable }) => spendable);
	const own = new Map(unspent.map((one) => [`${one.txid}:${one.vout}`, one.amount]));
	const { inputs } = composedParts(composed.hex);
	let chosen = 0n;
	for (const { txid, vout } of inputs) {
		const value = own.get(`${txid}:${vout}`);
		if (value === undefined) {
			add(
				'fail',
				'outputs',
				`The output ${txid}:${vout} is not an unspent output of this wallet: it was spent meanwhile, or belongs to somebody else.`,
				field
			);
			return;
		}
		chosen += value;
	}
	const total = amount + IMPORT_FEE;
	const has = unspent.reduce((sum, one) => sum + one.amount, 0n);
	if (has <= total) {
		add(
			'fail',
			'funds',
			`The wallet has ${formatCoins(has)} coins on ${chain}; ${formatCoins(total)} and a fee are needed, the fee of the import included.`,
			fieldOf(composed, 'recipients')
		);
	} else if (inputs.length === 0) {
		add('ok', 'funds', `The wallet chooses the outputs that pay ${formatCoins(total)} coins.`);
	} else if (chosen < total + LEAST_FUNDING_FEE) {
		add(
			'fail',
			'funds',
			composed.pasted
				? `The inputs of the transaction hold ${formatCoins(chosen)} coins; ${formatCoins(total)} and a fee are needed, and the daemon adds no input to those that are there. Add inputs to it, or paste it without any: then the wallet chooses them.`
				: `The outputs that can be spent now hold ${formatCoins(chosen)} coins; ${formatCoins(total)} and a fee are needed. Others of the wallet wait for a block or are locked for another transaction: try again when that one is confirmed or discarded.`,
			field
		);
	} else if (composed.added === inputs.length) {
		add(
			'ok',
			'funds',
			`The outputs that the wallet would take first are locked for another transaction: others with ${formatCoins(chosen)} coins were chosen.`
		);
	} else if (composed.added > 0) {
		add(
			'ok',
			'funds',
			`The chosen outputs hold too little for ${formatCoins(total)} coins and the fee: ${composed.added === 1 ? 'one other output of the wallet was' : `${composed.added} other outputs of the wallet were`} added, ${formatCoins(chosen)} coins in all.`
		);
	} else {
		add('ok', 'funds', `The chosen outputs hold ${formatCoins(chosen)} coins.`);
	}
}
