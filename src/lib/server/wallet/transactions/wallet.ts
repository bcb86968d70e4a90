/** The daemon whose wallet builds and signs: is it the one on record, and can it do it? */
import { tellsOfWallet } from '../../chains/daemon/identity.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { AppError } from '../../platform/errors/appError.ts';

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
 * @param expected the daemon whose wallet it has to be; for a send with the key that it had when it built
 * @throws {AppError} `wallet-daemon`
 * @throws {AppError} `daemon` when it cannot be asked
 */
export async function walletOf(
	gateway: Gateway,
	chain: string,
	expected?: { daemon: string; pubkey?: string }
): Promise<Wallet> {
	const record = expected ? gateway.daemon(expected.daemon) : gateway.daemonFor(chain, 'wallet');
	const certain = null;
	if (!record) throw new AppError('wallet-daemon.none', { chain, certain });
	const daemon = record.id;
	const info = await gateway.call(record.id, 'getinfo', []);
	if (info.name !== chain) {
		throw new AppError('wallet-daemon.other-chain', { daemon, found: info.name, chain, certain });
	}
	if (record.ccid !== null && (info.CCid ?? null) !== record.ccid) {
		throw new AppError('wallet-daemon.other-ccid', { daemon, certain });
	}
	// What was signed before goes out without a wallet, too.
	if (expected?.pubkey === undefined && !tellsOfWallet(info)) {
		throw new AppError('wallet-daemon.no-wallet', { daemon, certain });
	}
	if (info.pubkey === undefined) throw new AppError('wallet-daemon.no-pubkey', { daemon, certain });
	if (expected?.pubkey !== undefined && info.pubkey !== expected.pubkey) {
		throw new AppError('wallet-daemon.other-pubkey', { daemon, certain });
	}
	if (info.sapling < 0 || info.blocks < info.sapling) {
		throw new AppError('wallet-daemon.no-sapling', { chain, certain });
	}
	return {
		daemon,
		chain,
		pubkey: info.pubkey,
		balance: info.balance ?? null,
		dataCarrierSize: record.dataCarrierSize
	};
}
