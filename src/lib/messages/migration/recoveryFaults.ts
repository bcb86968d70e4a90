/** Why a migration cannot be recovered, from a recovery file or from a transaction ID. */
import { count, plural } from '#lib/text/plural.ts';
import { explainedMessage } from '../explained/failedCall.ts';
import type { CodedError } from '../errors/index.ts';

export type RecoveryFault =
	/** The file is no recovery file, or may have been altered. */
	| { readonly code: 'too-long'; readonly characters: number; readonly most: number }
	| { readonly code: 'not-json' | 'not-a-file' | 'other-chains' | 'not-burned' }
	| { readonly code: 'other-bytes' | 'two-burns' }
	/** The transaction cannot be found, or is no burn. */
	| { readonly code: 'no-daemon' | 'no-transaction'; readonly chain: string }
	| { readonly code: 'undecodable' | 'no-burn' }
	| {
			readonly code: 'chains-missing';
			readonly source: string;
			readonly destination: string;
			readonly main: string;
	  }
	/** The burn is unsent, and its wallet is not configured or closed to the member. */
	| { readonly code: 'wallet-missing'; readonly chain: string; readonly daemon: string }
	/** The supplied payouts are not those of the burn. */
	| { readonly code: 'other-payouts' }
	/** The burn contains only a hash of its recipients. */
	| { readonly code: 'recipient-unknown'; readonly of: 'coins' | 'token' }
	/** A required daemon did not respond. */
	| { readonly code: 'unread' | 'import-unknown'; readonly error: CodedError };

export function recoveryFaultMessage(fault: RecoveryFault): string {
	switch (fault.code) {
		case 'too-long':
			return `This is longer than any recovery file: ${plural(fault.characters, 'character')}, and at most ${count(fault.most)} are read.`;
		case 'not-json':
			return 'Not a recovery file: not valid JSON. Paste the whole file.';
		case 'not-a-file':
			return 'Not a recovery file, or it was changed. Paste the whole file.';
		case 'other-chains':
			return 'This migration is between chains that are not configured here.';
		case 'not-burned':
			return 'This migration has not burned anything yet. Start a new one.';
		case 'other-bytes':
			return 'This recovery file contradicts itself: the bytes of one step belong to another transaction. Nothing was read from it.';
		case 'two-burns':
			return 'This recovery file contradicts itself: it names two burns. Nothing was read from it.';
		case 'no-daemon':
			return `${fault.chain} is not configured.`;
		case 'no-transaction':
			return `${fault.chain} has no transaction with this ID.`;
		case 'undecodable':
			return 'This transaction cannot be decoded.';
		case 'no-burn':
			return 'This transaction is neither a burn for another chain nor its import.';
		case 'chains-missing':
			return `This burn goes from ${fault.source} to ${fault.destination}. Both, and ${fault.main}, must be configured here.`;
		case 'wallet-missing':
			return `${fault.chain} does not have this burn yet, and only the wallet that built it may send it: that of ${fault.daemon}. No daemon that you may use has this wallet.`;
		case 'other-payouts':
			return 'These payouts do not match the burn, which holds the hash of its payouts. Nothing was recovered.';
		case 'recipient-unknown':
			return fault.of === 'token'
				? 'The burn holds only a hash of its recipient. Enter the public key that receives the token.'
				: 'The burn holds only a hash of its recipients. Enter the address that receives the coins, or the payouts of a burn with several recipients.';
		case 'unread':
			return explainedMessage(fault.error);
		case 'import-unknown':
			return `Cannot tell whether this burn was imported already. ${explainedMessage(fault.error)}`;
	}
}
