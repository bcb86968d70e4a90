/** Checks selected UTXOs and their recipients before a burn is made of them. */
import { type Satoshi, sumOf } from '#lib/chain/amount.ts';
import { IMPORT_FEE } from '#lib/chain/burn.ts';
import { classify } from '#lib/chain/script.ts';
import { LOCKTIME_THRESHOLD } from '#lib/chain/interest.ts';
import { parseTransaction, type Transaction } from '#lib/chain/transaction.ts';
import type { DaemonClient } from '../../chains/daemon/types.ts';
import { unspentOf } from '../../chains/daemon/unspent.ts';
import { addressHistory, knownTrap } from '../../chains/daemon/ccAddresses.ts';
import type { AddCheck } from './check.ts';
import { LEAST_FUNDING_FEE } from './chooseOutputs.ts';
import { composedParts } from './customRequest.ts';
import type { Composed, MigrationRequest, RequestField } from './request.ts';

/** A request with a composed transaction. */
export type CustomBurnRequest = MigrationRequest & { composed: Composed };

/** Blocks that must remain before a pasted transaction expires. */
const MARGIN = 20;

/** Returns the form field for a problem with an output or a recipient. */
const fieldOf = (composed: Composed, field: 'outputs' | 'recipients'): RequestField =>
	composed.pasted ? 'raw' : field;

/**
 * Refuses recipients that could never spend the coins, and warns of those unknown on the destination.
 * @param least the smallest output that the destination relays, satoshi
 * @throws {AppError} `daemon`
 */
export async function checkRecipients(
	add: AddCheck,
	target: DaemonClient,
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
			add('fail', 'address', { code: trap, params: { address } }, field);
			return;
		}
		const seen = await addressHistory(target, address);
		if (seen === 'condition') {
			add(
				'fail',
				'address',
				{ code: 'recipients.condition', params: { chain: destination, address } },
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
				{
					code: 'amount.output-dust',
					params: {
						chain: destination,
						least: least.toString(),
						address,
						amount: value.toString()
					}
				},
				field
			);
		}
	}
	if (unseen.length > 0) {
		add(
			'warn',
			'address',
			{ code: 'recipients.unused', params: { chain: destination, addresses: unseen } },
			field
		);
	} else if (untold) {
		add('warn', 'address', { code: 'recipients.not-told', params: { chain: destination } }, field);
	} else add('ok', 'address', { code: 'recipients.known', params: { chain: destination } });
}

/**
 * Whether a pasted transaction may be in a block only after its lock time. Inputs that the daemon adds are not
 * final, so a lock time holds for a transaction without inputs.
 */
const isLocked = ({ locktime, vin }: Transaction): boolean =>
	locktime !== 0 && (vin.length === 0 || vin.some(({ sequence }) => sequence !== 0xffffffff));

/**
 * Refuses a pasted transaction whose lock time is ahead: its burn would be refused, and its outputs locked, until
 * then.
 * @throws {AppError} `daemon`
 */
async function checkLockTime(
	add: AddCheck,
	source: DaemonClient,
	{ source: chain, composed }: CustomBurnRequest,
	height: number
): Promise<void> {
	const tx = parseTransaction(composed.hex);
	const { locktime } = tx;
	if (!composed.pasted || !isLocked(tx)) return;
	const isHeight = locktime < LOCKTIME_THRESHOLD;
	const now = isHeight ? height : (await source.call('getinfo')).tiptime;
	if (locktime <= now) return;
	const code = isHeight ? 'utxos.locked-to-height' : 'utxos.locked-to-time';
	add('fail', 'lock-time', { code, params: { chain, locktime } }, fieldOf(composed, 'outputs'));
}

/**
 * Checks that the selected UTXOs are unspent outputs of the wallet, and that it can pay the rest.
 * @throws {AppError} `daemon`
 */
export async function checkOutputs(
	add: AddCheck,
	source: DaemonClient,
	request: CustomBurnRequest,
	height: number
): Promise<void> {
	const { source: chain, amount, composed } = request;
	const field = fieldOf(composed, 'outputs');
	const { expiryHeight } = parseTransaction(composed.hex);
	if (composed.pasted && expiryHeight !== 0 && height + MARGIN >= expiryHeight) {
		add(
			'fail',
			'expiry',
			{ code: 'utxos.expired', params: { chain, expiry: expiryHeight, tip: height } },
			field
		);
	}
	await checkLockTime(add, source, request, height);
	const { outputs, isPart } = await unspentOf(source.call, 0);
	const unspent = outputs.filter(({ spendable }) => spendable);
	const own = new Map(unspent.map((one) => [`${one.txid}:${one.vout}`, one.amount]));
	const { inputs } = composedParts(composed.hex);
	let chosen = 0n;
	for (const { txid, vout } of inputs) {
		const value = own.get(`${txid}:${vout}`);
		if (value === undefined) {
			const code = isPart ? 'utxos.not-read' : 'utxos.not-own';
			add('fail', 'outputs', { code, params: { utxo: `${txid}:${vout}` } }, field);
			return;
		}
		chosen += value;
	}
	const total = amount + IMPORT_FEE;
	const [needed, selected] = [total.toString(), chosen.toString()];
	const has = sumOf(unspent.map(({ amount }) => amount));
	if (has <= total && isPart) {
		const at = fieldOf(composed, 'recipients');
		add('fail', 'funds', { code: 'funds.not-all-read', params: {} }, at);
	} else if (has <= total) {
		add(
			'fail',
			'funds',
			{
				code: 'funds.short-with-fee',
				params: { chain, balance: has.toString(), needed }
			},
			fieldOf(composed, 'recipients')
		);
	} else if (inputs.length === 0) {
		add('ok', 'funds', { code: 'utxos.by-wallet', params: { needed, ticker: chain } });
	} else if (chosen < total + LEAST_FUNDING_FEE) {
		add(
			'fail',
			'funds',
			{
				code: composed.pasted ? 'utxos.inputs-short' : 'utxos.short',
				params: { selected, needed, ticker: chain }
			},
			field
		);
	} else if (composed.added === inputs.length) {
		add('ok', 'funds', { code: 'utxos.others', params: { selected, ticker: chain } });
	} else if (composed.added > 0) {
		add('ok', 'funds', {
			code: 'utxos.added',
			params: { needed, added: composed.added, selected, ticker: chain }
		});
	} else {
		add('ok', 'funds', { code: 'utxos.enough', params: { selected, ticker: chain } });
	}
}
