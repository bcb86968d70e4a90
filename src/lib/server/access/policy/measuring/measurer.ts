/**
 * Measures what transaction bytes take from the wallet of a daemon, and whom they pay, by querying the daemon
 * for the spent transactions.
 */
import { addressOfPubkey } from '#lib/chain/address.ts';
import { looksLikeImport } from '#lib/chain/importProof.ts';
import { paysInterest } from '#lib/chain/mainChain.ts';
import { txidOf, type Transaction } from '#lib/chain/transaction.ts';
import type { DaemonInfo, Gateway } from '../../../chains/daemon/types.ts';
import { someAtATime } from '../../../platform/async/someAtATime.ts';
import { AppError, isAppError } from '../../../platform/errors/appError.ts';
import { paidBy, withOwn, type Movement, type OwnDoubt } from '../rules/facts.ts';
import { movementsOf } from './movements.ts';
import type { Usage } from './kinds.ts';
import { addressOf, measureSpend, readHex, type MeasuredWallet } from './measure.ts';
import { spentBy } from './parents.ts';
import { recipientsOf } from './recipients.ts';

/** What a transaction takes and moves. */
export interface MeasuredBytes {
	chain: string;
	txid: string;
	usages: readonly Usage[];
	/** Satoshi. */
	fee: bigint;
	movements: readonly Movement[];
	/** Recipients of which it is not known now whether they are wallets of this installation; null for none. */
	doubt: OwnDoubt | null;
	/** Addresses that it pays, without the wallet's own; null where they cannot be determined. */
	recipients: readonly string[] | null;
}

export interface Measurer {
	/**
	 * Measures a transaction. It queries the daemon for the spent transactions and its own addresses, so it
	 * must not run inside a database transaction.
	 * @param payouts serialized outputs of the import of a burn, hex, where they are known
	 * @throws {AppError} `limit` when it cannot be measured
	 */
	measure(daemon: string, hex: string, payouts: string | null): Promise<MeasuredBytes>;
	/**
	 * Returns which of the addresses belong to wallets of this installation: a daemon whose wallet is used
	 * here is configured with the key, and its wallet has it. An address whose daemon does not confirm that
	 * counts as foreign; `doubt` tells which ones could not be asked about.
	 */
	ownAmong(
		addresses: readonly string[]
	): Promise<{ own: ReadonlySet<string>; doubt: OwnDoubt | null }>;
	/** Marks the recipients that belong to wallets of this installation, as {@link Measurer.ownAmong}. */
	marked(movements: readonly Movement[]): Promise<Pick<MeasuredBytes, 'movements' | 'doubt'>>;
}

/**
 * Addresses beyond this number are not asked about: they count as another's where they are paid, and as the
 * wallet's where they pay.
 */
const MOST_ASKED = 256;
const CALLS_AT_A_TIME = 8;
const ASK_MS = 5_000;

export function createMeasurer(gateway: Gateway): Measurer {
	/** @throws {AppError} `daemon` */
	async function isOwnAddress(daemon: string, address: string): Promise<boolean> {
		const call = { timeout: ASK_MS };
		const answer = await gateway.call(daemon, 'validateaddress', [address], call);
		return answer.isvalid && answer.ismine;
	}

	async function askOwn(
		addresses: readonly string[]
	): Promise<{ own: ReadonlySet<string>; doubt: OwnDoubt | null }> {
		const wanted = new Set(addresses);
		const own = new Set<string>();
		const unasked = new Map<string, OwnDoubt['failed']>();
		// A daemon that is only read may be another party's, and it reports its own key.
		const isWallet = ({ purposes }: DaemonInfo): boolean => purposes.some((one) => one !== 'read');
		const wallets = gateway.daemons().filter(isWallet);
		await someAtATime(wallets, CALLS_AT_A_TIME, async ({ id, pubkey }) => {
			const address = pubkey === null ? null : addressOfPubkey(pubkey);
			if (address === null || !wanted.has(address)) return;
			try {
				if (await isOwnAddress(id, address)) own.add(address);
			} catch (error) {
				if (!isAppError(error, 'daemon')) throw error;
				unasked.set(address, error);
			}
		});
		// Another daemon with the same key may have confirmed it.
		for (const address of own) unasked.delete(address);
		const [failed] = unasked.values();
		const doubt = failed === undefined ? null : { addresses: new Set(unasked.keys()), failed };
		return { own, doubt };
	}

	async function marked(
		movements: readonly Movement[]
	): Promise<Pick<MeasuredBytes, 'movements' | 'doubt'>> {
		const { own, doubt } = await askOwn(paidBy(movements));
		return { movements: withOwn(movements, own), doubt };
	}

	/**
	 * Which of the addresses the wallet has keys for, and which it was not asked about. A daemon can run with
	 * any `-pubkey`: where its wallet lacks that key, outputs to it are not change, but what its address
	 * spends still counts.
	 */
	async function ownKeys(
		{ id, pubkey }: DaemonInfo,
		addresses: readonly string[]
	): Promise<Pick<MeasuredWallet, 'pubkey' | 'addresses' | 'unasked'>> {
		const named = pubkey === null ? [] : [addressOfPubkey(pubkey)];
		const all = [...new Set([...named, ...addresses])];
		const own = new Set<string>();
		await someAtATime(all.slice(0, MOST_ASKED), CALLS_AT_A_TIME, async (address) => {
			if (await isOwnAddress(id, address)) own.add(address);
		});
		const foreign = named.filter((address) => !own.has(address));
		return {
			pubkey: foreign.length === 0 ? pubkey : null,
			addresses: own,
			unasked: new Set([...all.slice(MOST_ASKED), ...foreign])
		};
	}

	/**
	 * Measures a parsed transaction.
	 * @throws {AppError} `limit`
	 * @throws {AppError} `daemon`
	 */
	async function read(
		daemon: DaemonInfo,
		tx: Transaction,
		payouts: string | null
	): Promise<MeasuredBytes> {
		const call = { timeout: ASK_MS };
		const isImport = looksLikeImport(tx);
		const spent = isImport
			? []
			: await spentBy(tx, (txid) => gateway.call(daemon.id, 'getrawtransaction', [txid, 0], call));
		const wallet: MeasuredWallet = {
			...(isImport
				? { pubkey: null, addresses: new Set(), unasked: new Set() }
				: await ownKeys(daemon, [
						...[...spent, ...tx.vout].flatMap((output) => addressOf(output) ?? []),
						...spent.flatMap(({ openers }) => openers ?? [])
					])),
			hasInterest: !isImport && paysInterest(daemon.chain)
		};
		const found = measureSpend(tx, spent, wallet);
		if ('unknown' in found) throw new AppError(found.unknown);
		const { usages, fee } = found;
		const { chain } = daemon;
		const moved = movementsOf({ chain, tx, spent, wallet, usages, payouts });
		const recipients = isImport ? null : recipientsOf(tx, wallet);
		return { chain, txid: txidOf(tx), usages, fee, ...(await marked(moved)), recipients };
	}

	return {
		ownAmong: askOwn,
		marked,
		async measure(id, hex, payouts) {
			const daemon = gateway.daemon(id);
			const tx = readHex(hex);
			if (tx === null || daemon === undefined) throw new AppError('limit.unreadable');
			try {
				return await read(daemon, tx, payouts);
			} catch (cause) {
				if (!isAppError(cause, 'daemon')) throw cause;
				throw new AppError('limit.daemon-failed', { call: cause.coded }, { cause });
			}
		}
	};
}
