/** Reads the current content of a daemon's wallet. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import type { Satoshi } from '#lib/chain/amount.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import { isComplete, withoutTimeLocks } from '../../chains/daemon/unspent.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';

/** An unspent output of coins. Outputs of tokens are never listed. */
export interface WalletUtxo {
	txid: string;
	vout: number;
	/** Satoshi. */
	amount: Satoshi;
	address: string | null;
	/** 0 while its transaction is pending. */
	confirmations: number;
	/** Whether it is an output of a coinbase. */
	generated: boolean;
	/** Interest in satoshi as the daemon reports it, 0 for none; null when it cannot be read. */
	interest: Satoshi | null;
	/** Whether the wallet has all that is needed to spend it. */
	spendable: boolean;
}

/** Summary of a wallet, from responses that stay short however many outputs it has. */
interface WalletSummary {
	/** Public key that the daemon works with (`-pubkey`), hex; null without one. */
	pubkey: string | null;
	/** Address that receives coins: that of `pubkey`, if the wallet has its private key. */
	address: string | null;
	/** Why there is no such address: the daemon has no public key, or the wallet lacks its private key. */
	missing: 'pubkey' | 'private-key' | null;
	/**
	 * Satoshi as the daemon counts them: includes unconfirmed change of the wallet and locked UTXOs; null when it
	 * does not report them.
	 */
	balance: Satoshi | null;
	/** Satoshi of immature coinbases; null when the daemon does not report them. */
	immature: Satoshi | null;
	/** Tip of the daemon's chain: its height, and its time in Unix seconds; null when it is not reported. */
	tip: { height: number; time: number } | null;
}

export interface WalletView extends WalletSummary {
	utxos: WalletUtxo[];
	/** Number of outputs that are missing in `utxos`, because the daemon reports them incompletely. */
	unread: number;
}

/** Reads the summary within the page's time limit. */
export async function readSummary(client: PageClient, daemon: DaemonInfo): Promise<WalletSummary> {
	const [info, summary] = await Promise.all([
		client.callDaemon(daemon, 'getinfo', []),
		client.callDaemon(daemon, 'getwalletinfo', [])
	]);
	const pubkey = info.pubkey !== undefined && isValidPubkey(info.pubkey) ? info.pubkey : null;
	const [height, time] = [reported(info, 'blocks'), reported(info, 'tiptime')];
	const address = pubkey === null ? null : addressOfPubkey(pubkey);
	const known =
		address === null ? null : await client.callDaemon(daemon, 'validateaddress', [address]);
	// A daemon accepts any -pubkey, even when its wallet lacks the private key: coins sent there belong to
	// another holder.
	const isOwn = known !== null && 'ismine' in known && known.ismine;
	return {
		pubkey,
		address: isOwn ? address : null,
		missing: pubkey === null ? 'pubkey' : isOwn ? null : 'private-key',
		balance: reported(summary, 'balance'),
		immature: reported(summary, 'immature_balance'),
		tip: height === null || time === null ? null : { height, time }
	};
}

const interestOf = (utxo: DaemonResult<'listunspent'>[number]): Satoshi | null => {
	const interest = reported(utxo, 'interest');
	return interest === undefined ? 0n : interest;
};

/** Reads the summary and all outputs. A daemon cannot list very many outputs in time. */
export async function readWallet(client: PageClient, daemon: DaemonInfo): Promise<WalletView> {
	const [summary, unspent] = await Promise.all([
		readSummary(client, daemon),
		client.callDaemon(daemon, 'listunspent', [0])
	]);
	const complete = unspent.filter(isComplete);
	return {
		...summary,
		unread: unspent.length - complete.length,
		utxos: withoutTimeLocks(complete).map((one) => ({
			txid: one.txid,
			vout: one.vout,
			amount: one.amount,
			address: reported(one, 'address') ?? null,
			confirmations: one.rawconfirmations,
			generated: one.generated,
			interest: interestOf(one),
			spendable: one.spendable
		}))
	};
}
