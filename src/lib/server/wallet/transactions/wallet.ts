/** Checks the daemon whose wallet builds and signs: whether it is the one on record, and able to do so. */
import { reported } from '#lib/rpc/tolerant.ts';
import { tellsOfWallet } from '../../chains/daemon/identity.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import { AppError } from '../../platform/errors/appError.ts';

export interface Wallet {
	daemon: string;
	chain: string;
	/** Compressed public key that the daemon works with, hex. */
	pubkey: string;
	/** Satoshi that the wallet may spend; null without a wallet, and when the daemon does not report it. */
	balance: bigint | null;
	/** `datacarriersize`, when it is configured. */
	dataCarrierSize: number | null;
}

/**
 * Reads the identity of the daemon now, and compares names, ids and keys with what is on record, because
 * another daemon may answer after a restart. (Komodo daemon 0.9.0: the name, the CCid, the pubkey and the
 * activation of Sapling must fit before each build and each send.)
 * @param expected the daemon whose wallet it has to be; for a send with the public key that it had at the build
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
	const info = await gateway.call(record.id, 'getinfo', [], { anyChain: true });
	if (info.name !== chain) {
		throw new AppError('wallet-daemon.other-chain', { daemon, found: info.name, chain, certain });
	}
	if (record.ccid !== null && (info.CCid ?? null) !== record.ccid) {
		throw new AppError('wallet-daemon.other-ccid', { daemon, certain });
	}
	// A transaction that is signed already can be sent without a wallet.
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
		balance: reported(info, 'balance') ?? null,
		dataCarrierSize: record.dataCarrierSize
	};
}
