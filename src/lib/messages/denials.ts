/** What stands against a call, by code, and what it is called where people read it. */

import { PAGE_REFUSALS, type PageRefusalCode } from './pageRefusals.ts';
import { errorMessage, type CodedError, type CodesOf } from './errors/index.ts';

/** Recipients whose coins would be lost. */
export type TrapCode =
	| 'transaction.recipient-module'
	| 'transaction.recipient-token-address'
	| 'transaction.recipient-condition';

/** Why a caller does not get a call made. */
export type Denial =
	/** The method is not of this role. */
	| { code: 'role'; role: string; method: string }
	/** The method is not in the list of the API token. */
	| { code: 'token-method' }
	/** The daemon or trading node is not in the list of the API token. */
	| { code: 'token-place' }
	/** The wallet is not in the list of the API token. */
	| { code: 'token-wallet' }
	/** Above an amount of the API token, to a recipient that is not in its list, or not to be measured for it. */
	| { code: 'token-limit'; why: CodedError<CodesOf<'token-limit'>> }
	/** These parameters need more than the method itself does. */
	| { code: 'parameters'; needs: 'admin' | 'operator' }
	/** The parameters name servers that no list of an admin has. */
	| { code: 'servers' }
	/** A signature that would not cover the whole transaction. */
	| { code: 'signature'; why: CodedError<CodesOf<'signature'>> }
	/** The wallet is not given to this person. */
	| { code: 'wallet'; why: CodedError<CodesOf<'wallet'>> }
	/** Above a spending limit or the fee cap, or not to be measured. */
	| { code: 'limit'; why: CodedError<CodesOf<'limit'>> }
	/** An address whose coins nobody could spend. */
	| { code: 'recipient'; why: CodedError<TrapCode> }
	/** A session of a member who has a second factor and did not show it lately. */
	| { code: 'factor' }
	/** Denied by a rule of the policies, or not approved yet. */
	| { code: 'policy'; why: CodedError<CodesOf<'policy'>> }
	/** Stopped for everybody by a safety control. */
	| { code: 'safety'; why: CodedError<CodesOf<'safety'>> };

/** What goes on record when somebody may not do something. */
export type RecordedDenial =
	| Denial
	/** An address; `page`: the page itself refused it. */
	| { code: 'address'; why: PageRefusalCode | 'page' }
	/** The API token is not for use from there. */
	| { code: 'token-elsewhere' };

/** Of events that are no refusals. */
const OTHER_REASONS = {
	restored: 'restored from a backup',
	unconfirmed: 'to be confirmed after a restore'
} as const;

const isRecordedDenial = (value: unknown): value is RecordedDenial =>
	typeof value === 'object' && value !== null && 'code' in value;

export type DeniedBy = RecordedDenial['code'];

/** What stood against a denied act; null where an older release stored a sentence, or nothing did. */
export const deniedBy = (stored: unknown): DeniedBy | null =>
	isRecordedDenial(stored) ? stored.code : null;

/** The reason that an event of the log holds; releases before stored its words, which are shown as they are. */
export function recordedReason(stored: unknown): unknown {
	if (typeof stored === 'string' && Object.hasOwn(OTHER_REASONS, stored)) {
		return OTHER_REASONS[stored as keyof typeof OTHER_REASONS];
	}
	if (!isRecordedDenial(stored)) return stored;
	if (stored.code === 'token-elsewhere') return PAGE_REFUSALS['token-elsewhere'];
	if (stored.code !== 'address') return denialReason(stored);
	return stored.why === 'page' ? 'The page refused it.' : PAGE_REFUSALS[stored.why];
}

/** The reason as it goes on record and to scripts. */
export function denialReason(denial: Denial): string {
	switch (denial.code) {
		case 'role':
			return `the role ${denial.role} may not call ${denial.method}`;
		case 'token-method':
			return 'this token may not call it';
		case 'token-place':
			return 'this token is for other daemons';
		case 'token-wallet':
			return 'this token is for other wallets';
		case 'parameters':
			return denial.needs === 'admin'
				? 'remote signers, tokens described by hand and paths on the node’s disk are for admins'
				: 'a look that makes the node forget the result is for operators; send forget_if_finished: false';
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

/** The reason as a sentence of a page. */
export function denialSentence(denial: Denial): string {
	const text = denialReason(denial);
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
