/** Self-imports: why one is impossible, and what to know beforehand. */
import { amountProse } from '#lib/text/amounts.ts';

/** Why a self-import is impossible. */
export type SelfImportObstacle =
	/** The chain uses another import mode, according to the configuration. */
	| { code: 'other-mode'; params: { chain: string; mode: string } }
	/** The same, according to the daemon's response. */
	| { code: 'other-mode-answered'; params: { chain: string } }
	| { code: 'no-imports'; params: { chain: string } }
	| {
			code: 'other-wallet';
			params: { daemon: string; chain: string; pubkey: string; issuer: string };
	  }
	/** Satoshi, as decimal digits. */
	| {
			code: 'too-few-coins';
			params: { daemon: string; chain: string; balance: string; needed: string };
	  }
	| { code: 'no-wallet'; params: { chain: string } }
	| { code: 'method-unknown'; params: { daemon: string } }
	/** The daemon found no UTXO of the key to create the source transaction from. */
	| { code: 'no-output'; params: Readonly<Record<string, never>> };

const ONLY_PUBKEY =
	'Coins can be created like this only on a chain that was started with ac_import=PUBKEY. That is a parameter of the whole chain: it cannot be changed later.';

/** Returns the reason, and what to do about it; null when nothing can be done. */
export function obstacleMessage(obstacle: SelfImportObstacle): {
	reason: string;
	mend: string | null;
} {
	switch (obstacle.code) {
		case 'other-mode': {
			const { chain, mode } = obstacle.params;
			return { reason: `${chain} was started with ac_import=${mode}.`, mend: ONLY_PUBKEY };
		}
		case 'other-mode-answered':
			return {
				reason: `The daemon of ${obstacle.params.chain} answered with the bare number -1: the chain was started with another ac_import than PUBKEY.`,
				mend: 'Coins can be created like this only on a chain with ac_import=PUBKEY.'
			};
		case 'no-imports':
			return {
				reason: `${obstacle.params.chain} was not started with ac_import, so self-imports are not possible on it.`,
				mend: 'That is a parameter of the whole chain: it cannot be changed later.'
			};
		case 'other-wallet': {
			const { daemon, chain, pubkey, issuer } = obstacle.params;
			return {
				reason: `The wallet of ${daemon} is not the one that may create coins on ${chain}: its key is ${pubkey}, and the chain’s ac_pubkey is ${issuer}.`,
				mend: 'Configure the daemon that runs with the key of ac_pubkey as the wallet of this chain.'
			};
		}
		case 'too-few-coins': {
			const { daemon, chain, balance, needed } = obstacle.params;
			return {
				reason: `The wallet of ${daemon} has ${amountProse(BigInt(balance))} ${chain} that are not locked, and ${amountProse(BigInt(needed))} ${chain} are needed.`,
				mend: `Send ${chain} to this wallet first.`
			};
		}
		case 'no-wallet':
			return {
				reason: `No daemon with a wallet is configured for ${obstacle.params.chain}.`,
				mend: null
			};
		case 'method-unknown':
			return {
				reason: `The daemon ${obstacle.params.daemon} does not know selfimport.`,
				mend: null
			};
		case 'no-output':
			return {
				reason: `The daemon could not begin the source transaction with a confirmed output of the chain’s ac_pubkey.`,
				mend: 'Its wallet may be locked, have no confirmed coins, or hold other keys besides: keep only the key of ac_pubkey in it, or consolidate its outputs into one of that key.'
			};
	}
}

/** What a member should know beforehand, although it is no obstacle. */
export type SelfImportNote =
	| { code: 'not-configured'; params: { setting: 'ac_import' | 'ac_pubkey'; chain: string } }
	/** `bytes`: approximate size of the payload. */
	| { code: 'relay-unknown'; params: { bytes: number } };

export function noteMessage(note: SelfImportNote): string {
	switch (note.code) {
		case 'not-configured':
			return `${note.params.setting} of ${note.params.chain} is not configured, and no method tells it. The daemon decides whether this wallet may create coins.`;
		case 'relay-unknown':
			return `An import has a payload of about ${note.params.bytes} bytes. Daemons that were not started with datacarriersize=10001 do not relay it: it could be refused after its source is paid for.`;
	}
}
