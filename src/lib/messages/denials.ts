/** Reasons to deny a call, by code, with their texts. */

import { PAGE_REFUSALS, type PageRefusalCode } from './pageRefusals.ts';
import { errorMessage, type CodedError, type CodesOf } from './errors/index.ts';

/** Recipients from which coins could never be spent. */
export type TrapCode =
	| 'transaction.recipient-module'
	| 'transaction.recipient-token-address'
	| 'transaction.recipient-condition';

/** Parameters that require more rights than their method, by the right. */
const PARAMETERS = {
	admin: 'remote signers, tokens described by hand and paths on the node’s disk are for admins',
	'daemon-admin': 'parameters that can keep a daemon from answering are for admins',
	operator:
		'a look that makes the node forget the result is for operators; send forget_if_finished: false'
} as const;

/** Why a call is denied. */
export type Denial =
	/** The role does not include the method. */
	| { code: 'role'; role: string; method: string }
	/** The method is not in the list of the API token. */
	| { code: 'token-method' }
	/** The daemon or trading node is not in the list of the API token. */
	| { code: 'token-place' }
	/** The wallet is not in the list of the API token. */
	| { code: 'token-wallet' }
	/**
	 * Exceeds an amount limit of the API token, pays a recipient that is not in its list, or cannot be
	 * measured.
	 */
	| { code: 'token-limit'; why: CodedError<CodesOf<'token-limit'>> }
	/**
	 * These parameters require more rights than the method itself; `daemon-admin`: those of an admin, at a
	 * daemon.
	 */
	| { code: 'parameters'; needs: keyof typeof PARAMETERS }
	/** The parameters name servers that are in no list of an admin. */
	| { code: 'servers' }
	/** A signature that does not cover the whole transaction. */
	| { code: 'signature'; why: CodedError<CodesOf<'signature'>> }
	/** The wallet is not granted to this member. */
	| { code: 'wallet'; why: CodedError<CodesOf<'wallet'>> }
	/** Exceeds a spending limit or the fee cap, or cannot be measured. */
	| { code: 'limit'; why: CodedError<CodesOf<'limit'>> }
	/** An address from which coins could never be spent. */
	| { code: 'recipient'; why: CodedError<TrapCode> }
	/** The session must confirm the member's second factor again. */
	| { code: 'factor' }
	/** Denied by a policy rule, or not approved yet. */
	| { code: 'policy'; why: CodedError<CodesOf<'policy'>> }
	/** Stopped for all members by a safety control. */
	| { code: 'safety'; why: CodedError<CodesOf<'safety'>> };

/** A denial as it is recorded. */
export type RecordedDenial =
	| Denial
	/** Denied access to a URL; `page`: denied by the page itself. */
	| { code: 'address'; why: PageRefusalCode | 'page' }
	/** The API token is not valid for use from this address. */
	| { code: 'token-elsewhere' };

/** Reasons in events that are not refusals. */
const OTHER_REASONS = {
	restored: 'restored from a backup',
	unconfirmed: 'to be confirmed after a restore'
} as const;

// A RecordedValue has params.
const isRecordedDenial = (value: unknown): value is RecordedDenial =>
	typeof value === 'object' && value !== null && 'code' in value && !('params' in value);

export type DeniedBy = RecordedDenial['code'];

/** Returns what denied an action; null when nothing did, or when an early release stored a sentence. */
export const deniedBy = (stored: unknown): DeniedBy | null =>
	isRecordedDenial(stored) ? stored.code : null;

/** Returns the reason in an audit event; texts stored by early releases are returned unchanged. */
export function recordedReason(stored: unknown): unknown {
	if (typeof stored === 'string' && Object.hasOwn(OTHER_REASONS, stored)) {
		return OTHER_REASONS[stored as keyof typeof OTHER_REASONS];
	}
	if (!isRecordedDenial(stored)) return stored;
	if (stored.code === 'token-elsewhere') return PAGE_REFUSALS['token-elsewhere'];
	if (stored.code !== 'address') return denialReason(stored);
	return stored.why === 'page' ? 'The page refused it.' : PAGE_REFUSALS[stored.why];
}

/** Returns the reason for the audit log and for scripts. */
export function denialReason(denial: Denial): string {
	switch (denial.code) {
		case 'role':
			return `the role ${denial.role} may not call ${denial.method}`;
		case 'token-method':
			return 'this API token may not call the method';
		case 'token-place':
			return 'this API token is for other daemons or trading nodes';
		case 'token-wallet':
			return 'this API token is for other wallets';
		case 'parameters':
			return PARAMETERS[denial.needs];
		case 'servers':
			return 'servers and swap contracts that neither the coins file nor the list of an admin has are for admins';
		case 'factor':
			return 'this session must confirm with the second factor first: do it on a page of the console';
		case 'signature':
		case 'wallet':
		case 'recipient':
		case 'limit':
		case 'token-limit':
		case 'policy':
		case 'safety':
			return errorMessage(denial.why.code, denial.why.params);
	}
}

/** Returns the reason as a sentence for pages. */
export function denialSentence(denial: Denial): string {
	const text = denialReason(denial);
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
