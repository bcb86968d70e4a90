/** The wallet that a form names before anything is asked of it. */
import type { Ask } from '../explorer/ask.ts';

export type FormWallet =
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

/** Asks within the page's own time. A daemon that cannot build now gives a sentence, never an error. */
export async function formWallet(ask: Ask, chain: string): Promise<FormWallet> {
	const daemon = ask.gateway.daemonFor(chain, 'wallet');
	if (daemon === undefined) return refusal(`No daemon with a wallet is configured for ${chain}.`);
	const info = await ask.piece(chain, 'form wallet', () => ask.callWallet(chain, 'getinfo', []));
	if (info.state === 'missing') return refusal(info.problem.words);
	if (info.state === 'stale' && !PASSING.includes(info.problem.code)) {
		return refusal(info.problem.words);
	}
	const { pubkey, balance } = info.data;
	if (pubkey === undefined) {
		return refusal(
			`The daemon ${daemon.id} runs without a pubkey, so it cannot build token transactions. Start it with -pubkey=, the public key of one of its wallet's keys.`
		);
	}
	return {
		usable: true,
		daemon: daemon.id,
		pubkey,
		balance: balance ?? null,
		problem: info.problem?.words ?? null
	};
}
