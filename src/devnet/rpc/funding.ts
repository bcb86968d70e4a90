/** Payments that a wallet funds. */
import { randomInt } from 'node:crypto';
import { isValidAddress } from '#lib/chain/address.ts';
import { scriptOfAddress } from '#lib/chain/script.ts';
import { unsignedInput, type Transaction } from '#lib/chain/transaction.ts';
import {
	RPC_INTERNAL_ERROR,
	RPC_INVALID_ADDRESS_OR_KEY,
	RPC_TYPE_ERROR,
	RPC_WALLET_ERROR,
	RPC_WALLET_INSUFFICIENT_FUNDS,
	RPC_WALLET_UNLOCK_NEEDED
} from '#lib/rpc/errorCodes.ts';
import { coins, int } from './coins.ts';
import { RpcError } from './error.ts';
import { interestOf } from '../ledger/interest.ts';
import { medianTimePast } from '../ledger/lockTime.ts';
import { draftTransaction } from '../wallet/draft.ts';
import { selectCoins } from '../wallet/select.ts';
import type { DaemonContext, Handler } from './context.ts';
import { hexOf, leadingTransaction } from './hex.ts';
import { send } from './rawTransactions.ts';
import { strictAmount } from './strictAmount.ts';

/** Fee of transactions that the wallet funds, in satoshi (observed: 5000 for one of average size). */
const WALLET_FEE = 5000n;
const MOST_INPUTS = 500;

const requireUnlocked = ({ wallet }: DaemonContext): void => {
	if (wallet.locked) {
		throw new RpcError(
			RPC_WALLET_UNLOCK_NEEDED,
			'Error: Please enter the wallet passphrase with walletpassphrase first.'
		);
	}
};

/** Returns the position of the change output; release 0.9.0 inserts it before the last output. */
const placeOfChange = ({ rules }: DaemonContext, outputs: number): number =>
	rules.changeAnywhere ? randomInt(outputs + 1) : Math.max(0, outputs - 1);

/** Sequence of inputs that the wallet adds, which makes the lock time effective. */
const FUNDING_SEQUENCE = 0xfffffffe;

/** Adds inputs and change to a transaction. */
const fund = (
	context: DaemonContext,
	tx: Transaction
): { tx: Transaction; changeAt: number; fee: bigint } => {
	const { ledger, wallet } = context;
	const given = tx.vin.reduce(
		(sum, input) => sum + (ledger.output(input.txid, input.vout)?.value ?? 0n),
		0n
	);
	const out = tx.vout.reduce((sum, one) => sum + one.value, 0n);
	const missing = out + WALLET_FEE - given;
	// When the transaction has inputs, the wallet considers no others, although the options allow it. (Komodo
	// daemon 0.9.0: AvailableCoins does not read fAllowOtherInputs.)
	const available = tx.vin.length > 0 ? [] : wallet.coins();
	const chosen =
		missing > 0n ? selectCoins(available, missing, MOST_INPUTS) : { coins: [], total: 0n };
	if (!chosen) throw new RpcError(RPC_INTERNAL_ERROR, 'Insufficient funds');
	// Interest of the inputs is added to the change (Komodo daemon 0.9.0: `CreateTransaction`).
	const earned = chosen.coins.reduce((sum, coin) => sum + interestOf(ledger, coin), 0n);
	const change = given + chosen.total + earned - out - WALLET_FEE;
	const vout = [...tx.vout];
	// Change that would cost more to spend than it is worth goes to the miner.
	const withChange = change > 1000n;
	const changeAt = withChange ? placeOfChange(context, vout.length) : -1;
	if (withChange) vout.splice(changeAt, 0, { value: change, script: wallet.changeScript() });
	return {
		tx: {
			...tx,
			vin: [
				...tx.vin,
				...chosen.coins.map(({ txid, vout: n }) => unsignedInput(txid, n, FUNDING_SEQUENCE))
			],
			vout
		},
		changeAt,
		fee: withChange ? WALLET_FEE : WALLET_FEE + change
	};
};

const fundrawtransaction: Handler = (context, params) => {
	params.between(1, 1);
	const tx = leadingTransaction(params.string(0));
	if (tx.vout.some((out) => out.value < 0n) || tx.vout.length === 0) {
		throw new RpcError(RPC_INTERNAL_ERROR, 'Transaction amounts must be positive');
	}
	const funded = fund(context, tx);
	return { hex: hexOf(funded.tx), changepos: int(funded.changeAt), fee: coins(funded.fee) };
};

const sendtoaddress: Handler = (context, params) => {
	params.between(2, 5);
	const address = params.string(0);
	if (!isValidAddress(address))
		throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Invalid Komodo address');
	const amount = strictAmount(context.ledger, params.at(1));
	if (amount <= 0n) throw new RpcError(RPC_TYPE_ERROR, 'Invalid amount for send');
	requireUnlocked(context);
	if (amount > context.wallet.balance(0))
		throw new RpcError(RPC_WALLET_INSUFFICIENT_FUNDS, 'Insufficient funds');
	const vout = [{ value: amount, script: scriptOfAddress(address) }];
	// Payments of the wallet have a lock time in the past.
	const locktime = medianTimePast(context.ledger);
	const draft = { ...draftTransaction(context.ledger, [], vout), locktime };
	const { tx, unsigned } = context.wallet.sign(fund(context, draft).tx);
	if (unsigned.length > 0) throw new RpcError(RPC_WALLET_ERROR, 'Signing transaction failed');
	return send(context.ledger, tx);
};

export const fundingHandlers = { fundrawtransaction, sendtoaddress };
