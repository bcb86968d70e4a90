/** The daemon whose wallet builds and signs: is it the one on record, and can it do it? */
import type { Gateway } from '../../chains/daemon/types.ts';
import { SendingError } from './errors.ts';

export interface Wallet {
	daemon: string;
	chain: string;
	/** Compressed key that the daemon works with, hex. */
	pubkey: string;
	/** Satoshi that the wallet may spend; null without a wallet. */
	balance: bigint | null;
	/** `datacarriersize`, when it is configured. */
	dataCarrierSize: number | null;
}

/**
 * Asks the daemon who it is, now. Names, ids and keys are compared with what is on record, because a
 * restarted daemon may be another one. (Komodo daemon 0.9.0: the name, the CCid, the pubkey and the
 * activation of Sapling must fit before each build and each send.)
 * @param expected the key that it had when it built, for a send
 * @throws {SendingError} `wrong-daemon`
 * @throws {AppError} `daemon` when it cannot be asked
 */
export async function walletOf(
	gateway: Gateway,
	chain: string,
	expected?: { daemon: string; pubkey: string }
): Promise<Wallet> {
	const record = expected ? gateway.daemon(expected.daemon) : gateway.daemonFor(chain, 'wallet');
	const refuse = (sentence: string): SendingError => new SendingError('wrong-daemon', sentence);
	if (!record) throw refuse(`No daemon with a wallet is configured for ${chain}.`);
	const info = await gateway.call(record.id, 'getinfo', []);
	if (info.name !== chain) {
		throw refuse(`The daemon ${record.id} serves ${info.name}, not ${chain}.`);
	}
	if (record.ccid !== null && (info.CCid ?? null) !== record.ccid) {
		throw refuse(`The daemon ${record.id} now has another chain id (CCid).`);
	}
	if (info.pubkey === undefined) {
		throw refuse(
			`The daemon ${record.id} runs without a pubkey: it cannot build token transactions.`
		);
	}
	if (expected && info.pubkey !== expected.pubkey) {
		throw refuse(`The daemon ${record.id} now works with another key than when this was built.`);
	}
	if (info.sapling < 0 || info.blocks < info.sapling) {
		throw refuse(
			`${chain} has not activated Sapling yet; transactions built before would be refused after.`
		);
	}
	return {
		daemon: record.id,
		chain,
		pubkey: info.pubkey,
		balance: info.balance ?? null,
		dataCarrierSize: record.dataCarrierSize
	};
}
