/** What a daemon's own wallet holds, as the daemon tells it now. */
import { addressOfPubkey } from '#lib/chain/address.ts';
import type { Satoshi } from '#lib/chain/amount.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import type { DaemonInfo } from '../../chains/daemon/types.ts';
import { withoutTimeLocks } from '../../chains/daemon/unspent.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';

/** An unspent output of ordinary coins: outputs of tokens are never among them. */
export interface WalletUtxo {
	txid: string;
	vout: number;
	/** Satoshi. */
	amount: Satoshi;
	address: string | null;
	/** 0 while its transaction is pending. */
	confirmations: number;
	/** A coinbase. */
	generated: boolean;
	/** Satoshi of interest that the daemon counts for it; null where it counts none. */
	interest: Satoshi | null;
	/** The wallet has the key, and nothing else is needed. */
	spendable: boolean;
}

/** What a daemon tells of its wallet in short answers, however many outputs that has. */
interface WalletSummary {
	/** Key that the daemon works with, hex; null without one. */
	pubkey: string | null;
	/** Where it receives: the address of that key, if the wallet has its private key. */
	address: string | null;
	/** Why it receives nowhere: it has no key, or one of somebody else. */
	missing: 'pubkey' | 'private-key' | null;
	/** Satoshi, as the daemon counts them: with its own change that waits, and with what reviews have locked. */
	balance: Satoshi;
	/** Satoshi of coinbases that cannot be spent yet. */
	immature: Satoshi;
	/** The chain as the daemon has it: its height, and Unix seconds of its newest block. */
	tip: { height: number; time: number };
}

interface WalletView extends WalletSummary {
	utxos: WalletUtxo[];
}

/**
 * Asks the daemon within the page's time.
 * @throws {AppError} `daemon`
 */
export async function readSummary(client: PageClient, daemon: DaemonInfo): Promise<WalletSummary> {
	const [info, summary] = await Promise.all([
		client.callDaemon(daemon, 'getinfo', []),
		client.callDaemon(daemon, 'getwalletinfo', [])
	]);
	const pubkey = info.pubkey !== undefined && isValidPubkey(info.pubkey) ? info.pubkey : null;
	const address = pubkey === null ? null : addressOfPubkey(pubkey);
	const known =
		address === null ? null : await client.callDaemon(daemon, 'validateaddress', [address]);
	// A daemon runs with any -pubkey, also one whose private key is somebody else's: what is sent there is theirs.
	const isOwn = known !== null && 'ismine' in known && known.ismine;
	return {
		pubkey,
		address: isOwn ? address : null,
		missing: pubkey === null ? 'pubkey' : isOwn ? null : 'private-key',
		balance: summary.balance,
		immature: summary.immature_balance,
		tip: { height: info.blocks, time: info.tiptime }
	};
}

/**
 * The same with every output, which a daemon does not tell in time of a wallet that has very many.
 * @throws {AppError} `daemon`
 */
export async function readWallet(client: PageClient, daemon: DaemonInfo): Promise<WalletView> {
	const [summary, unspent] = await Promise.all([
		readSummary(client, daemon),
		client.callDaemon(daemon, 'listunspent', [0])
	]);
	return {
		...summary,
		utxos: withoutTimeLocks(unspent).map((one) => ({
			txid: one.txid,
			vout: one.vout,
			amount: one.amount,
			address: one.address ?? null,
			confirmations: one.rawconfirmations,
			generated: one.generated,
			interest: one.interest ?? null,
			spendable: one.spendable
		}))
	};
}
