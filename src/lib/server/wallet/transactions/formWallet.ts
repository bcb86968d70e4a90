/** The wallet that a form shows before it is filled in. */
import { walletForm } from '#lib/messages/walletForm.ts';
import type { Rights } from '../../access/rights/rights.ts';
import { balanceOf } from '../../chains/daemon/balance.ts';
import { tellsOfWallet } from '../../chains/daemon/identity.ts';
import { servesTokens } from '../../chains/daemon/tokenModule.ts';
import { isUnserved } from '../../chains/daemon/unserved.ts';
import { isComplete, withoutTimeLocks } from '../../chains/daemon/unspent.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';
import { problemOf } from '../../chains/explorer/problem.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import { nameOfUtxo } from '#lib/chain/nameOfUtxo.ts';
import { type HeldUtxo } from '../locked-utxos/locks.ts';

type FormWallet =
	| {
			usable: true;
			daemon: string;
			/** Compressed key, hex. */
			pubkey: string;
			/**
			 * Satoshi that a review can spend, without outputs that other reviews or `lockunspent` have
			 * locked; null when the daemon does not report them.
			 */
			balance: bigint | null;
			/** Satoshi that reviews have locked. */
			locked: bigint;
			/** Why these figures are older than the page; null when they are fresh. */
			problem: string | null;
	  }
	| { usable: false; sentence: string };

/** What a form asks the daemon to build; token transactions also need its token methods. */
type Builds = 'coins' | 'tokens';

/** Codes of slow daemons, which can still build: their forms stay, with the last figures that were read. */
const PASSING = ['timeout', 'busy'];

/** What a form needs, apart from the daemon itself. */
export interface FormWalletDependencies {
	rights: Pick<Rights, 'walletRefusal'>;
	sender: { heldUtxos(chain: string): Promise<HeldUtxo[]> };
}

const refusal = (sentence: string): FormWallet => ({ usable: false, sentence });

/** Satoshi of a wallet's spendable outputs. */
interface Offered {
	free: bigint;
	/** In outputs that reviews have locked. */
	locked: bigint;
}

/**
 * Sums the outputs that builders of transactions can choose. The balance of the daemon also counts outputs
 * that `lockunspent` keeps from them. (Komodo daemon 0.9.0.)
 * @returns null when the wallet has too many outputs to list in time, the daemon reports one incompletely or has no
 * wallet
 * @throws {AppError} `daemon`
 */
async function offeredBy(
	client: PageClient,
	chain: string,
	held: readonly HeldUtxo[]
): Promise<Offered | null> {
	const names = new Set(held.map(nameOfUtxo));
	const offered: Offered = { free: 0n, locked: 0n };
	try {
		const outputs = await client.callWallet(chain, 'listunspent', [0]);
		if (!outputs.every(isComplete)) return null;
		for (const utxo of withoutTimeLocks(outputs)) {
			if (!utxo.spendable) continue;
			offered[names.has(nameOfUtxo(utxo)) ? 'locked' : 'free'] += utxo.amount;
		}
		return offered;
	} catch (error) {
		if (isAppError(error, 'daemon.too-large', 'daemon.timeout') || isUnserved(error)) return null;
		throw error;
	}
}

/**
 * Returns the daemon's public key, whether it can build what the form asks for, and what its wallet can spend
 * in another review.
 * @throws {AppError} `daemon`
 */
async function standingOf(
	client: PageClient,
	chain: string,
	held: readonly HeldUtxo[],
	builds: Builds
) {
	const [info, offered, isReady] = await Promise.all([
		client.callWallet(chain, 'getinfo', []),
		offeredBy(client, chain, held),
		builds === 'coins' || servesTokens((id) => client.callWallet(chain, 'tokeninfo', [id]))
	]);
	const { pubkey } = info;
	const balance = await balanceOf(info, () => client.callWallet(chain, 'getwalletinfo', []));
	const known = { pubkey, hasWallet: tellsOfWallet(info), isReady };
	if (balance === null || balance === undefined) return { ...known, balance: null, locked: 0n };
	if (offered === null)
		return { ...known, balance: held.length === 0 ? balance : null, locked: 0n };
	const { free, locked } = offered;
	const rest = balance > locked ? balance - locked : 0n;
	// `listunspent` includes unconfirmed coins from others, the balance does not.
	return { ...known, balance: rest < free ? rest : free, locked };
}

/**
 * Reads the wallet within the page's time limit. When the daemon cannot build now, or the member may not use
 * its wallet, the result has a message instead of an error being thrown.
 */
export async function formWallet(
	client: PageClient,
	chain: string,
	{ rights, sender }: FormWalletDependencies,
	person: string,
	builds: Builds = 'coins'
): Promise<FormWallet> {
	const daemon = client.gateway.daemonFor(chain, 'wallet');
	if (daemon === undefined) return refusal(walletForm.noWallet(chain));
	const foreign = await rights.walletRefusal(person, daemon.id);
	if (foreign !== null) return refusal(foreign.message);
	const key = `${chain}\n${daemon.id}\nform wallet\n${builds}`;
	const held = await sender.heldUtxos(chain);
	let standing: Awaited<ReturnType<typeof standingOf>>;
	let problem: string | null = null;
	try {
		standing = await standingOf(client, chain, held, builds);
		client.memory.remember(key, standing, client.now);
	} catch (error) {
		const known = client.memory.recall<typeof standing>(key);
		const { code, words } = problemOf(chain, error, daemon.health, false);
		if (known === undefined || !PASSING.includes(code)) return refusal(words);
		standing = known.data;
		problem = walletForm.olderBalance(words);
	}
	const { pubkey, hasWallet, isReady, balance, locked } = standing;
	if (!hasWallet) return refusal(walletForm.withoutWallet(daemon.id));
	if (pubkey === undefined) return refusal(walletForm.noPubkey(daemon.id));
	if (!isReady) return refusal(walletForm.noTokens(daemon.id));
	return {
		usable: true,
		daemon: daemon.id,
		pubkey,
		balance,
		locked,
		problem
	};
}
