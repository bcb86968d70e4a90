import { NOT_ALL_READ } from '../unreadUtxos.ts';
import { count as digits } from '#lib/text/plural.ts';
import { conditionAddressMessage, TOKEN_ADDRESS, TOKEN_MODULE_ADDRESS } from '../addressTraps.ts';
import { coins } from '../coins.ts';
import { withCertainty, type Certainty } from '../certainties.ts';
import { explainDaemon, type DaemonError } from './explainDaemon.ts';
import { payloadMessage, type PayloadFault } from '../payloads.ts';
import { ofField, withStatus, type ErrorArea } from './define.ts';

/** Satoshi, as decimal digits. */
type Satoshi = string;

/** Why a transaction cannot be built or sent. */
export const transaction = {
	'transaction.unknown': {
		status: 404,
		message: () => 'There is no such transaction here.'
	},
	...withStatus(409, {
		'transaction.review-expired': () =>
			'This review is older than ten minutes, and its coins may have been spent. Build it again.',
		'transaction.not-due': () =>
			'This transaction is sent once the previous one is confirmed. Nothing was sent.',
		/** `row`: row of a batch transfer, counted from 1. */
		'transaction.still-possible': ({ row }: { row: number }) =>
			`The transaction of row ${row} was rejected again, and a block could still take it because it was on the network before: a new one could pay the recipient twice. Komodeck watches it; retry when its page says that it cannot be confirmed any more.`,
		'transaction.unsigned': () =>
			'The daemon built the transaction but could not sign it: its wallet is locked, or lacks the key. Nothing was sent. Unlock the wallet and try again.',
		/** `locked`: whether outputs are locked by reviewed transactions. */
		'transaction.nothing-to-merge': ({ locked }: { locked: boolean }) =>
			locked
				? 'The wallet has no outputs that can be consolidated now: the others are locked for transactions that were reviewed a moment ago. Send or discard those first.'
				: 'The wallet has no outputs that can be consolidated.',
		/** Amounts in satoshi. */
		'transaction.no-interest': ({ interest, fee }: { interest: Satoshi; fee: Satoshi }) =>
			interest === '0'
				? 'No UTXO that is available now has accrued interest. It takes at least 10 KMD and an hour.'
				: `The interest that is available now, ${coins(interest, 'KMD')}, does not exceed the network fee of ${coins(fee, 'KMD')}. Claim later.`,
		/** Komodeck's own result and the daemon's, satoshi. */
		'transaction.interest-differs': ({ counted, told }: { counted: Satoshi; told: Satoshi }) =>
			`The interest computed here, ${coins(counted, 'KMD')}, is not what the daemon reports, ${coins(told, 'KMD')}. Nothing was built: try again after the next block. If it stays so, the daemon follows other rules than those known here.`,
		'transaction.recipient-module': ({ address }: { address: string }) =>
			`${address}: ${TOKEN_MODULE_ADDRESS}`,
		'transaction.recipient-token-address': ({ address }: { address: string }) =>
			`${address}: ${TOKEN_ADDRESS}`,
		/** According to the chain, the address holds tokens or other conditions, not ordinary coins. */
		'transaction.recipient-condition': ({ chain, address }: { chain: string; address: string }) =>
			`${address}: ${conditionAddressMessage(chain)}`,
		'transaction.not-all-read': () => NOT_ALL_READ
	}),
	...withStatus(502, {
		'transaction.other-txid': ({ txid }: { txid: string }) =>
			`The daemon answered with another txid (${txid}) than the transaction has. Look both up before you go on.`,
		/** `why`: the failed call to the daemon. */
		'transaction.not-built': ({ why, certain }: { why: DaemonError; certain: Certainty }) => {
			const { what, next } = explainDaemon(why);
			return `${withCertainty(what, certain)} ${next}`;
		}
	}),
	...ofField('supply', 409, {
		'transaction.too-few-coins': ({
			chain,
			balance,
			needed
		}: {
			chain: string;
			balance: Satoshi;
			needed: Satoshi;
		}) =>
			`The wallet has ${coins(balance, chain)} that are not locked, and ${coins(needed, chain)} are needed: the backing of the supply, 0.0001 ${chain} for the listing fee and 0.0001 ${chain} for the network fee.`,
		'transaction.coins-unusable': () =>
			'The wallet has the coins, but the daemon cannot use them now: they are pending, belong to another of its keys, or lie in more than 64 small outputs. Wait for the next block, or choose a smaller supply.'
	}),
	...ofField('amount', 409, {
		/** `held`: base units. */
		'transaction.too-few-units': ({ held }: { held: string }) =>
			`The wallet holds ${digits(BigInt(held))} confirmed base units of this token. Pending amounts cannot be moved yet.`,
		/** `locked`: outputs of the wallet that are locked by reviews would suffice, too. */
		'transaction.too-few-free': ({
			chain,
			free,
			needed,
			locked
		}: {
			chain: string;
			free: Satoshi;
			needed: Satoshi;
			locked: boolean;
		}) =>
			locked
				? `${coins(needed, chain)} are needed with the fee, and ${coins(free, chain)} are available: the others are locked for transactions that were reviewed a moment ago. Send or discard those first.`
				: `${coins(needed, chain)} are needed with the fee, and ${coins(free, chain)} are available. Enter a smaller amount, or “max” for all.`,
		/**
		 * The wallet has enough, but in more outputs than one transaction can spend. `reach`: sum of the
		 * largest ones.
		 */
		'transaction.too-spread': ({
			chain,
			needed,
			reach,
			most
		}: {
			chain: string;
			needed: Satoshi;
			reach: Satoshi;
			most: number;
		}) =>
			`${coins(needed, chain)} are needed with the fee. The wallet has enough, but in too many small UTXOs: a transaction can spend at most ${most}, and the largest ${most} hold ${coins(reach, chain)}. Consolidate UTXOs first, or enter a smaller amount.`
	}),
	'transaction.payload-too-large': {
		status: 409,
		field: 'description',
		message: (fault: Readonly<PayloadFault>) => payloadMessage(fault)
	},
	...ofField('utxos', 409, {
		/** `utxo`: as requested, `txid:vout`. */
		'transaction.utxo-gone': ({ utxo }: { utxo: string }) =>
			`The wallet has no confirmed output ${utxo} any more. Choose again.`,
		'transaction.too-many-utxos': ({ count, most }: { count: number; most: number }) =>
			`${count} UTXOs are selected; one transaction spends at most ${most}.`,
		'transaction.nothing-to-split': ({ locked }: { locked: boolean }) =>
			locked
				? 'All UTXOs of the wallet are locked for transactions that were reviewed a moment ago. Send or discard those first.'
				: 'The wallet has no confirmed UTXO.'
	}),
	'transaction.parts-too-small': {
		status: 409,
		field: 'parts',
		message: ({ chain, parts, total }: { chain: string; parts: number; total: Satoshi }) =>
			`${coins(total, chain)} do not make ${parts} parts of at least 0.00001 ${chain} each. Enter a smaller number, or select more UTXOs.`
	},
	'transaction.decimals-invalid': {
		status: 400,
		field: 'decimals',
		message: ({ most }: { most: number }) => `Enter a whole number from 0 to ${most}.`
	}
} satisfies ErrorArea<'transaction'>;
