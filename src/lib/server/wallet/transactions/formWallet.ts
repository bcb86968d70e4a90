/** The wallet that a form names before anything is asked of it. */
import type { DaemonResult } from '#lib/rpc/daemon/index.ts';
import { walletForm } from '#lib/messages/walletForm.ts';
import type { Rights } from '../../access/policy/limits/rights.ts';
import type { PageClient } from '../../chains/explorer/pageClient.ts';
import { problemOf } from '../../chains/explorer/problem.ts';

type FormWallet =
	| {
			usable: true;
			daemon: string;
			/** Compressed key, hex. */
			pubkey: string;
			/** Satoshi; null when the daemon does not say. */
			balance: bigint | null;
			/** Why these figures are older than the page; null when they are fresh. */
			problem: string | null;
	  }
	| { usable: false; sentence: string };

/** Daemons that are only slow can still build; their forms stay. */
const PASSING = ['timeout', 'busy'];

const refusal = (sentence: string): FormWallet => ({ usable: false, sentence });

/**
 * Asks within the page's own time. A daemon that cannot build now gives a sentence, never an error, and so
 * does one whose wallet the person may not use.
 */
export async function formWallet(
	client: PageClient,
	chain: string,
	rights: Pick<Rights, 'walletRefusal'>,
	person: string
): Promise<FormWallet> {
	const daemon = client.gateway.daemonFor(chain, 'wallet');
	if (daemon === undefined) return refusal(walletForm.noWallet(chain));
	const foreign = await rights.walletRefusal(person, daemon.id);
	if (foreign !== null) return refusal(foreign.message);
	const key = `${chain}\n${daemon.id}\nform wallet`;
	let info: DaemonResult<'getinfo'>;
	let problem: string | null = null;
	try {
		info = await client.callWallet(chain, 'getinfo', []);
		client.memory.remember(key, info, client.now);
	} catch (error) {
		const known = client.memory.recall<DaemonResult<'getinfo'>>(key);
		const { code, words } = problemOf(chain, error, daemon.health, false);
		if (known === undefined || !PASSING.includes(code)) return refusal(words);
		info = known.data;
		problem = walletForm.olderBalance(words);
	}
	const { pubkey, balance } = info;
	if (pubkey === undefined) {
		return refusal(walletForm.noPubkey(daemon.id));
	}
	return {
		usable: true,
		daemon: daemon.id,
		pubkey,
		balance: balance ?? null,
		problem
	};
}
